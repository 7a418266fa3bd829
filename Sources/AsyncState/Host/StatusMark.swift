// SPDX-License-Identifier: MIT
/// A status without its value and error: enough to see whether another one is news for a display.
struct StatusMark {
  let kind: AsyncStatusKind
  /// The numbers of writes of value and error when it was determined.
  var revision: DataRevision
  /// It is loading because a request follows, which has not begun.
  var isExpected = false

  var isLoading: Bool { kind == .loading }

  /// It is what a request has brought. Idle data and data whose request waits at a gate have no answer.
  var isAnswer: Bool {
    switch kind {
    case .data, .noData, .error: true
    case .loading, .idle, .waiting: false
    }
  }

  /// Whether it may stay displayed for a while when another status is wanted. What belongs to a former key must not;
  /// idle data belongs to none.
  func mayStay(with next: StatusMark) -> Bool { kind == .idle || revision.key == next.revision.key }

  /// Whether the kind changed, or the value or error on display was written again.
  func isNews(after former: StatusMark) -> Bool {
    guard kind == former.kind else { return true }
    switch kind {
    case .data: return revision.display != former.revision.display
    case .error: return revision.error != former.revision.error
    case .loading, .noData, .idle, .waiting: return false
    }
  }
}
