// SPDX-License-Identifier: MIT

extension Paged {
  /// Whether the next page should be requested now.
  ///
  /// - Parameters:
  ///   - index: The row that is about to be displayed.
  ///   - threshold: The number of rows before the end from which on the page is requested. Less than zero is zero.
  /// - Returns: True for the last `threshold` rows while there is a next cursor, and whenever there is one and no row
  ///   yet.
  public func wantsNextPage(displaying index: Int, threshold: Int = 3) -> Bool {
    next != nil && (items.isEmpty || index >= items.count - max(threshold, 0))
  }

  /// Whether the previous page should be requested now.
  ///
  /// - Parameters:
  ///   - index: The row that is about to be displayed.
  ///   - threshold: The number of rows from the beginning up to which the page is requested. Less than zero is zero.
  /// - Returns: True for the first `threshold` rows while there is a previous cursor, and whenever there is one and no
  ///   row yet.
  public func wantsPreviousPage(displaying index: Int, threshold: Int = 3) -> Bool {
    previous != nil && (items.isEmpty || index < max(threshold, 0))
  }

  /// Whether the page at an edge should be requested now.
  func wants(_ edge: PageEdge, _ index: Int, _ threshold: Int) -> Bool {
    switch edge {
    case .next: wantsNextPage(displaying: index, threshold: threshold)
    case .previous: wantsPreviousPage(displaying: index, threshold: threshold)
    }
  }
}
