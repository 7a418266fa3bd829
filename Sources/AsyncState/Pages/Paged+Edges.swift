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
}
