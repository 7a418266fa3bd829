// SPDX-License-Identifier: MIT

extension Paged {
  /// Decides whether a displayed row requires the next page.
  /// [8.4](<doc:Contract-Pages#8.4-Next-and-previous-pages>)
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - threshold: The number of rows at the end that want the page. A negative number counts as zero.
  /// - Returns: True for the last `threshold` rows, and for every index in a list without rows, if there is a next
  ///   cursor.
  public func wantsNextPage(displaying index: Int, threshold: Int = 3) -> Bool {
    next != nil && isNear(.next, index, threshold)
  }

  /// Decides whether a displayed row requires the previous page.
  /// [8.4](<doc:Contract-Pages#8.4-Next-and-previous-pages>)
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - threshold: The number of rows at the beginning that want the page. A negative number counts as zero.
  /// - Returns: True for the first `threshold` rows, and for every index in a list without rows, if there is a previous
  ///   cursor.
  public func wantsPreviousPage(displaying index: Int, threshold: Int = 3) -> Bool {
    previous != nil && isNear(.previous, index, threshold)
  }

  /// True if a row is near an edge, or the list has no rows.
  func isNear(_ edge: PageEdge, _ index: Int, _ threshold: Int) -> Bool {
    switch edge {
    case .next: items.isEmpty || index >= items.count - max(threshold, 0)
    case .previous: items.isEmpty || index < max(threshold, 0)
    }
  }
}
