public import Observation

/// Displays data: whatever their status is, the container's children or a presenter show it.
///
/// ```swift
/// let host = AsyncHost(articles) { status in
///   switch status {
///   case .loading: return [spinner]
///   case .error(let error): return [Message("\(error)")]
///   case .noData: return [Message("Nothing here")]
///   case .data(let articles):
///     list.display(articles)  // One list for all values: it keeps its scroll position.
///     return [list]
///   }
/// }
/// host.load()
/// ```
///
/// Creating a host requests nothing and creates no child: ``load(isolation:)`` does both. The owner forwards the four life-cycle
/// calls; a host is a ``ChildController``, so a container can be that owner. Any number of hosts may display the same
/// data. `data.delegate` and `container.delegate` are the user's.
///
/// A host belongs to the actor that created it, and does not keep it alive.
public final class AsyncHost<Value>: Observable {
  /// What is displayed.
  public let data: AsyncData<Value>

  /// The container of the children. Its state is the status that is displayed.
  public let container: StateContainer<AsyncStatus<Value>>

  /// Displays each status, with or instead of children. Held weakly.
  ///
  /// One that is set after something was displayed displays it at once, not animated.
  public var presenter: (any AsyncStatusPresenter<Value>)? {
    get { shown.presenter }
    set {
      shown.presenter = newValue
      guard let newValue else { return }
      shown.expectsPresenter = true
      if shown.mark != nil { newValue.transition(to: container.currentState, animated: false) }
    }
  }

  private let source: HostSource<Value>
  private let policy: DisplayPolicy<Value>
  private let shown: DisplayedStatus<Value>
  private let pacing: Pacing?

  // What copies statuses, as closures that are made where `Value` is known: a method of a generic class would look up the
  // type of every value that it copies.
  private let determineKind: (AsyncHost, StatusParts) -> StatusKind
  private let display: (AsyncHost, StatusParts, _ animated: Bool) -> Void

  // Justified: no access calls out while it lasts. A checked access takes 76 instructions, and a change of the data
  // has six.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var parts = Parts()

  @usableFromInline
  struct Parts {
    var tracking = Tracking<HostParts>()
    var isStarted = false
    /// The actor that the host was started on, for alarms and for reload controls.
    weak var home: (any Actor)?

    /// What the data was when it was last requested.
    var requested = DataRevision()

    /// The status when the data was last notified of.
    var mark = StatusMark(kind: .loading, revision: DataRevision())
  }

  // MARK: Creating

  /// A host that displays a resource.
  ///
  /// - Parameters:
  ///   - resource: What is displayed, and how it is requested.
  ///   - policy: Decides about the status where there is a choice.
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
  ///   - data: What is displayed.
  ///   - policy: Decides about the status where there is a choice.
  ///   - pacer: Keeps the indicator from flickering; nil: each status is displayed at once.
  ///   - animator: Runs the container's animations.
  ///   - request: Requests the value: starts a load, or sets value or error. The mode says whether what is displayed
  ///     may be hidden meanwhile.
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
    self.init(data, source, policy, pacer, children) { presenter, children in
      StateContainer(
        initial: .loading, animator: animator,
        present: { status, animated in presenter()?.transition(to: status, animated: animated) }, children: children)
    } determineKind: { host, parts in
      StatusKind(policy.status(value: host.data.displayed, parts))
    } display: { host, parts, animated in
      let status = policy.status(value: host.data.displayed, parts)
      // The container knows its actor.
      host.container.setNeedsTransition(to: status, animated: animated, isolation: nil)
    }
  }

  /// - Parameters:
  ///   - makeContainer: Makes the container, which reads the presenter once in each transition, after `W`.
  ///   - determineKind: Determines the status of the host's data.
  ///   - display: Leads the container to that status.
  @usableFromInline
  init(
    _ data: AsyncData<Value>, _ source: HostSource<Value>, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?,
    _ children: ((AsyncStatus<Value>) -> [any ChildController])?,
    makeContainer: (
      _ presenter: @escaping () -> (any AsyncStatusPresenter<Value>)?,
      _ children: @escaping (AsyncStatus<Value>) -> [any ChildController]
    ) -> StateContainer<AsyncStatus<Value>>,
    determineKind: @escaping (AsyncHost, StatusParts) -> StatusKind,
    display: @escaping (AsyncHost, StatusParts, _ animated: Bool) -> Void
  ) {
    self.data = data
    self.source = source
    self.policy = policy
    self.determineKind = determineKind
    self.display = display
    let shown = DisplayedStatus<Value>(expectsPresenter: children == nil, isPaced: pacer != nil)
    self.shown = shown
    let children = children ?? { _ in [] }
    container = makeContainer(
      { shown.presenterForTransition() },
      // While a pacer has displayed nothing there is no child, though a container is always in some state.
      pacer == nil ? children : { shown.mark == nil ? [] : children($0) })
    pacing = pacer.map { Pacing($0) }
    pacing?.display = { [weak self] isForced in self?.present(forced: isForced) }
  }

  // MARK: Reading

  /// The status of the data, which is determined when this is read, so it is never older than the data; `loading` before
  /// ``load(isolation:)``.
  ///
  /// With a pacer, the status that is displayed may lag behind: it is the ``container``'s state.
  public var status: AsyncStatus<Value> {
    if parts.isStarted { return source.status(data, policy) }
    parts.tracking.access(.status)
    // Read, too, so that its readers are notified of what changes after the host was started.
    _ = source.status(data, policy)
    return .loading
  }

  /// Whether ``load(isolation:)`` was called.
  public var hasStarted: Bool {
    parts.tracking.access(.hasStarted)
    return parts.isStarted
  }

  // MARK: Requesting

  /// Displays the first status, not animated, and requests the value. A second call does nothing, unless the data was
  /// reset and not requested since: then it requests again.
  ///
  /// Data that are there before are displayed at once and kept while the request runs.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request; of a second call, of the load that is running, or of one that has ended.
  @discardableResult
  public func load(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    guard !parts.isStarted else {
      let isReset = data.isWithoutRequest && parts.requested != data.revision
      return isReset ? request(isolation) : source.currentLoad(data)
    }
    parts.home = isolation
    container.core.belong(to: isolation)
    var isFirst = false
    let changed: HostParts = determineKind(self, statusParts) == .loading ? .hasStarted : [.hasStarted, .status]
    parts.tracking.changing(changed) {
      // Readers are notified before the change, and may call this method.
      isFirst = !parts.isStarted
      parts.isStarted = true
    }
    guard isFirst else { return source.currentLoad(data) }
    data.addObserver(self)
    // A container that appeared before has displayed loading.
    update(forced: false, isFirst: true)
    return request(isolation)
  }

  private func request(_ isolation: isolated any Actor) -> LoadTask<Value> {
    parts.requested = data.revision
    return source.request(data, parts.mark.isLoading ? .reload : .refresh, isolation)
  }

  /// Requests the value again and keeps what is displayed. Before ``load(isolation:)`` it is that.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func refresh(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    parts.isStarted ? source.request(data, .refresh, isolation) : load(isolation: isolation)
  }

  /// Requests the value again, hides what is displayed meanwhile, and supersedes a request that runs. Before
  /// ``load(isolation:)`` it is that.
  ///
  /// The data keeps its value: a cancel displays it again, and other screens of the same data lose nothing.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    parts.isStarted ? source.reload(data, isolation) : load(isolation: isolation)
  }

  /// Suspends until nothing is left that could change what is displayed, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await source.untilSettled(data, isolation: isolation)
  }

  // MARK: Displaying

  /// Determines the status anew, and displays it if it is news.
  ///
  /// - Parameter isFirst: Whether it is the status at ``load(isolation:)``: a journal records it in any case, and it is
  ///   not animated.
  private func update(forced isForced: Bool, isFirst: Bool = false) {
    let mark = StatusMark(kind: determineKind(self, statusParts), revision: data.revision)
    let isNews = mark.isNews(after: parts.mark)
    parts.mark = mark
    if isNews || isFirst, let hook = container.core.parts.hook { hook.statusDidChange(to: mark.kind) }
    if admits(mark, forced: isForced) { present(forced: isForced, isFirst: isFirst) }
  }

  private var statusParts: StatusParts { data.state.core.record.context.statusParts }

  private func admits(_ mark: StatusMark, forced isForced: Bool) -> Bool {
    guard let pacing else { return true }
    return pacing.admits(
      isLoading: mark.isLoading, revision: mark.revision, isForced: isForced, displayed: shown.mark?.revision,
      on: parts.home)
  }

  /// Leads the container to the status, unless that is displayed.
  private func present(forced isForced: Bool, isFirst: Bool = false) {
    let mark = parts.mark
    let former = shown.mark
    // Also where nothing has to be displayed anew: what is displayed belongs to the key of the data by now.
    shown.mark = mark
    if let former, !isForced, !mark.isNews(after: former) { return }
    display(self, statusParts, !isForced && !isFirst && former != nil)
  }
}

extension AsyncHost: AsyncDataObserver {
  func dataDidChange(forced isForced: Bool) {
    update(forced: isForced)
  }

  func reloadRequested() -> Bool {
    guard let home = parts.home else { return false }
    // Content that is displayed beside an error stays.
    let isRefresh = parts.mark.kind == .data && data.context.error != nil
    ActorBound(self, to: home).callHere { home, host in
      if isRefresh { host.refresh(isolation: home) } else { host.reload(isolation: home) }
    }
    return true
  }
}

extension AsyncHost: CustomStringConvertible {
  /// The type, the kind of the status, and the data, as in `AsyncHost<Int>: data (1, refreshing)`.
  ///
  /// Call it on the actor of the host.
  public var description: String {
    "\(Self.self): \(parts.isStarted ? "\(source.status(data, policy).kind)" : "not started") (\(data.content))"
  }
}
