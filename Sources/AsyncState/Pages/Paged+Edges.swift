// SPDX-License-Identifier: MIT

extension Paged {
  /// Whether a row is so near to the end that the next page should be there.
  ///
  /// - Parameters:
  ///   - index: The row.
  ///   - threshold: The number of rows before the end from which on the page is requested. Less than zero is zero.
  /// - Returns: True for the last `threshold` rows while there is a next cursor, and whenever there is one and no row
  ///   yet.
  public func wantsNextPage(displaying index: Int, threshold: Int = 3) -> Bool {
    next != nil && isNear(.next, index, threshold)
  }

  /// Whether a row is so near to the beginning that the previous page should be there.
  ///
  /// - Parameters:
  ///   - index: The row.
  ///   - threshold: The number of rows from the beginning up to which the page is requested. Less than zero is zero.
  /// - Returns: True for the first `threshold` rows while there is a previous cursor, and whenever there is one and no
  ///   row yet.
  public func wantsPreviousPage(displaying index: Int, threshold: Int = 3) -> Bool {
    previous != nil && isNear(.previous, index, threshold)
  }

  /// Whether a row is near an edge, or there is no row yet.
  func isNear(_ edge: PageEdge, _ index: Int, _ threshold: Int) -> Bool {
    switch edge {
    case .next: items.isEmpty || index >= items.count - max(threshold, 0)
    case .previous: items.isEmpty || index < max(threshold, 0)
    }
  }
}
