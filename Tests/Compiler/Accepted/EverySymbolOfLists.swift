// SPDX-License-Identifier: MIT
// A client of every public symbol of lists: a data source in sections, cells with controllers, and rows that load.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncStateLists
import AsyncState

nonisolated struct Bird: Identifiable, Hashable, Sendable {
  var id: Int
  var name = ""
}

nonisolated struct Aviary: Sendable {
  func portrait(of bird: Bird) async throws -> String { bird.name }
}

/// A controller in a cell.
@MainActor
final class BirdController: @MainActor ReusableController {
  private(set) var text = ""
  private var portrait: LoadTask<String>?

  func configure(with model: Bird) { text = model.name }
  func prepareForReuse() { text = "" }
  func cancelLoad() { portrait?.cancel() }
}

final class PlainController: ReusableController {
  private(set) var text = ""

  func configure(with model: Bird) { text = model.name }
  func prepareForReuse() { text = "" }
}

@MainActor
final class Cell {
  let bird = CellHost { BirdController() }
  let portrait = CellHost(cancelsLoadWhenHidden: true) {
    LoadingRow { (bird: Bird) in try await Aviary().portrait(of: bird) }
  }

  private let aviary = Aviary()
  private var shown: String?
  private(set) lazy var delayed = CellHost(cancelsLoadWhenHidden: true) { [weak self, aviary] in
    LoadingRow { (bird: Bird) in
      let portrait = try await aviary.portrait(of: bird)
      self?.shown = portrait
      return portrait
    }
  }
  let plain = CellHost { PlainController() }

  /// Whatever it displays.
  var displays: [any CellDisplay] { [bird, portrait] }
}

@MainActor
final class BirdList {
  private let birds = Input([Bird(id: 1)])
  private var token: ObservedToken?

  private lazy var source = ListDataSource(
    sections: birds.map { [ListSection(id: "birds", items: $0)] },
    dequeue: { _ in Cell() },
    configure: { cell, bird in
      cell.bird.configure(with: bird)
      cell.portrait.configure(with: bird)
    })

  func appear() {
    token = source.observeChanges { [unowned self] change in animate(change) }
  }

  /// The change says what becomes of each row.
  private func animate(_ change: ListChange) {
    guard change.apply() else { return print(change.description) }
    print(change.removals, change.insertions, change.removedSections, change.insertedSections)
    let moves: [ListChange.Places] = change.moves + change.updates
    for places in moves { print(places.from.row, places.to.row) }
  }

  func willDisplay(_ cell: Cell, animated: Bool) {
    for display in cell.displays {
      if animated { display.willDisplay(animated: true) } else { display.willDisplay() }
    }
  }

  func didEndDisplaying(_ cell: Cell, animated: Bool) {
    for display in cell.displays {
      if animated { display.didEndDisplaying(animated: true) } else { display.didEndDisplaying() }
      display.prepareForReuse()
    }
  }

  var text: String { source.description }

  func cell(at path: ListPath) -> Cell {
    let bird = source.item(at: path)
    return source.cell(of: bird.id, at: path) ?? source.cell(at: path)
  }

  var titles: [String] {
    source.sections.map { "\($0.id): \($0.items.count), \($0.description)" }
  }
}

/// A list without sections.
@MainActor
func makeList(of pages: AsyncResource<Paged<Bird, Int>>, placeholder: Bird) -> [Cell] {
  let birds = pages.observed.map { $0.value?.items ?? [] }
  let source = ListDataSource(items: birds, dequeue: { _ in Cell() }, configure: { $0.bird.configure(with: $1) })
  let fixed = ListDataSource(
    items: .constant([placeholder]), dequeue: { _ in Cell() }, configure: { $0.bird.configure(with: $1) })
  return (0..<source.count).map { row in source.item(at: row).id == 0 ? fixed.cell(at: 0) : source.cell(at: row) }
}

@MainActor
func rest(of cell: Cell, from path: ListPath) -> [ListPath] {
  cell.bird.willDisplay(animated: false)
  cell.bird.didEndDisplaying(animated: false)
  cell.bird.prepareForReuse()
  print(cell.bird.controller?.text ?? "", cell.bird.description)
  var next = ListPath(section: path.section, row: path.row + 1)
  next.section += 1
  next.row = 0
  var section = ListSection(id: "rest", items: [Bird(id: 2)])
  section.id = "last"
  section.items.removeAll()
  return path < next ? [path, next] : [ListPath(row: 0)].filter { $0.description.isEmpty }
}

/// A view that updates itself, and not inside its own calls.
@MainActor
func follow(_ source: ListDataSource<Bird, Cell>, update: @escaping @MainActor () -> Void) -> ObservedToken {
  source.inCall { print(source.count) }
  return source.observeChanges { change in
    guard change.isInCall else { return update() }
    Task { @MainActor in if !change.isOutdated { update() } }
  }
}

/// A row on its own.
@MainActor
final class Portrait {
  private let row = LoadingRow<Bird, String>(options: LoadOptions(retry: .exponential())) { bird in
    try await Aviary().portrait(of: bird)
  }

  func display(_ bird: Bird) -> String {
    row.configure(with: bird)
    row.willAppear(animated: false)
    return "\(row.model?.name ?? "") \(row.data.value ?? "") \(row.resource.isRunning) \(row.description)"
  }

  func hide() {
    row.cancelLoad()
    row.prepareForReuse()
  }
}

actor Catalogue {
  private let aviary = Aviary()
  private lazy var row = LoadingRow<Bird, String>(isolation: self) { [aviary] in try await aviary.portrait(of: $0) }

  func display(_ bird: Bird) { row.configure(with: bird) }
}
