// SPDX-License-Identifier: MIT

extension Paged {
  func cursor(at edge: PageEdge) -> Cursor? {
    switch edge {
    case .next: next
    case .previous: previous
    }
  }

  /// True if a row is near an edge, or the list has no rows.
  func isNear(_ edge: PageEdge, _ index: Int, _ threshold: Int) -> Bool {
    switch edge {
    case .next: items.isEmpty || index >= items.count - threshold
    case .previous: items.isEmpty || index < threshold
    }
  }

  /// True if the rows of the page at an edge are as in the page: no change alters or removes one.
  func hasRows(of page: Page, at edge: PageEdge) -> Bool {
    let areEqual = sameness(of: Item.self)
    guard ItemIdentity<Item>.known == nil else {
      return page.items.allSatisfy { item in index(ofSameAs: item).map { areEqual(items[$0], item) } ?? false }
    }
    let rows = edge == .next ? items.dropLast(beyond.last).suffix(page.items.count) : items.dropFirst(beyond.first)
    return rows.count >= page.items.count && zip(rows, page.items).allSatisfy(areEqual)
  }
}
