// SPDX-License-Identifier: MIT
/// Everything of a snapshot except the value. `DataEvent` has the effect of each event on it.
@usableFromInline
package struct SnapshotContext: Sendable {
  // In this order they take the least room.
  var error: (any Error)?
  var activity: LoadActivity?
  /// The errors of the last page requests; nil when none has failed.
  var pageErrors: PageErrors?
  /// True if the error is the one of a refresh. Meaningless without an error.
  var isRefreshError = false
  var origin: ValueOrigin
  var validity = Validity.valid

  init(_ origin: ValueOrigin = .nothing(.notYet)) {
    self.origin = origin
  }

  var isValueSet: Bool { origin.isValueSet }
  var isProvisional: Bool { origin.isProvisional }
  var isUntouched: Bool { origin.isUntouched }
  var isRequestExpected: Bool { origin.isRequestExpected }

  /// The parts that may be released when they are replaced. The deinit of an error's object is user code.
  var objects: Objects { (error, activity?.details, pageErrors) }

  typealias Objects = (error: (any Error)?, details: LoadActivity.Details?, pages: PageErrors?)

  /// The parts that a status depends on, besides the value.
  @usableFromInline var statusParts: StatusParts {
    StatusParts(
      error: error, isRefreshError: isRefreshError, mode: load?.mode, isWaiting: load?.isWaiting == true,
      isValueSet: isValueSet, isUntouched: isUntouched, isRequestExpected: isRequestExpected)
  }

  /// The running load of the whole value; nil also while a page is loaded.
  var load: LoadActivity? { activity?.edge == nil ? activity : nil }

  var isRunning: Bool { load != nil }

  /// True if a request follows, and has not begun.
  var awaitsRequest: Bool { isRequestExpected && activity == nil }

  var isSettled: Bool { isValueSet || error != nil }

  @usableFromInline
  var isLoading: Bool { load != nil || (origin.awaitsFirstRequest && error == nil) }

  /// The page request at one edge.
  subscript(page edge: PageEdge) -> PageState {
    let activity = activity?.edge == edge ? activity : nil
    return PageState(
      isRunning: activity != nil, isWaiting: activity?.isWaiting == true,
      error: edge == .next ? pageErrors?.next : pageErrors?.previous)
  }

  /// True while the whole value or a further page is requested.
  var isRequesting: Bool { activity != nil }

  mutating func setPageError(_ error: (any Error)?, at edge: PageEdge) {
    pageErrors = PageErrors.boxed(
      next: edge == .next ? error : pageErrors?.next, previous: edge == .previous ? error : pageErrors?.previous)
  }
}

/// The mark of an invalidation.
enum Validity: Sendable {
  /// It was not invalidated.
  case valid
  /// It was invalidated. The next load that succeeds clears the mark.
  case invalidated
  /// It was invalidated after the current load had begun. The answer of that load may be older, so it does not clear the mark.
  case invalidatedDuringLoad
}

/// The parts of a snapshot that a status depends on, besides the value.
@usableFromInline
struct StatusParts {
  @usableFromInline let error: (any Error)?
  @usableFromInline let isRefreshError: Bool
  @usableFromInline let mode: LoadMode?
  @usableFromInline let isWaiting: Bool
  @usableFromInline let isValueSet: Bool
  @usableFromInline let isUntouched: Bool
  @usableFromInline let isRequestExpected: Bool
}
