/// Everything of a snapshot except the value, and what each cause makes of it: section 2 of the contract has the same
/// rows in the same order.
///
/// Nothing here depends on the type of the value, and all of it is pure: `AsyncData` decides whether a cause counts.
@usableFromInline
struct SnapshotContext: Sendable {
  var error: (any Error)?
  /// The error is the one of a refresh. Meaningless without an error.
  var isRefreshError = false
  var activity: LoadActivity?
  /// Nothing was requested or written since the data was created or reset.
  var isUntouched = true
  var isValueSet = false
  var isProvisional: Bool
  var validity = Validity.valid
  /// The page requests at both edges; nil when none runs and none has failed.
  var pages: PageStates?

  /// - Parameter isProvisional: Whether it is the context of a seed.
  init(isProvisional: Bool = false) {
    self.isProvisional = isProvisional
  }

  /// What may be released when it is replaced. The deinit of an error's object is user code.
  var objects: ((any Error)?, LoadActivity.Details?, PageStates?) { (error, activity?.details, pages) }

  /// What a status depends on, besides the value.
  @usableFromInline var statusParts: StatusParts {
    StatusParts(
      error: error, isRefreshError: isRefreshError, mode: activity?.mode, isValueSet: isValueSet,
      isUntouched: isUntouched)
  }

  var isRunning: Bool { activity != nil }

  var isSettled: Bool { isValueSet || error != nil }

  @usableFromInline
  func isLoading(hasValue: Bool) -> Bool { activity != nil || (isUntouched && !isSettled && !hasValue) }

  // MARK: Values and errors

  /// A value was set: an answer by hand.
  mutating func answer() {
    self = SnapshotContext()
    isValueSet = true
    isUntouched = false
  }

  /// An error was set by hand, or removed. Only an error ends the running load.
  mutating func set(_ newError: (any Error)?) {
    error = newError
    isRefreshError = false
    isUntouched = false
    if newError != nil { endAll() }
  }

  /// The value is out of date from now on.
  mutating func invalidate() {
    validity = activity == nil ? .invalidated : .invalidatedDuringLoad
  }

  // MARK: Loads

  /// A load starts. It is newer than any invalidation before it. What a superseded reload has hidden stays hidden.
  mutating func begin(_ newActivity: LoadActivity) {
    let isHiding = activity?.mode == .reload
    endAll()
    isUntouched = false
    activity = newActivity
    if isHiding { activity?.mode = .reload }
  }

  /// The running load has a first or a partial answer. From now on there is something that must not be hidden.
  mutating func yield() {
    isValueSet = true
    isProvisional = true
    error = nil
    activity?.mode = .refresh
  }

  /// The running load has answered. It clears an invalidation that is older than the load.
  mutating func succeed() {
    let isTooOld = validity == .invalidatedDuringLoad
    answer()
    if isTooOld { validity = .invalidated }
  }

  /// The running load has failed.
  mutating func fail(with newError: any Error) {
    error = newError
    isRefreshError = activity?.mode == .refresh
    end()
  }

  /// The running load is over, and everything that it owned is removed.
  mutating func end() {
    activity = nil
    if validity == .invalidatedDuringLoad { validity = .invalidated }
  }

  /// The running load and the page requests are over.
  mutating func endAll() {
    end()
    if let pages { self.pages = pages.ended }
  }

  // MARK: Page requests

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

  /// A page request starts at an edge. The error of the one before it is removed.
  mutating func beginPage(at edge: PageEdge) {
    self[page: edge] = PageState(isRunning: true)
  }

  /// A page arrived, and the value contains it.
  mutating func succeedPage(at edge: PageEdge) {
    self[page: edge] = PageState()
  }

  mutating func failPage(at edge: PageEdge, with error: any Error) {
    self[page: edge] = PageState(error: error)
  }

  mutating func cancelPage(at edge: PageEdge) {
    self[page: edge].isRunning = false
  }
}

/// Whether the data were invalidated.
enum Validity: Sendable {
  /// They were not.
  case valid
  /// They were. The next load that succeeds makes them valid again.
  case invalidated
  /// They were while the current load runs. Its answer may be older than that, so it does not make them valid.
  case invalidatedDuringLoad
}
