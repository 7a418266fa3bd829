// SPDX-License-Identifier: MIT
/// A status without its value and error: enough to decide whether another one must be displayed.
struct StatusMark {
  let kind: AsyncStatusKind
  /// The numbers of writes of value and error when it was determined.
  var revision: DataRevision
  /// True if it is loading because a request follows that has not begun.
  var isExpected = false
  /// False if it must not stay when a request begins, though it is idle: the screen was away since.
  var mayStayIdle = true

  var isLoading: Bool { kind == .loading }

  /// True if it is the outcome of a request, an error included. Idle data and data whose request waits at a gate have none.
  var isOutcome: Bool {
    switch kind {
    case .data, .noData, .error: true
    case .loading, .idle, .waiting: false
    }
  }

  /// True if it may stay displayed for a while when another status is wanted. A status of a previous key must not; idle data
  /// belongs to no key.
  func mayStay(with next: StatusMark) -> Bool {
    kind == .idle ? mayStayIdle : revision.key == next.revision.key
  }

  /// True if the kind changed, or the displayed value or error was written again.
  func isNews(after former: StatusMark) -> Bool {
    guard kind == former.kind else { return true }
    switch kind {
    case .data: return revision.display != former.revision.display
    case .error: return revision.error != former.revision.error
    case .loading, .noData, .idle, .waiting: return false
    }
  }
}
