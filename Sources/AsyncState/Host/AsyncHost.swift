// SPDX-License-Identifier: MIT
public import Observation

/// Displays data: its status decides about the container's children, or a presenter displays it.
///
/// ```swift
/// let host = AsyncHost(articles) { status in
///   switch status {
///   case .loading: return [spinner]
///   case .error(let error): return [Message("\(error)")]
///   case .noData: return [Message("Nothing here")]
///   case .idle: return [Retry()]
///   case .waiting: return [Message("Waiting for a network")]
///   case .data(let articles):
///     list.display(articles)  // One list for all values: it keeps its scroll position.
///     return [list]
///   }
/// }
/// host.start()
/// ```
///
/// Creating a host requests nothing and creates no child: ``start(when:isolation:)`` does both. The owner forwards the four
/// life-cycle calls; a host is a ``ChildController``, so a container can be that owner. Any number of hosts may display the
/// same data. `data.delegate` and `container.delegate` are the user's.
///
/// A host belongs to the actor that created it, and does not keep it alive.
public final class AsyncHost<Value>: Observable {
  /// The data that is displayed.
  public let data: AsyncData<Value>

  /// The container of the children. Its state is the status that is displayed.
  public let container: StateContainer<AsyncStatus<Value>>

  /// Displays each status, together with children or in their place. Held weakly.
  ///
  /// One that is set after a status was displayed displays it at once, not animated.
  public var presenter: (any AsyncStatusPresenter<Value>)? {
    get { shown.presenter }
    set {
      shown.presenter = newValue
      guard let newValue else { return }
      shown.expectsPresenter = true
      if !shown.isEmpty { newValue.transition(to: container.currentState, animated: false) }
    }
  }

  private let source: HostSource<Value>
  @usableFromInline let policy: DisplayPolicy<Value>
  private let shown: DisplayedStatus<Value>

  /// Determines the status, and transitions the container to it if it is to be displayed. Stored for speed: the closure is made
  /// by the client's compiler, which knows `Value`. A method would look up the type of every value that it copies, and a flip
  /// would take twice as many instructions.
  private let display: (AsyncHost, _ isForced: Bool) -> Void

  private var tracking = Tracking<HostParts>()
  private var isStarted = false
  /// The source of ``isVisible``; nil until it is first used.
  private var visibility: Input<Bool>?
  /// The state of the data when ``start(when:isolation:)`` last requested it.
  private var requested = DataRevision()
  /// True from a disappearance until it appears again.
  private var isAway = false

  // MARK: Creating

  /// A host that displays a resource.
  ///
  /// - Parameters:
  ///   - resource: The resource to display and to request.
  ///   - policy: Decides about the status if there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - children: The children of a status, from bottom to top. Leave it out if a ``presenter`` displays everything.
  @inlinable
  public convenience init(
    _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: ((AsyncStatus<Value>) -> [any ChildController])? = nil
  ) {
    self.init(resource.data, .resource(resource), policy, pacer, animator, children)
  }

  /// A host that displays data which are requested by a closure.
  ///
  /// ```swift
  /// let host = AsyncHost(
  ///   data: articles,
  ///   request: { data, mode in
  ///     data.start(mode) { try await service.articles() }
  ///   })
  /// ```
  ///
  /// Create it in an initializer or a method, where the closure belongs to an actor. In the initial value of a property,
  /// display a resource.
  ///
  /// - Parameters:
  ///   - data: The data to display.
  ///   - policy: Decides about the status if there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - request: Requests the value: starts a load, or sets value or error. The mode says whether what is displayed
  ///     may be hidden until it ends.
  ///   - children: The children of a status, from bottom to top. Leave it out if a ``presenter`` displays everything.
  @inlinable
  public convenience init(
    data: AsyncData<Value> = AsyncData(), policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared,
    request: @escaping (AsyncData<Value>, LoadMode) -> Void,
    children: ((AsyncStatus<Value>) -> [any ChildController])? = nil
  ) {
    self.init(data, .closure(request), policy, pacer, animator, children)
  }

  @inlinable
  convenience init(
    _ data: AsyncData<Value>, _ source: HostSource<Value>, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?,
    _ animator: any TransitionAnimator, _ children: ((AsyncStatus<Value>) -> [any ChildController])?
  ) {
    let shown = DisplayedStatus<Value>(expectsPresenter: children == nil, pacer: pacer, of: data)
    let container = StateContainer<AsyncStatus<Value>>(initial: .loading, animator: animator) { status, animated in
      let presenter = shown.presenterForTransition()
      // While a pacer displays nothing there is no child, although a container always has a state.
      guard !shown.isEmpty else {
        presenter?.transitionToNothing(animated: animated)
        return []
      }
      presenter?.transition(to: status, animated: animated)
      return children?(status) ?? []
    }
    self.init(data, source, policy, shown, container) { host, isForced in
      let status = host.policy.status(value: host.data.displayed, host.statusParts)
      guard let animated = host.admit(status.kind, forced: isForced) else { return }
      // The container knows its actor.
      host.container.request(status, animated: animated, home: nil)
    }
  }

  @usableFromInline
  init(
    _ data: AsyncData<Value>, _ source: HostSource<Value>, _ policy: DisplayPolicy<Value>,
    _ shown: DisplayedStatus<Value>, _ container: StateContainer<AsyncStatus<Value>>,
    display: @escaping (AsyncHost, _ isForced: Bool) -> Void
  ) {
    self.data = data
    self.source = source
    self.policy = policy
    self.shown = shown
    self.container = container
    self.display = display
    container.parts.owner = self
    shown.pacing?.display = self
  }

  // MARK: Reading

  /// The status of the data, which is determined when this is read, so it is never older than the data; `loading` before
  /// ``start(when:isolation:)``.
  ///
  /// With a pacer, the status that is displayed may lag behind: it is the ``container``'s state.
  public var status: AsyncStatus<Value> {
    if isStarted { return source.status(data, policy) }
    tracking.access(.status)
    // Read so that its readers are notified of changes after the host was started.
    _ = source.status(data, policy)
    return .loading
  }

  /// The number of the write whose value is displayed; nil before the first status. Only differences are meaningful.
  package var displayedWrite: UInt32? { shown.displayed?.revision.display }

  /// True while a pacer displays nothing, whatever the state of the container.
  package var displaysNothing: Bool { shown.pacing != nil && shown.isEmpty }

  /// Measures the minimum of the indicator from now: its presenter displays it only now.
  package func loadingIsDisplayed() { shown.pacing?.loadingIsDisplayed() }

  /// True after ``start(when:isolation:)`` was called.
  package var hasStarted: Bool {
    tracking.access(.hasStarted)
    return isStarted
  }

  /// True while the host is visible or appearing, as its owner has reported: to poll only during that time.
  ///
  /// ```swift
  /// await quotes.poll(every: .seconds(10), while: host.isVisible)
  /// ```
  ///
  /// Several hosts are combined: `first.isVisible || second.isVisible`. It does not keep the host.
  public var isVisible: Observed<Bool> {
    if let visibility { return visibility }
    let visibility = Input(container.parts.queue.appearance.isShown)
    self.visibility = visibility
    return visibility
  }

  // MARK: Requesting

  /// Displays the first status, not animated, and requests the value. A value that exists already is displayed at once and kept
  /// while the request runs.
  ///
  /// ```swift
  /// func willAppear() { host.start(when: .stale) }
  /// ```
  ///
  /// With a condition it may be called each time the screen appears: it requests whenever the condition holds. Without one
  /// a second call does nothing while there is an answer or a request runs; after a reset, a cancel or a log-out it
  /// requests again.
  ///
  /// - Parameters:
  ///   - condition: The condition for the request, at each call. Screens that share a value request it only if it is stale.
  ///     Nil: the value is requested once.
  ///   - isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request; if none is made, of the running load, or of one that has ended.
  @discardableResult
  public func start(
    when condition: LoadCondition? = nil, isolation: isolated any Actor = #isolation
  ) -> LoadTask<Value> {
    guard !isStarted else {
      // A screen that is back, and requests, is not idle.
      if isAway { shown.leaveIdle() }
      let isDue = condition != nil || isUnanswered
      return isDue ? request(when: condition ?? .always, isolation) : source.currentLoad(data)
    }
    shown.pacing?.home = isolation
    container.parts.home = isolation
    isStarted = true
    data.addObserver(self)
    display(self, false)
    let task = request(when: condition ?? .always, isolation)
    // Before the start the status is loading. Last: a reader that calls this method finds the request.
    let isStatusChanged = tracking.isRead(.status) && source.status(data, policy).kind != .loading
    tracking.report(isStatusChanged ? [.hasStarted, .status] : .hasStarted)
    return task
  }

  /// True if the last request has brought neither a value nor an error, and none runs or follows. A closure may request without
  /// a load.
  private var isUnanswered: Bool {
    guard data.isWithoutRequestAndAnswer else { return false }
    if case .closure = source { return data.context.isUntouched && requested != data.revision }
    return true
  }

  private func request(when condition: LoadCondition, _ isolation: isolated any Actor) -> LoadTask<Value> {
    requested = data.revision
    return source.request(data, .start(when: condition), isolation: isolation)
  }

  /// Requests the value again, in the place of a running request, and keeps the content visible. Before
  /// ``start(when:isolation:)`` it calls that.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func refresh(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    isStarted ? source.request(data, .refresh, isolation: isolation) : start(isolation: isolation)
  }

  /// Requests the value again, hides the content until the request ends, and supersedes a running one. Before
  /// ``start(when:isolation:)`` it calls that.
  ///
  /// The data keeps its value: a cancel displays it again, and other screens of the same data lose nothing.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    isStarted ? source.request(data, .reload, isolation: isolation) : start(isolation: isolation)
  }

  /// Suspends until the displayed status cannot change any more by itself, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await data.untilSettled(isolation: isolation)
  }

  // MARK: Displaying

  @usableFromInline var statusParts: StatusParts { data.state.core.record.context.statusParts }

  /// Decides about a status that was determined.
  ///
  /// - Returns: True if it is displayed, or cleared, with an animation; false if without one; nil if the displayed status
  ///   stays.
  @usableFromInline
  func admit(_ kind: AsyncStatusKind, forced isForced: Bool) -> Bool? {
    let mark = StatusMark(kind: kind, revision: data.revision, isExpected: data.context.awaitsRequest)
    if let hook = container.parts.hook, shown.isNews(mark) { hook.statusDidChange(to: "\(kind)") }
    return shown.admit(mark, forced: isForced)
  }
}

/// The life cycle of a host is that of its container.
extension AsyncHost: ChildController {
  /// Makes both calls of an appearance.
  public func appear(animated: Bool) {
    willAppear(animated: animated)
    didAppear(animated: animated)
  }
  /// Makes both calls of a disappearance.
  public func disappear(animated: Bool) {
    willDisappear(animated: animated)
    didDisappear(animated: animated)
  }
  /// Forwarded to the ``container``.
  public func willAppear(animated: Bool) { container.willAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didAppear(animated: Bool) { container.didAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func willDisappear(animated: Bool) { container.willDisappear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didDisappear(animated: Bool) { container.didDisappear(animated: animated) }
}

extension AsyncHost: ContainerOwner {
  func visibilityDidChange(to isShown: Bool) {
    isAway = !isShown
    visibility?.write(isShown)
  }
}

extension AsyncHost: AsyncDataObserver {
  var isDisplaying: Bool { container.parts.queue.appearance.isShown }

  func dataDidChange(forced isForced: Bool) {
    display(self, isForced)
  }

  func reloadRequested() -> Bool {
    guard let home = container.parts.home else { return false }
    // Content that is displayed beside an error stays.
    let isRefresh = shown.latest?.kind == .data && data.context.error != nil
    ActorBound(self, to: home).callHere { home, host in
      if isRefresh { host.refresh(isolation: home) } else { host.reload(isolation: home) }
    }
    return true
  }
}

/// The parts of a host that Observation tracks separately.
private struct HostParts: OptionSet {
  let rawValue: UInt16

  static var hasStarted: Self { Self(rawValue: 1 << 0) }
  /// The status before the host was started. After that it is the status of the data, which has its own readers.
  static var status: Self { Self(rawValue: 1 << 1) }
}

extension AsyncHost: CustomStringConvertible {
  /// The type, the kind of the status, and the data, as in `AsyncHost<Int>: data (1, refreshing)`.
  ///
  /// Call it on the actor of the host.
  public var description: String {
    "\(Self.self): \(isStarted ? "\(source.status(data, policy).kind)" : "not started") (\(data.content))"
  }
}
