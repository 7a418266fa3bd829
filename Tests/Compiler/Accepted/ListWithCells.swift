// SPDX-License-Identifier: MIT
// A list of the main actor's: a data source over pages, and a controller in each cell.

import AsyncStateLists
import AsyncState

@MainActor
final class Cell {
  let host = CellHost { RowController() }
}

final class RowController: ReusableController {
  private(set) var text = ""

  func configure(with model: String) { text = model }
  func prepareForReuse() { text = "" }
}

struct Portraits: Sendable {
  func portrait(of bird: String) async throws -> String { bird }
}

@MainActor
final class LoadingCell {
  private let portraits = Portraits()
  private var shown: String?

  let stored = CellHost(cancelsLoadWhenHidden: true) {
    LoadingRow { (bird: String) in try await Portraits().portrait(of: bird) }
  }
  private(set) lazy var delayed = CellHost(cancelsLoadWhenHidden: true) { [weak self, portraits] in
    LoadingRow { (bird: String) in
      let portrait = try await portraits.portrait(of: bird)
      self?.shown = portrait
      return portrait
    }
  }
  let row = LoadingRow { (bird: String) in try await Portraits().portrait(of: bird) }
}

@MainActor
final class ListScreen {
  private let pages = AsyncResource<Paged<String, Int>>(
    .pages { page in Paged.Page(items: ["row \(page.cursor ?? 1)"], next: 2) })
  private var token: ObservedToken?

  private lazy var source = ListDataSource(
    items: pages.observed.map { $0.value?.items ?? [] },
    dequeue: { _ in Cell() },
    configure: { cell, item in cell.host.configure(with: item) })

  func appear() async {
    token = source.observeChanges { change in if change.apply() { print(change.insertions.count) } }
    await pages.load()
  }

  func show(_ index: Int) async {
    let cell = source.cell(at: index)
    cell.host.willDisplay()
    guard let count = pages.value?.items.count, index >= count - 3 else { return }
    await pages.loadNext()
  }

  func hide(_ cell: Cell) {
    cell.host.prepareForReuse()
  }
}
