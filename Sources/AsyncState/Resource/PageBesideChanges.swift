// SPDX-License-Identifier: MIT
// A page that was perhaps made before changes that have ended since it was requested, and a page below changes that are not
// decided (3.12, 3.19).
//
// A change is applied to a list that has the page, and not to the page alone: it may name a row by its index.

extension AsyncData {
  /// The page as an answer would be displayed: changes that were made since it was requested are applied to its rows again. If one
  /// of these changes, or one that was perhaps made, concerns a row of the page, the list is in doubt.
  ///
  /// - Parameter isOfAll: True if the page is made of the list so far, so that every change of the list concerns it.
  /// - Returns: The page, and the number of the first change that concerns it; nil: none does.
  func updated<Item, Cursor>(
    _ page: Value.Page, requestedAt cursor: Cursor, _ edge: PageEdge, isOfAll: Bool
  ) -> (page: Value.Page, doubted: Int?) where Value == Paged<Item, Cursor> {
    guard let since = knownChanges?.sincePage else { return (page, nil) }
    return computing {
      let before = since.before.confirmedValue
      // Another list may have taken its place, and the page may extend that as well.
      let isExtended = before?.ends(at: cursor, edge, isReplaced: false) == true
      guard var list = isExtended ? before : valueBelowChanges else { return (page, since.ended.first?.number) }
      list.add(page, at: edge)
      var rows = list.rows(of: page, at: edge)
      var doubted: Int?
      for change in since.ended {
        var changed = list
        change.patch?(&changed)
        let after = changed.rows(of: page, at: edge)
        if isOfAll || change.patch == nil || !areEqual(rows, after) { doubted = doubted ?? change.number }
        // One that sets a whole list, made before the page, says nothing of the rows of the page.
        if change.isMade, changed.pageCount == list.pageCount { (list, rows) = (changed, after) }
      }
      var updated = page
      // Of rows without identity it is not known which are those of the page.
      if ItemIdentity<Item>.known != nil, doubted != nil { updated.items = rows }
      return (updated, doubted)
    }
  }

  /// The undecided changes that leave the rows of a page as they are: the page is no reason to doubt them. Confirmed changes lie
  /// below them from now on, so there are none if that would be visible.
  ///
  /// - Parameter list: The confirmed list, with the page.
  func commits<Item, Cursor>(
    leaving page: Value.Page, at edge: PageEdge, of list: Value, in patches: Patches<Value>
  ) -> [Commit] where Value == Paged<Item, Cursor> {
    if patches.order.hasConfirmed {
      var lowered = patches
      lowered.lowerConfirmed(patches.confirmedValue)
      if !isEqual(lowered.value, patches.value) { return [] }
    }
    var (list, rows) = (list, list.rows(of: page, at: edge))
    return patches.order.undecided.filter { entry in
      patches.patch(of: entry)(&list)
      let former = rows
      rows = list.rows(of: page, at: edge)
      return areEqual(former, rows)
    }.map(\.commit)
  }

  private func areEqual<Item, Cursor>(_ first: [Item], _ second: [Item]) -> Bool where Value == Paged<Item, Cursor> {
    isEqual(Paged(first: .init(items: first)), Paged(first: .init(items: second)))
  }
}

extension Paged {
  /// The rows of a page as this list has them; rows without identity are the outermost ones.
  fileprivate func rows(of page: Page, at edge: PageEdge) -> [Item] {
    guard ItemIdentity<Item>.known == nil else {
      return page.items.compactMap { item in index(ofSameAs: item).map { items[$0] } }
    }
    return Array(edge == .next ? items.suffix(page.items.count) : items.prefix(page.items.count))
  }
}
