// SPDX-License-Identifier: MIT
/// An end of a list that is loaded in pages.
@usableFromInline
package enum PageEdge: CaseIterable, Sendable {
  case next
  case previous
}

extension PageEdge {
  var opposite: PageEdge {
    switch self {
    case .next: .previous
    case .previous: .next
    }
  }
}
