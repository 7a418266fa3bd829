// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateLists
import AsyncState

/// Which rows of a list are in view, and which one is selected.
struct Viewport: Equatable {
  /// How many rows the list has.
  private(set) var count: Int
  /// How many of them there is room for.
  private(set) var height: Int
  /// The selected row; 0 also where there is none.
  private(set) var selection = 0
  private var top = 0

  init(count: Int, height: Int, selection: Int = 0) {
    self.count = count
    self.height = height
    select(selection)
  }

  /// The rows in view.
  var visible: Range<Int> { top..<min(top + max(height, 0), count) }

  /// Selects a row, or the nearest that there is, and brings it into view.
  mutating func select(_ index: Int) {
    selection = min(max(index, 0), max(count - 1, 0))
    let lowestTop = max(count - height, 0)
    top = min(max(top, selection - height + 1), selection, lowestTop)
  }

  /// There is room for so many rows now.
  mutating func resize(height: Int) {
    self.height = height
    select(selection)
  }

  /// The list has changed. The selected row stays selected and where it is on the screen, if it is still there.
  mutating func apply(_ change: ListChange) {
    let former = selection
    let move = change.moves.first { $0.from.row == former }
    let isSelectionKept = count > 0 && move == nil && !change.removals.contains { $0.row == former }
    // Removals and sources of moves are rows of the former list, insertions and targets rows of the new one.
    let departures = change.removals.map(\.row) + change.moves.map(\.from.row)
    let arrivals = (change.insertions.map(\.row) + change.moves.map(\.to.row)).sorted()
    var index = former - departures.count { $0 < former }
    for arrival in arrivals where arrival < index + (isSelectionKept ? 1 : 0) { index += 1 }
    if let move { index = move.to.row }
    count += arrivals.count - departures.count
    top = max(top + index - former, 0)
    select(index)
  }
}
#endif
