// SPDX-License-Identifier: MIT
/// Everything of a snapshot except the value. `DataEvent` says what each cause makes of it.
@usableFromInline
package struct SnapshotContext: Sendable {
  var error: (any Error)?
  /// The error is the one of a refresh. Meaningless without an error.
  var isRefreshError = false
  var activity: LoadActivity?
  /// Nothing was requested or written since the data was created or reset.
  var isUntouched = true
  /// A request follows by itself: the key has changed. Meaningless unless untouched.
  var isRequestExpected = false
  var isValueSet = false
  var isProvisional: Bool
  var validity = Validity.valid
  /// The page requests at both edges; nil when none runs and none has failed.
  var pages: PageStates?

  /// - Parameter isProvisional: Whether it is the context of a seed.
  init(isProvisional: Bool = false) {
    self.isProvisional = isProvisional
  }

  /// The parts that may be released when they are replaced. The deinit of an error's object is user code.
  var objects: Objects { (error, activity?.details, pages) }

  typealias Objects = (error: (any Error)?, details: LoadActivity.Details?, pages: PageStates?)

  /// The parts that a status depends on, besides the value.
  @usableFromInline var statusParts: StatusParts {
    StatusParts(
      error: error, isRefreshError: isRefreshError, mode: activity?.mode, isWaiting: activity?.isWaiting == true,
      isValueSet: isValueSet, isUntouched: isUntouched, isRequestExpected: isRequestExpected)
  }

  var isRunning: Bool { activity != nil }

  /// A request follows, and has not begun.
  var awaitsRequest: Bool { isUntouched && isRequestExpected && activity == nil }

  var isSettled: Bool { isValueSet || error != nil }

  @usableFromInline
  func isLoading(hasValue: Bool) -> Bool { activity != nil || (isUntouched && !isSettled && !hasValue) }

  /// The page requests at one edge.
  subscript(page edge: PageEdge) -> PageState {
    get {
      switch edge {
      case .next: pages?.next ?? PageState()
      case .previous: pages?.previous ?? PageState()
      }
    }
    set {
      pages =
        switch edge {
        case .next: PageStates.boxed(next: newValue, previous: self[page: .previous])
        case .previous: PageStates.boxed(next: self[page: .next], previous: newValue)
        }
    }
  }

  var isRequestingPage: Bool { self[page: .next].isRunning || self[page: .previous].isRunning }
}

/// Whether the data was invalidated.
enum Validity: Sendable {
  /// They were not.
  case valid
  /// They were. The next load that succeeds makes them valid again.
  case invalidated
  /// They were while the current load runs. Its answer may be older than that, so it does not make them valid.
  case invalidatedDuringLoad
}
