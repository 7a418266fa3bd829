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
  mutating func apply(_ difference: CollectionDifference<some Any>) {
    let isSelectionKept = count > 0 && !difference.removals.contains { $0.offset == selection }
    // Removals count in the old list, insertions in the new one.
    var index = selection - difference.removals.count { $0.offset < selection }
    for insertion in difference.insertions where insertion.offset < index + (isSelectionKept ? 1 : 0) { index += 1 }
    count += difference.insertions.count - difference.removals.count
    top = max(top + index - selection, 0)
    select(index)
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
