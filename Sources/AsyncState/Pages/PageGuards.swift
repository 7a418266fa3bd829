// SPDX-License-Identifier: MIT
// Pages that are not taken as they are: of a list that ends though its server says that there is more, as otherwise pages
// would be requested for ever; and of a list that is there no more, which would have a hole.

extension Paged.Page {
  /// The cursor of the page behind this one.
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

  /// This page, as the last one if it names the cursor that it was requested with as that of the page behind it.
  ///
  /// Cursors are compared where they are `Equatable`. An object that is its own next cursor may have moved on.
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
    #if DEBUG
      print(
        """
        AsyncState: the page at the cursor \(cursor) names the same cursor as that of the page behind it, so it is taken \
        as the last one: the same page would be requested for ever. A page says where the page behind it begins, and nil \
        at the end of the list.
        """)
    #endif
  }

  /// The page behind the last of eleven pages without items: the list ends here.
  func endingAfterEmptyPages(at edge: PageEdge) -> Self {
    var last = self
    last[edge] = nil
    #if DEBUG
      print(
        """
        AsyncState: eleven pages in a row have no items, and each says that there is another one, so the last of them is \
        taken as the end of the list. A page says nil where the list ends.
        """)
    #endif
    return last
  }
}

extension Paged {
  /// Whether the page that was requested with a cursor is the one behind an edge of this list.
  ///
  /// - Parameter isReplaced: A whole list has taken the place of the one that it was requested for. That decides where cursors
  ///   cannot be compared.
  func ends(at cursor: Cursor, _ edge: PageEdge, isReplaced: Bool) -> Bool {
    guard let current = self.cursor(at: edge) else { return false }
    let sameness = Sameness.found(by: cursor)
    return sameness.areEqual(cursor, cursor) ? sameness.areEqual(cursor, current) : !isReplaced
  }
}
