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
  public weak var presenter: (any AsyncStatusPresenter<Value>)? {
    didSet {
      guard let presenter else { return }
      expectsPresenter = true
      if displayed != nil { presenter.transition(to: container.currentState, animated: false) }
    }
  }

  @usableFromInline let policy: DisplayPolicy<Value>
  private let source: Source

  // What the host does when its data change, as a closure that is made where `Value` is known. The data call observers
  // through a protocol, and what a generic class does for a protocol is not specialised.
  @usableFromInline let react: (AsyncHost, _ isForced: Bool) -> Void

  @usableFromInline var determined = AsyncStatus<Value>.loading
  @usableFromInline var determinedMark = StatusMark(AsyncStatus<Value>.loading, DataRevision())
  /// Which status is displayed; nil while there is none.
  @usableFromInline var displayed: StatusMark?
  @usableFromInline var pacing: Pacing?
  @usableFromInline var tracking = Tracking<HostParts>()

  private var isStarted = false
  private var restart: Restart?
  /// The actor that the host was started on, for alarms and for reload controls.
  @usableFromInline weak var home: (any Actor)?

  /// Whether a presenter is missed if there is none.
  private var expectsPresenter: Bool

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
    self.init(
      resource.data, .resource(resource), policy, pacer, animator, children, react: { $0.update(forced: $1) })
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
    self.init(
      data, .closure(request), policy, pacer, animator, children, react: { $0.update(forced: $1) })
  }

  @usableFromInline
  init(
    _ data: AsyncData<Value>, _ source: Source, _ policy: DisplayPolicy<Value>, _ pacer: DisplayPacer?,
    _ animator: any TransitionAnimator, _ children: ((AsyncStatus<Value>) -> [any ChildController])?,
    react: @escaping (AsyncHost, Bool) -> Void
  ) {
    self.data = data
    self.policy = policy
    self.source = source
    self.react = react
    expectsPresenter = children == nil
    let link = Link()
    let children = children ?? { _ in [] }
    container = StateContainer(
      initialState: .loading, animator: animator, onEnter: { status, animated in link.host?.begin(status, animated) },
      // While a pacer has displayed nothing there is no child, though a container is always in some state.
      children: pacer == nil ? children : { link.host?.displayed == nil ? [] : children($0) })
    link.host = self
    pacing = pacer.map { pacer in Pacing(pacer) { isForced in link.host?.present(forced: isForced) } }
  }

  // MARK: Reading

  /// The status of the data: up to date before anyone is notified, and `loading` before ``load(isolation:)``.
  ///
  /// With a pacer, the status that is displayed may lag behind: it is the ``container``'s state.
  public var status: AsyncStatus<Value> {
    tracking.access(.status)
    return determined
  }

  /// Whether ``load(isolation:)`` was called.
  public var hasStarted: Bool {
    tracking.access(.hasStarted)
    return isStarted
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
    guard !isStarted else { return currentLoad }
    home = isolation
    tracking.changing(.hasStarted) { isStarted = true }
    data.addObserver(self)
    // A container that appeared before has displayed loading.
    react(self, false)
    return request(determinedMark.isLoading ? .reload : .refresh, isolation)
  }

  /// Requests the value again and keeps what is displayed. Before ``load(isolation:)`` it is that.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func refresh(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    isStarted ? request(.refresh, isolation) : load(isolation: isolation)
  }

  /// Resets the data and requests the value again, also while a load runs. Before ``load(isolation:)`` it is that.
  ///
  /// Nothing is displayed between the reset and the start of the request.
  ///
  /// - Parameter isolation: The actor that the host belongs to.
  /// - Returns: The handle of the request.
  @discardableResult
  public func reload(isolation: isolated any Actor = #isolation) -> LoadTask<Value> {
    guard isStarted else { return load(isolation: isolation) }
    restart = .resetting
    if case .combination(let combination) = source { combination.reset() } else { data.reset() }
    restart = .requesting(data.revision)
    let load = request(.reload, isolation)
    if restart.take() != nil { react(self, false) }
    return load
  }

  private func request(_ mode: LoadMode, _ isolation: isolated any Actor) -> LoadTask<Value> {
    switch source {
    case .resource(let resource): return resource.start(mode, isolation: isolation)
    case .combination(let combination): return combination.request(mode, isolation: isolation)
    case .closure(let request):
      request(data, mode)
      return data.currentLoad
    }
  }

  private var currentLoad: LoadTask<Value> {
    if case .combination(let combination) = source { combination.currentLoad } else { data.currentLoad }
  }

  /// Suspends until nothing is left that could change what is displayed, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    if case .combination(let combination) = source {
      await combination.untilSettled(isolation: isolation)
    } else {
      await data.untilSettled(isolation: isolation)
    }
  }

  /// How the value is requested.
  @usableFromInline
  enum Source {
    case resource(AsyncResource<Value>)
    case combination(Combination<Value>)
    case closure((AsyncData<Value>, LoadMode) -> Void)
  }

  /// A ``reload()`` that has not displayed anything yet.
  private enum Restart {
    /// The data are being reset, which is not displayed.
    case resetting
    /// The data are reset and were written that often, and the request has changed nothing yet.
    case requesting(DataRevision)
  }

  // MARK: Displaying

  /// Determines the status anew, and displays it if it is news.
  @inlinable
  func update(forced isForced: Bool) {
    let status = policy.status(
      value: data.facts.value, error: data.facts.error, mode: data.facts.activity?.mode,
      isValueSet: data.facts.isValueSet)
    update(to: status, data.revision, forced: isForced)
  }

  @usableFromInline
  func update(to status: AsyncStatus<Value>, _ writes: DataRevision, forced isForced: Bool) {
    let mark = StatusMark(status, writes)
    if mark.isNews(after: determinedMark) { tracking.changing(.status) { determined = status } }
    determinedMark = mark
    if let pacing,
      !pacing.admits(
        isLoading: mark.isLoading, writes: mark.writes, isForced: isForced, displayed: displayed?.writes, on: home)
    {
      return
    }
    present(forced: isForced)
  }

  /// Leads the container to the status, unless that is displayed.
  @usableFromInline
  func present(forced isForced: Bool) {
    let former = displayed
    // Also where nothing has to be displayed anew: what is displayed belongs to the key of the data by now.
    displayed = determinedMark
    if let former, !isForced, !determinedMark.isNews(after: former) { return }
    let isFirst = former == nil
    container.setNeedsTransition(to: determined, animated: !isForced && !isFirst, isolation: home)
  }

  /// The container has begun a transition, and is about to request the children.
  private func begin(_ status: AsyncStatus<Value>, _ animated: Bool) {
    if displayed == nil {
      guard pacing == nil else { return }
      // The container appears before `load()`.
      displayed = determinedMark
    }
    if let presenter {
      presenter.transition(to: status, animated: animated)
    } else if expectsPresenter {
      expectsPresenter = false
      reportMissingPresenter()
    }
  }

  private func reportMissingPresenter() {
    #if DEBUG
      print(
        """
        AsyncState: an AsyncHost has a status to display, and its presenter is nil. The screen stays as it is. A host \
        holds its presenter weakly: keep the presenter in a property, and set `host.presenter` before `host.load()`, \
        or give the host children.
        """)
    #endif
  }
}

extension AsyncHost: AsyncDataObserver {
  @usableFromInline
  func dataDidChange(forced isForced: Bool) {
    switch restart {
    case nil: break
    case .resetting: return
    case .requesting(let writes):
      restart = nil
      // An answer that is given by hand is displayed after the loading status.
      if data.facts.activity == nil { update(to: .loading, writes, forced: false) }
    }
    react(self, isForced)
  }

  @usableFromInline
  func reloadRequested() -> Bool {
    guard let home else { return false }
    ActorBound(self, to: home).callHere { home, host in host.reload(isolation: home) }
    return true
  }
}

// MARK: - Life cycle

extension AsyncHost: ChildController {
  /// Makes both calls of an appearance.
  public func appear(animated: Bool) { container.appear(animated: animated) }
  /// Makes both calls of a disappearance.
  public func disappear(animated: Bool) { container.disappear(animated: animated) }
  /// Forwarded to the ``container``.
  public func willAppear(animated: Bool) { container.willAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didAppear(animated: Bool) { container.didAppear(animated: animated) }
  /// Forwarded to the ``container``.
  public func willDisappear(animated: Bool) { container.willDisappear(animated: animated) }
  /// Forwarded to the ``container``.
  public func didDisappear(animated: Bool) { container.didDisappear(animated: animated) }
}

// MARK: - Storage

extension AsyncHost {
  /// The way from the container and the alarm back to the host, which they must not keep alive.
  fileprivate final class Link {
    weak var host: AsyncHost?
  }
}

/// The parts of a host that Observation tracks separately.
@usableFromInline
struct HostParts: OptionSet {
  @usableFromInline let rawValue: UInt16

  @usableFromInline
  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  @usableFromInline static var status: Self { Self(rawValue: 1 << 0) }
  @usableFromInline static var hasStarted: Self { Self(rawValue: 1 << 1) }
}
