// SPDX-License-Identifier: MIT
// The checks of arriving pages. A page whose next cursor is its own, or that follows too many empty pages, is the last
// one, because pages would be requested for ever.

extension Paged.Page {
  /// The cursor of the page beyond this one, at an edge.
  subscript(edge: PageEdge) -> Cursor? {
    get {
      switch edge {
      case .next: next
      case .previous: previous
      }
    }
    set {
      switch edge {
      case .next: next = newValue
      case .previous: previous = newValue
      }
    }
  }

  /// Returns this page. It is the last one if its cursor at the edge equals the one that it was requested with.
  ///
  /// Cursors are compared only if they are `Equatable`, and objects are not compared by identity: a cursor object may
  /// have moved to the next page.
  func ending(whereRequestedAt cursor: Cursor?, at edge: PageEdge) -> Self {
    guard let cursor, let further = self[edge], Sameness.found(by: cursor).areEqual(cursor, further) else {
      return self
    }
    var last = self
    last[edge] = nil
    warnOfStandingCursor(cursor)
    return last
  }

  private func warnOfStandingCursor(_ cursor: Cursor) {
    AsyncStateWarnings.warn(
      """
      AsyncState: the page at the cursor \(cursor) names the same cursor as that of the page behind it, so it is taken \
      as the last one: the same page would be requested for ever. A page says where the page behind it begins, and nil \
      at the end of the list.
      """)
  }

  /// Returns this page as the last one, because it is the eleventh page without items in a row.
  func endingAfterEmptyPages(at edge: PageEdge) -> Self {
    var last = self
    last[edge] = nil
    AsyncStateWarnings.warn(
      """
      AsyncState: eleven pages in a row have no items, and each says that there is another one, so the last of them is \
      taken as the end of the list. A page says nil where the list ends.
      """)
    return last
  }
}
