// SPDX-License-Identifier: MIT
// A client of every public symbol of observed values: inputs, what is derived from them, observers, and boxes.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Filter: Equatable, Sendable {
  var text = ""
  var maximum = 10
}

nonisolated struct Amount {
  var value = 0.0
}

@MainActor
final class Label {
  var text = ""
  var isHidden = false
  private(set) var labels: [Label] = []

  func add(_ label: Label) { labels.append(label) }
}

@MainActor
final class SearchModel {
  let filter = Input(Filter())
  let amount = Input(Amount())
  let price = Input(0.0, isEqual: { abs($0 - $1) < 0.01 })
  let isOnline = Input(true)
  let isForeground: Observed<Bool>
  let results = AsyncData<[String]>()
  private var token: ObservedToken?

  init(isForeground: Observed<Bool> = .constant(true)) {
    self.isForeground = isForeground
  }

  var title: Observed<String> {
    filter.text.zip(price.observed).map { text, price in "\(text): \(price)" }
  }

  /// What is derived from a value that is not `Equatable`.
  var total: Observed<Amount> { amount.map { Amount(value: $0.value * 2) } }
  var value: Observed<Double> { amount.value }

  var condition: Observed<Bool> { isOnline && (isForeground || !filter.text.map(\.isEmpty)) }

  var chosen: Observed<String> { condition.flatMap { [filter] isOn in isOn ? filter.text : .constant("offline") } }
  var chosenAmount: Observed<Amount> { condition.flatMap { [amount, total] isOn in isOn ? total : amount } }

  func typed(_ text: String) {
    filter.write(Filter(text: text))
    let maximum = filter.change { filter in
      filter.maximum += 1
      return filter.maximum
    }
    batch { (batch: inout WriteBatch) in
      batch.write(Filter(text: text, maximum: maximum), to: filter)
    }
    results.value = []
  }

  func appear() async {
    token = title.observe { print($0) }
    for await isOn in condition.values where isOn { break }
    token?.cancel()
    print(filter.current, filter.description, condition.description)
  }
}

@MainActor
func makeScreen(of model: SearchModel) -> Label {
  let screen = Box(Label())
  let title = Box(Label())
  title.bind(\.text, to: model.title)
  title.bind(\.isHidden, to: model.results.observed.isLoading)
  title.bind(to: model.condition) { label, isOn in label.isHidden = !isOn }
  screen.add(title) { screen, title in screen.add(title) }
  screen.retain(model)
  print(screen)
  return screen.unbox
}

/// In generic code nothing is said of equality, and nothing has to be.
@MainActor
final class Feature<Model> {
  let data = AsyncData<Model>()
  let input: Input<Model>
  private var token: ObservedToken?

  init(_ model: Model) {
    input = Input(model)
    token = input.map { $0 }.zip(data.observed.map(\.value)).observe { _ in }
  }

  func load(_ fetch: @escaping () async throws -> Model?) {
    data.start(.refresh, operation: fetch)
  }

  func field<Part>(_ part: KeyPath<Model, Part>) -> Observed<Part> {
    input[dynamicMember: part]
  }
}

@MainActor
func make<Model: Equatable & Sendable>(_ model: Model) -> Feature<Model> {
  Feature(model)
}
