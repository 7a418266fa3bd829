// SPDX-License-Identifier: MIT
import AsyncState
import Testing

/// A graph in use: `number` and `other` are written, `chooser` chooses between them.
@MainActor
final class GraphRig: ReentryRig {
  enum Callback: CaseIterable {
    case inputObserver, observer, lastObserver, map, flatMap, zipped, keyPath, isEqual, equality, change, batch,
      binding
    case releaseOfAnObserver, releaseOfAValue
  }

  enum Method: CaseIterable {
    case read, writeSame, writeOther, writeTwice, writeEach, change, batch, emptyBatch, observe, observeAndCancel,
      cancelToken
    case cancelAll, dropTokens, dropInput, dropChooser, dropSteps, dropAll, dropBox, bind, values, choose
  }

  /// A value that is compared and released by user code.
  struct Item: Equatable {
    let number: Int
    let reentry: Reentry<GraphRig>
    let farewell: Farewell

    init(_ number: Int, _ reentry: Reentry<GraphRig>) {
      self.number = number
      self.reentry = reentry
      farewell = Farewell { reentry.reached(.releaseOfAValue) }
    }

    static func == (left: Item, right: Item) -> Bool {
      left.reentry.reached(.equality)
      return left.number == right.number
    }
  }

  final class Label { var text = "" { didSet { onSet() } }; var onSet: () -> Void = {} }

  /// What an observer has been called with.
  final class Log {
    let name: String
    let wanted: () -> String
    var values: [String] = []
    weak var token: ObservedToken?
    var isCancelled = false

    init(_ name: String, _ wanted: @escaping () -> String) {
      self.name = name
      self.wanted = wanted
    }
  }

  let reentry: Reentry<GraphRig>
  private var number: Input<Item>?
  private var other: Input<Int>?
  private var chooser: Input<Bool>?
  private var steps: [String: Observed<Int>] = [:]
  private var tokens: [ObservedToken] = []
  private var logs: [Log] = []
  private var box: Box<Label>?
  private var broken: [String] = []
  private let isWrittenInsideEquality: Bool
  /// What was written last.
  private var written = (number: 0, other: 0, chooses: true)
  private var weakInputs: [() -> AnyObject?] = []

  init(_: OneKind, _ reentry: Reentry<GraphRig>) {
    self.reentry = reentry
    isWrittenInsideEquality =
      switch reentry.plan {
      case .once(_, let callback, _): [.equality, .isEqual].contains(callback)
      case .random: true
      case .nothing: false
      }
    let number = Input(Item(0, reentry))
    let other = Input(0) { left, right in
      reentry.reached(.isEqual)
      return left == right
    }
    let chooser = Input(true)
    (self.number, self.other, self.chooser) = (number, other, chooser)
    weakInputs = [{ [weak number] in number }, { [weak other] in other }, { [weak chooser] in chooser }]
    let plain = number.map { item in
      reentry.reached(.map)
      return item.number
    }
    let chosen = chooser.flatMap { chooses in
      reentry.reached(.flatMap)
      return chooses ? plain : other
    }
    let sum = plain.zip(other).map { pair in
      reentry.reached(.zipped)
      return pair.0 * 100 + pair.1
    }
    let keyed = number.number
    let diamond = chosen.zip(sum).map { $0.0 * 10_000 + $0.1 }
    steps = ["plain": plain, "chosen": chosen, "sum": sum, "keyed": keyed, "diamond": diamond]
    observe(number.map { "\($0.number)" }, "number", .inputObserver) { "\($0.number)" }
    observe(plain.map { "\($0)" }, "plain", .observer) { "\($0.number)" }
    observe(other.map { "\($0)" }, "other", .observer) { "\($0.other)" }
    observe(diamond.map { "\($0)" }, "diamond", .observer) {
      "\(($0.chooses ? $0.number : $0.other) * 10_000 + $0.number * 100 + $0.other)"
    }
    observe(keyed.map { "\($0)" }, "keyed", .keyPath) { "\($0.number)" }
    observe(chosen.map { "\($0)" }, "chosen", .lastObserver) { "\($0.chooses ? $0.number : $0.other)" }
    let label = Label()
    let box = Box(label)
    box.bind(\.text, to: sum.map { "\($0)" })
    label.onSet = { reentry.reached(.binding) }
    self.box = box
  }

  private func observe(
    _ observed: Observed<String>, _ name: String, _ callback: Callback,
    _ wanted: @escaping ((number: Int, other: Int, chooses: Bool)) -> String
  ) {
    let log = Log(name) { [weak self] in self.map { wanted($0.written) } ?? "nothing" }
    let reentry = reentry
    let farewell = Farewell { reentry.reached(.releaseOfAnObserver) }
    logs.append(log)
    let token = observed.observe { [weak self] value in
      _ = farewell
      if log.isCancelled { self?.broken.append("1.5: \(name) called after it was cancelled") }
      if log.values.last == value { self?.broken.append("7.1: \(name) called twice with \(value)") }
      log.values.append(value)
      reentry.reached(callback)
    }
    log.token = token
    tokens.append(token)
  }

  // MARK: The scenario

  func run() {
    write(number: 1)
    write(other: 2)
    write(number: 1)
    write(chooses: false)
    write(number: 3)
    _ = number?.change { item -> Int in
      reentry.reached(.change)
      item = Item(4, reentry)
      written.number = 4
      return 0
    }
    let (number, other) = (number, other)
    AsyncState.batch { batch in
      if let number { batch.write(Item(5, reentry), to: number) }
      reentry.reached(.batch)
      if let other { batch.write(6, to: other) }
      // Written at the end of the batch, and after what is written inside.
      if number != nil { written.number = 5 }
      if other != nil { written.other = 6 }
    }
    write(chooses: true)
    write(number: 7)
    if let token = tokens.popLast() {
      logs.first { $0.token === token }?.isCancelled = true
      token.cancel()
    }
    write(number: 8)
  }

  private func write(number value: Int) {
    guard let number else { return }
    written.number = value
    number.write(Item(value, reentry))
  }

  private func write(other value: Int) {
    guard let other else { return }
    written.other = value
    other.write(value)
  }

  private func write(chooses value: Bool) {
    guard let chooser else { return }
    written.chooses = value
    chooser.write(value)
  }

  // MARK: The methods

  func call(_ method: Method) {
    let (number, other) = (number, other)
    switch method {
    case .read: _ = (number?.current.number, other?.current, chooser?.current)
    case .writeSame: write(number: written.number)
    case .writeOther: write(number: 20)
    case .writeTwice:
      write(number: 21)
      write(number: 22)
    case .writeEach:
      write(other: 23)
      write(chooses: !written.chooses)
      write(number: 24)
    case .change:
      _ = other?.change { value in
        value = 25
        written.other = 25
      }
    case .batch:
      if number != nil { written.number = 26 }
      if other != nil { written.other = 27 }
      AsyncState.batch { batch in
        if let number { batch.write(Item(26, reentry), to: number) }
        if let other { batch.write(27, to: other) }
      }
    case .emptyBatch: AsyncState.batch { _ in }
    case .observe: _ = number.map { tokens.append($0.observe { _ in }) }
    case .observeAndCancel: number?.map { $0.number }.observe { _ in }.cancel()
    case .cancelToken: if logs.count > 1 { cancel(logs[1]) }
    case .cancelAll: for log in logs { cancel(log) }
    case .dropTokens: dropTokens()
    case .dropInput: _ = self.number.take()
    case .dropChooser: _ = chooser.take()
    case .dropSteps:
      let former = steps
      steps = [:]
      withExtendedLifetime(former) {}
    case .dropAll:
      dropEverything()
    case .dropBox: _ = box.take()
    case .bind: if let box, let number { box.bind(to: number) { $0.text = "\($1.number)" } }
    case .values: _ = other?.values
    case .choose: write(chooses: !written.chooses)
    }
  }

  private func cancel(_ log: Log) {
    guard let token = log.token else { return }
    log.isCancelled = true
    token.cancel()
  }

  private func dropTokens() {
    while let token = tokens.popLast() {
      logs.first { $0.token === token }?.isCancelled = true
    }
  }

  private func dropEverything() {
    dropTokens()
    let all = (number.take(), other.take(), chooser.take(), steps, box.take())
    steps = [:]
    withExtendedLifetime(all) {}
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) {
    reentry.end()
    // A write inside an `==` that another write has called may come before that one, or after it.
    let now = (number: number?.current.number, other: other?.current, chooses: chooser?.current)
    if isWrittenInsideEquality {
      written = (now.number ?? written.number, now.other ?? written.other, now.chooses ?? written.chooses)
    }
    if let number = now.number, number != written.number { broken.append("1.4: \(number), written \(written.number)") }
    if let other = now.other, other != written.other { broken.append("1.4: \(other), written \(written.other)") }
    // What a dropped input was written with in such a place is not to be known.
    let isKnown = !isWrittenInsideEquality || (number != nil && other != nil && chooser != nil)
    for log in logs where !log.isCancelled && isKnown {
      let (got, wanted) = (log.values.last ?? "nothing", log.wanted())
      if got != wanted { broken.append("1.4: \(log.name) ends with \(got), written was \(wanted)") }
    }
    for log in logs where !log.isCancelled && number != nil {
      let count = log.values.count
      if log.name == "plain" || log.name == "keyed" || log.name == "number" {
        write(number: 50 + count)
        if log.values.last != "\(50 + count)" { broken.append("1.2: \(log.name) is not called any more") }
      }
    }
    #expect(broken.isEmpty, "\(what): \(broken), \(logs.map { "\($0.name): \($0.values)" })")
    dropEverything()
    #expect(weakInputs.allSatisfy { $0() == nil }, "1.6, \(what)")
  }
}
