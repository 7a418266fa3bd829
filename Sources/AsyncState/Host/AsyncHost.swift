/// Joins facts, projection and presentation: whatever the data say is what the container, or a presenter, shows.
///
/// ```swift
/// let host = AsyncHost(operation: { try await service.articles() }) { status in
///   switch status {
///   case .loading: [spinner]
///   case .error(let error): [Message(error)]
///   case .data(let articles): [List(articles)]
///   case .noData: [Message("Nothing here")]
///   }
/// }
/// host.load()
/// ```
///
/// The host is the delegate of its data; the delegate of its ``container`` is the user's. Making a host asks for
/// nothing and makes no child: ``load()`` does both. It lives on the actor that made it.
public final class AsyncHost<Value>: AsyncDataDelegate {
  /// What is known.
  public let data: AsyncData<Value>

  /// What shows it. Its life-cycle calls are made by whoever shows the container.
  public let container: StateContainer<AsyncStatus<Value>>

  /// Whether ``load()`` was called.
  @exclusivity(unchecked) public private(set) var hasStarted = false

  /// What the data mean by now: up to date before anybody hears. With a pacer, what is on show may lag behind; that is
  /// the state of the ``container``.
  public var status: AsyncStatus<Value> { determined }

  @exclusivity(unchecked) @usableFromInline var determined = AsyncStatus<Value>.loading
  @exclusivity(unchecked) @usableFromInline var onShow: OnShow?
  @exclusivity(unchecked) @usableFromInline var pacing: Pacing<Value>?
  @usableFromInline let policy: DisplayPolicy<Value>
  @usableFromInline let request: (AsyncData<Value>) -> Void

  // What the host does when the data change, as a closure made where `Value` is known. The data call the delegate
  // through its protocol, and what a generic class does for a protocol is not specialised: 2,000 ns for a transition
  // that takes a twentieth of that from in here.
  @usableFromInline let react: (AsyncHost, _ isForced: Bool) -> Void

  // MARK: Making

  /// A host that shows children.
  ///
  /// - Parameters:
  ///   - data: What is shown. The host becomes its delegate.
  ///   - policy: What facts mean where more than one answer is right.
  ///   - pacer: Keeps the indicator from flickering; nil: everything is shown at once.
  ///   - animator: Runs the animations of the container.
  ///   - request: Asks for the value: starts a load, or sets value or error of the data itself.
  ///   - children: The children of a status, from bottom to top.
  @inlinable
  public init(
    data: AsyncData<Value> = AsyncData(), policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared, request: @escaping (AsyncData<Value>) -> Void,
    children: @escaping (AsyncStatus<Value>) -> [any ChildController]
  ) {
    self.data = data
    self.policy = policy
    self.request = request
    react = { $0.update(forced: $1) }
    let link = HostLink<Value>()
    container = StateContainer(
      appearanceState: { link.displayed }, animator: animator,
      // While a pacer has put nothing on show there is no child, though a container is always in some state.
      children: pacer == nil ? children : { link.isNothingOnShow ? [] : children($0) })
    connect(link, pacer)
  }

  /// A host that tells a presenter what to show.
  ///
  /// - Parameters:
  ///   - data: What is shown. The host becomes its delegate.
  ///   - policy: What facts mean where more than one answer is right.
  ///   - pacer: Keeps the indicator from flickering; nil: everything is shown at once.
  ///   - presenter: Shows each status. Held weakly: it is often the screen that has the host.
  ///   - request: Asks for the value: starts a load, or sets value or error of the data itself.
  @inlinable
  public init(
    data: AsyncData<Value> = AsyncData(), policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    presenter: any AsyncStatusPresenter<Value>, request: @escaping (AsyncData<Value>) -> Void
  ) {
    self.data = data
    self.policy = policy
    self.request = request
    react = { $0.update(forced: $1) }
    let link = HostLink<Value>()
    container = StateContainer(
      origin: .appearance { link.displayed }, animator: ImmediateAnimator.shared,
      onEnter: { [weak presenter] status, animated in
        if let presenter { link.present(status, animated: animated, by: presenter) }
      }, children: { _ in [] })
    connect(link, pacer)
  }

  /// A host that shows children, in the common case: the request is one operation, started on the actor that makes the
  /// host.
  ///
  /// - Parameters:
  ///   - data: What is shown. The host becomes its delegate.
  ///   - policy: What facts mean where more than one answer is right.
  ///   - pacer: Keeps the indicator from flickering; nil: everything is shown at once.
  ///   - animator: Runs the animations of the container.
  ///   - isolation: The actor that the host lives on. In the initial value of a stored or lazy property there is none
  ///     to be found by itself: make the host in an initialiser or a method, as in `lazy var host = makeHost()`.
  ///     (Writing `isolation: MainActor.shared` compiles there, too, but in a lazy property Swift 6.3 then runs the
  ///     operation off the actor, unless its closure begins with `@MainActor in`.)
  ///   - operation: Gets the value; nil: there is none. It runs on the host's actor.
  ///   - children: The children of a status, from bottom to top.
  @inlinable
  public convenience init(
    data: AsyncData<Value> = AsyncData(), policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    animator: any TransitionAnimator = ImmediateAnimator.shared, isolation: isolated any Actor = #isolation,
    operation: @escaping () async throws -> Value?, children: @escaping (AsyncStatus<Value>) -> [any ChildController]
  ) {
    self.init(
      data: data, policy: policy, pacer: pacer, animator: animator, request: Self.request(operation, on: isolation),
      children: children)
  }

  /// A host that tells a presenter what to show, in the common case: the request is one operation, started on the actor
  /// that makes the host.
  ///
  /// - Parameters:
  ///   - data: What is shown. The host becomes its delegate.
  ///   - policy: What facts mean where more than one answer is right.
  ///   - pacer: Keeps the indicator from flickering; nil: everything is shown at once.
  ///   - presenter: Shows each status. Held weakly: it is often the screen that has the host.
  ///   - isolation: The actor that the host lives on. In the initial value of a stored or lazy property there is none
  ///     to be found by itself: make the host in an initialiser or a method, as in `lazy var host = makeHost()`.
  ///     (Writing `isolation: MainActor.shared` compiles there, too, but in a lazy property Swift 6.3 then runs the
  ///     operation off the actor, unless its closure begins with `@MainActor in`.)
  ///   - operation: Gets the value; nil: there is none. It runs on the host's actor.
  @inlinable
  public convenience init(
    data: AsyncData<Value> = AsyncData(), policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = nil,
    presenter: any AsyncStatusPresenter<Value>, isolation: isolated any Actor = #isolation,
    operation: @escaping () async throws -> Value?
  ) {
    self.init(
      data: data, policy: policy, pacer: pacer, presenter: presenter, request: Self.request(operation, on: isolation))
  }

  /// The request that starts one operation. It does not keep the actor, which often has the host among its properties.
  @usableFromInline
  static func request(
    _ operation: @escaping () async throws -> Value?, on home: isolated any Actor
  ) -> (AsyncData<Value>) -> Void {
    { [weak home] data in
      guard let home else { return }
      ActorBound((data, operation), to: home).callHere { home, bound in bound.0.start(isolation: home, bound.1) }
    }
  }

  @usableFromInline
  func connect(_ link: HostLink<Value>, _ pacer: DisplayPacer?) {
    link.host = self
    pacing = pacer.map { Pacing($0) { isForced in link.host?.present(forced: isForced) } }
    data.delegate = self
  }

  // MARK: Asking

  /// Shows the first status, not animated, and then makes the request. Does nothing the second time.
  ///
  /// What the data know already is shown at once, without a loading before it; the request is made all the same. Before
  /// the container appears this changes its children without anybody appearing, and the appearance asks for them again.
  public func load() {
    guard !hasStarted else { return }
    hasStarted = true
    react(self, false)
    request(data)
  }

  /// Resets the data and makes the request again, also while one is under way. Before ``load()`` it is that.
  public func reloadAsyncData() {
    data.reset()
    guard hasStarted else { return load() }
    request(data)
  }

  // MARK: Showing

  /// The data have changed: determines what they mean now, and shows it if that is news.
  public func asyncData(_ data: AsyncData<Value>, didInvalidateStateForced forced: Bool) {
    if hasStarted { react(self, forced) }
  }

  @inlinable
  func update(forced isForced: Bool) {
    determined = policy.status(
      value: data.facts.value, error: data.facts.error, mode: data.facts.activity?.mode,
      isValueSet: data.facts.isValueSet)
    if let pacing, !pacing.admits(determined, revision: data.revision, isForced: isForced) { return }
    present(forced: isForced)
  }

  /// Puts the status on show, unless it is there.
  @inlinable
  func present(forced isForced: Bool) {
    let next = OnShow(kind: determined.kind, revision: data.revision)
    if let onShow, !isForced, !next.isNews(after: onShow) { return }
    let isFirst = onShow == nil
    onShow = next
    if let pacing { pacing.display(determined) }
    container.setNeedsTransition(to: determined, animated: !isForced && !isFirst)
  }
}

extension AsyncHost {
  /// What is known of the status on show: enough to see whether another is news.
  @usableFromInline
  struct OnShow {
    @usableFromInline let kind: AsyncStatus<Value>.Kind
    @usableFromInline let revision: AsyncData<Value>.Revision

    @inlinable
    init(kind: AsyncStatus<Value>.Kind, revision: AsyncData<Value>.Revision) {
      self.kind = kind
      self.revision = revision
    }

    /// Another kind, or the same kind with its value or error written again.
    @inlinable
    func isNews(after former: OnShow) -> Bool {
      guard kind == former.kind else { return true }
      switch kind {
      case .data: return revision.value != former.revision.value
      case .error: return revision.error != former.revision.error
      case .loading, .noData: return false
      }
    }
  }
}
