extension Paged {
  /// Whether it is time to ask for the next page.
  ///
  /// - Parameters:
  ///   - index: A row that comes into view.
  ///   - threshold: How many rows before the end to ask. Less than zero is zero.
  /// - Returns: True for the last `threshold` rows while there is a next cursor, and whenever there is one and no row
  ///   yet.
  public func wantsNextPage(displaying index: Int, threshold: Int = 3) -> Bool {
    next != nil && (items.isEmpty || index >= items.count - max(threshold, 0))
  }
}
