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
  private let shown: DisplayedStatus<Value>
  private let pacing: Pacing?

  // What copies statuses, as closures that are made where `Value` is known: a method of a generic class would look up the
  // type of every value that it copies.
  private let determine:
    (
      AsyncHost, (any Error)?, LoadMode?, _ isValueSet: Bool, _ adopt: (StatusKind, _ store: () -> Void) -> Void
    ) -> Void
  private let display: (AsyncHost, _ animated: Bool) -> Void

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
    var restart: Restart?
    /// The actor that the host was started on, for alarms and for reload controls.
    weak var home: (any Actor)?

    var determinedMark = StatusMark(kind: .loading, revision: DataRevision())
    // Last, because what follows it has no fixed place in code that is not specialised.
    @usableFromInline var determined = AsyncStatus<Value>.loading
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
    self.init(data, source, pacer, children) { presenter, children in
      StateContainer(
        initial: .loading, animator: animator,
        present: { status, animated in presenter()?.transition(to: status, animated: animated) }, children: children)
    } determine: { host, error, mode, isValueSet, adopt in
      let status = policy.status(value: host.data.displayed, error: error, mode: mode, isValueSet: isValueSet)
      adopt(StatusKind(status)) { host.parts.determined = status }
    } display: { host, animated in
      // The container knows its actor.
      host.container.setNeedsTransition(to: host.parts.determined, animated: animated, isolation: nil)
    }
  }

  /// - Parameters:
  ///   - makeContainer: Makes the container, which reads the presenter once in each transition, after `W`.
  ///   - determine: Determines the status anew and passes its kind and how to store it to `adopt`.
  ///   - display: Leads the container to the status.
  @usableFromInline
  init(
    _ data: AsyncData<Value>, _ source: HostSource<Value>, _ pacer: DisplayPacer?,
    _ children: ((AsyncStatus<Value>) -> [any ChildController])?,
    makeContainer: (
      _ presenter: @escaping () -> (any AsyncStatusPresenter<Value>)?,
      _ children: @escaping (AsyncStatus<Value>) -> [any ChildController]
    ) -> StateContainer<AsyncStatus<Value>>,
    determine:
      @escaping (
        AsyncHost, (any Error)?, LoadMode?, _ isValueSet: Bool, _ adopt: (StatusKind, _ store: () -> Void) -> Void
      ) -> Void,
    display: @escaping (AsyncHost, _ animated: Bool) -> Void
  ) {
    self.data = data
    self.source = source
    self.determine = determine
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

  /// The status of the data: up to date before anyone is notified, and `loading` before ``load(isolation:)``.
  ///
  /// With a pacer, the status that is displayed may lag behind: it is the ``container``'s state.
  public var status: AsyncStatus<Value> {
    parts.tracking.access(.status)
    return parts.determined
  }

  /// Whether ``load(isolation:)`` was called.
  public var hasStarted: Bool {
    parts.tracking.access(.hasStarted)
    return parts.isStarted
  }

  // MARK: Requesting

  /// Displays the first status, not animated, and requests the value. A second call does nothing.
  ///
  /// Data that are there before are displayed at once and kept while the request runs.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request; of a second call, of the load that is running, or of one that has ended.
  @discardableResult
  public func load(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    guard !parts.isStarted else { return source.currentLoad(data) }
    parts.home = isolation
    container.core.belong(to: isolation)
    var isFirst = false
    parts.tracking.changing(.hasStarted) {
      // Readers are notified before the change, and may call this method.
      isFirst = !parts.isStarted
      parts.isStarted = true
    }
    guard isFirst else { return source.currentLoad(data) }
    data.addObserver(self)
    // A container that appeared before has displayed loading.
    update(forced: false, isFirst: true)
    return source.request(data, parts.determinedMark.isLoading ? .reload : .refresh, isolation)
  }

  /// Requests the value again and keeps what is displayed. Before ``load(isolation:)`` it is that.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func refresh(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    parts.isStarted ? source.request(data, .refresh, isolation) : load(isolation: isolation)
  }

  /// Resets the data and requests the value again, also while a load runs. Before ``load(isolation:)`` it is that.
  ///
  /// Nothing is displayed between the reset and the start of the request.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    guard parts.isStarted else { return load(isolation: isolation) }
    parts.restart = .resetting
    source.reset(data)
    parts.restart = .requesting(data.revision)
    let load = source.request(data, .reload, isolation)
    if parts.restart.take() != nil { update(forced: false) }
    return load
  }

  /// Suspends until nothing is left that could change what is displayed, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await source.untilSettled(data, isolation: isolation)
  }

  /// A ``reload()`` that has not displayed anything yet.
  enum Restart {
    /// The data are being reset, which is not displayed.
    case resetting
    /// The data are reset and were written that often, and the request has changed nothing yet.
    case requesting(DataRevision)
  }

  // MARK: Displaying

  /// Determines the status anew, and displays it if it is news.
  ///
  /// - Parameter isFirst: Whether a journal records it in any case.
  private func update(forced isForced: Bool, isFirst: Bool = false) {
    let (error, mode, isValueSet) = data.state.core.record.context.statusParts
    determine(self, error, mode, isValueSet) { kind, store in
      adopt(StatusMark(kind: kind, revision: data.revision), isFirst: isFirst, store)
    }
    presentIfAdmitted(forced: isForced)
  }

  private func adopt(_ mark: StatusMark, isFirst: Bool = false, _ store: () -> Void) {
    let isNews = mark.isNews(after: parts.determinedMark)
    parts.determinedMark = mark
    if isNews {
      parts.tracking.changing(.status) {
        // Readers are notified before the change, and may write: what is determined by then is newer, and stored.
        if !parts.determinedMark.isNews(after: mark) { store() }
      }
    }
    if isNews || isFirst, let hook = container.core.parts.hook, !parts.determinedMark.isNews(after: mark) {
      hook.statusDidChange(to: mark.kind)
    }
  }

  private func presentIfAdmitted(forced isForced: Bool) {
    let mark = parts.determinedMark
    if let pacing,
      !pacing.admits(
        isLoading: mark.isLoading, revision: mark.revision, isForced: isForced, displayed: shown.mark?.revision,
        on: parts.home)
    {
      return
    }
    present(forced: isForced)
  }

  /// Leads the container to the status, unless that is displayed.
  private func present(forced isForced: Bool) {
    let mark = parts.determinedMark
    let former = shown.mark
    // Also where nothing has to be displayed anew: what is displayed belongs to the key of the data by now.
    shown.mark = mark
    if let former, !isForced, !mark.isNews(after: former) { return }
    display(self, !isForced && former != nil)
  }

  /// The data changed during a ``reload()``.
  ///
  /// - Returns: Whether that is displayed.
  private func continueRestart() -> Bool {
    switch parts.restart {
    case nil: return true
    case .resetting: return false
    case .requesting(let revision):
      parts.restart = nil
      // An answer that is given by hand is displayed after the loading status.
      if !data.context.isRunning {
        adopt(StatusMark(kind: .loading, revision: revision)) { parts.determined = .loading }
        presentIfAdmitted(forced: false)
      }
      return true
    }
  }
}

extension AsyncHost: AsyncDataObserver {
  func dataDidChange(forced isForced: Bool) {
    if parts.restart != nil, !continueRestart() { return }
    update(forced: isForced)
  }

  func reloadRequested() -> Bool {
    guard let home = parts.home else { return false }
    ActorBound(self, to: home).callHere { home, host in host.reload(isolation: home) }
    return true
  }
}

extension AsyncHost: CustomStringConvertible {
  /// The type, the kind of the status, and the data, as in `AsyncHost<Int>: data (1, refreshing)`.
  ///
  /// Call it on the actor of the host.
  public var description: String {
    "\(Self.self): \(parts.isStarted ? "\(parts.determined.kind)" : "not started") (\(data.content))"
  }
}
