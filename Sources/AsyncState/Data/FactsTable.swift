// The table of causes, one row a method: what each cause makes of a snapshot. All of it is pure; `AsyncData` decides
// when a cause takes effect, and notifies. The contract, section 2, has the same rows in the same order.

extension AsyncSnapshot {
  /// A value was set: an answer by hand.
  @inlinable
  mutating func set(_ newValue: Value?) {
    value = newValue
    isValueSet = true
    isProvisional = false
    error = nil
    activity = nil
    validity = .valid
    pages = nil
  }

  /// An error was set by hand, or removed. Only an error ends the running load.
  @inlinable
  mutating func set(_ newError: (any Error)?) {
    error = newError
    if newError != nil { endAll() }
  }

  /// Everything is removed except the seed.
  @inlinable
  mutating func reset(to seed: Value?) {
    self = AsyncSnapshot(value: seed, isValueSet: false)
  }

  /// The value is out of date from now on.
  @inlinable
  mutating func invalidate() {
    validity = activity == nil ? .invalidated : .invalidatedDuringLoad
  }

  /// A load starts. It is newer than any invalidation before it. What a superseded reload has hidden stays hidden.
  @inlinable
  mutating func begin(_ newActivity: LoadActivity) {
    let isHiding = activity?.mode == .reload
    endAll()
    activity = newActivity
    if isHiding { activity?.mode = .reload }
  }

  /// The running load has a first or a partial answer. From now on there is something that must not be hidden.
  @inlinable
  mutating func yield(_ newValue: Value?) {
    value = newValue
    isValueSet = true
    isProvisional = true
    error = nil
    activity?.mode = .refresh
  }

  /// The running load has answered. It clears an invalidation that is older than the load.
  @inlinable
  mutating func succeed(with newValue: Value?) {
    let isTooOld = validity == .invalidatedDuringLoad
    set(newValue)
    if isTooOld { validity = .invalidated }
  }

  /// The running load has failed.
  @inlinable
  mutating func fail(with newError: any Error) {
    error = newError
    end()
  }

  /// The running load is over, and everything that it owned is removed.
  @inlinable
  mutating func end() {
    activity = nil
    if validity == .invalidatedDuringLoad { validity = .invalidated }
  }

  /// The running load and the page requests are over.
  @inlinable
  mutating func endAll() {
    end()
    if let pages { self.pages = pages.ended }
  }

  // MARK: Page requests

  /// A page request starts at an edge.
  mutating func beginPage(at edge: PageEdge) {
    setPage(PageState(isRunning: true, error: page(at: edge).error), at: edge)
  }

  /// A page arrived, and the value has it.
  mutating func succeedPage(at edge: PageEdge, with newValue: Value?) {
    value = newValue
    setPage(PageState(), at: edge)
  }

  mutating func failPage(at edge: PageEdge, with error: any Error) {
    setPage(PageState(error: error), at: edge)
  }

  mutating func cancelPage(at edge: PageEdge) {
    setPage(PageState(error: page(at: edge).error), at: edge)
  }

  private func page(at edge: PageEdge) -> PageState {
    switch edge {
    case .next: nextPage
    case .previous: previousPage
    }
  }

  private mutating func setPage(_ page: PageState, at edge: PageEdge) {
    pages =
      switch edge {
      case .next: PageStates.boxed(next: page, previous: previousPage)
      case .previous: PageStates.boxed(next: nextPage, previous: page)
      }
  }
}
