public import Observation

/// Displays the children of a state, and changes from one state to another in a strict order.
///
/// A container is generic over any `State`: it knows children, never data. Its owner forwards the four life-cycle calls
/// and requests transitions; the container notifies its children and its ``delegate``, with "will" always before "did",
/// and always both. What its callbacks request is done when they have returned.
///
/// ```swift
/// let container = StateContainer(initialState: Tab.feed) { tab in
///   switch tab {
///   case .feed: [feed]
///   case .search: [search]
///   }
/// }
/// ```
///
/// There are two kinds of container, which differ when they appear again: one keeps its state, as a wizard that was
/// covered at its third step, the other requests the state to appear in anew.
///
/// A container is a child controller, so containers nest. It belongs to the actor that created it, and all callbacks are
/// synchronous and on that actor. Its last reference may be released on any thread.
public final class StateContainer<State>: Observable {
  /// The state to appear in.
  @usableFromInline
  enum Origin {
    /// It is kept from then on.
    case initial(State)
    /// It is requested at each appearance.
    case appearance(() -> State)
  }

  /// The two ends of a transition.
  @usableFromInline
  enum StatePhase {
    case enter(isAppearance: Bool, animated: Bool)
    case leave(animated: Bool)
  }

  @usableFromInline
  struct Typed {
    @usableFromInline weak var delegate: (any StateContainerDelegate<State>)?

    /// Nil until one was determined.
    @usableFromInline var state: State?
    /// The state that the open transition has left.
    @usableFromInline var left: State?
    /// The state of the request that waits or is about to begin.
    @usableFromInline var requested: State?

    @inlinable
    init() {}
  }

  @usableFromInline let core: ContainerCore
  @usableFromInline let origin: Origin
  @usableFromInline let makeChildren: (State) -> [any ChildController]
  @usableFromInline let onEnter: ((_ state: State, _ animated: Bool) -> Void)?

  // What handles states in a transition, as a closure made where `State` is known: called by the core through a protocol,
  // a method of a generic class would look up the type of every value it copies.
  @usableFromInline
  let handleStates: (StateContainer, (any StateContainerDelegate<State>)?, StatePhase) -> [any ChildController]

  // Justified: every access is a short step of this file that calls nothing while it lasts, and the checks take a tenth
  // of the time of a transition.
  @exclusivity(unchecked) @usableFromInline var typed = Typed()

  /// A container that keeps its state. It makes its first children at its first appearance or transition.
  ///
  /// - Parameters:
  ///   - initialState: The state to appear in, unless a transition was requested before.
  ///   - animator: Runs the animations of animated transitions.
  ///   - children: Returns the children of a state from bottom to top. Called once for each transition. A child of both
  ///     states stays where it is. A child that is listed twice counts once.
  @inlinable
  public convenience init(
    initialState: State, animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.init(origin: .initial(initialState), animator: animator, children: children)
  }

  /// A container that requests the state to appear in at each appearance.
  ///
  /// - Parameters:
  ///   - appearanceState: Returns the state to appear in. The container keeps the closure.
  ///   - animator: Runs the animations of animated transitions.
  ///   - children: Returns the children of a state from bottom to top. Called once for each transition. A child of both
  ///     states stays where it is. A child that is listed twice counts once.
  @inlinable
  public convenience init(
    appearanceState: @escaping () -> State, animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.init(origin: .appearance(appearanceState), animator: animator, children: children)
  }

  /// A container that keeps its state, for a host, which notifies its presenter in `onEnter`.
  @inlinable
  convenience init(
    initialState: State, animator: any TransitionAnimator,
    onEnter: @escaping (_ state: State, _ animated: Bool) -> Void,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.init(origin: .initial(initialState), animator: animator, onEnter: onEnter, children: children)
  }

  /// - Parameter onEnter: Called once for each transition, with the state and whether it is animated: after `W` and the
  ///   change of the state, before `K`.
  @inlinable
  init(
    origin: Origin, animator: any TransitionAnimator, onEnter: ((_ state: State, _ animated: Bool) -> Void)? = nil,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.origin = origin
    self.onEnter = onEnter
    makeChildren = children
    let keepsState = if case .initial = origin { true } else { false }
    core = ContainerCore(animator: animator, keepsState: keepsState)
    handleStates = { container, delegate, phase in
      switch phase {
      case .enter(let isAppearance, let animated):
        let next = isAppearance ? container.startingState : container.takeRequested()
        container.core.willEnter()
        delegate?.container(container, willTransitionTo: next, animated: animated)
        container.core.changingState {
          container.typed.left = container.typed.state
          container.typed.state = next
        }
        container.onEnter?(next, animated)
        return container.makeChildren(next)
      case .leave(let animated):
        let left = container.typed.left.take()
        delegate?.container(container, didTransitionFrom: left, animated: animated)
        return []
      }
    }
  }

  // MARK: Reading

  /// Is notified of everything that the container does. Held weakly.
  @inlinable
  public var delegate: (any StateContainerDelegate<State>)? {
    get { typed.delegate }
    set { typed.delegate = newValue }
  }

  /// The state of the container. Before there was a transition: the state to appear in, which is not stored.
  @inlinable
  public var currentState: State {
    core.accessState()
    return typed.state ?? startingState
  }

  /// Whether the container has had a transition to a state.
  @inlinable
  public var hasDeterminedState: Bool {
    core.accessState()
    return typed.state != nil
  }

  /// Whether a transition has begun and not ended. True inside `willTransitionTo`, false inside `didTransitionFrom`.
  public var isTransitioning: Bool { core.isTransitioning }

  /// Whether the container is visible.
  public var appearance: Appearance { core.appearance }

  /// The children from bottom to top: incoming and kept ones in the order of the state, above them outgoing ones.
  public var children: [any ChildController] { core.children }

  // MARK: Transitions

  /// Requests a transition to `state`, which begins now or as soon as the open transition has ended.
  ///
  /// Only the last request waits; states in between are never displayed. A transition that is not animated is over when
  /// this returns, unless it is called from a callback of this container, or while the container appears or disappears:
  /// then it begins when that is over. While the container is not visible, children change without appearing.
  ///
  /// - Parameters:
  ///   - state: The next state. It may be equal to the current one.
  ///   - animated: Whether the children that are added and removed are animated.
  ///   - isolation: The caller's actor. On it the container is notified if an animation is released unfinished on
  ///     another thread.
  @inlinable
  public func setNeedsTransition(to state: State, animated: Bool, isolation: (any Actor)? = #isolation) {
    let superseded = replaceRequested(with: state)
    core.request(animated: animated, waiter: nil, home: isolation, audience)
    // It may be an object with a `deinit` that calls the container.
    withExtendedLifetime(superseded) {}
  }

  /// Requests a transition to `state`, and waits for its end.
  ///
  /// - Returns: `.finished` after the delegate was notified with `didTransitionFrom`; `.superseded` when a later request
  ///   replaced this one before it began; `.dropped`, at once, when the calling task is cancelled. A request that has not
  ///   begun by then is withdrawn.
  public func transition(
    to state: State, animated: Bool, isolation: isolated any Actor = #isolation
  ) async -> TransitionOutcome {
    let waiter = TransitionWaiter()
    let bound = ActorBound((self, waiter), to: isolation)
    return await withTaskCancellationHandler {
      // Captured, so that the closure is isolated to the actor, too.
      _ = isolation
      return await withCheckedContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        let superseded = replaceRequested(with: state)
        core.request(animated: animated, waiter: waiter, home: isolation, audience)
        withExtendedLifetime(superseded) {}
      }
    } onCancel: {
      perform(on: isolation) { bound.callHere { _, bound in bound.0.withdraw(bound.1) } }
    }
  }

  private func withdraw(_ waiter: TransitionWaiter) {
    let withdrawn = core.withdraw(waiter) ? typed.requested.take() : nil
    waiter.resume(.dropped)
    withExtendedLifetime(withdrawn) {}
  }

  // MARK: Life cycle

  /// The container is about to become visible, and so are its children.
  @inlinable
  public func willAppear(animated: Bool) {
    core.willAppear(animated: animated, audience)
  }

  /// The container is visible, and so are its children.
  @inlinable
  public func didAppear(animated: Bool) {
    core.didAppear(animated: animated, audience)
  }

  /// The container is about to disappear. Children that are being added have arrived; a pending request waits until the
  /// container has disappeared.
  @inlinable
  public func willDisappear(animated: Bool) {
    core.willDisappear(animated: animated, audience)
  }

  /// The container has disappeared. It keeps the children of its state.
  @inlinable
  public func didDisappear(animated: Bool) {
    core.didDisappear(animated: animated, audience)
  }

  /// Makes both calls of an appearance: ``willAppear(animated:)`` and ``didAppear(animated:)``.
  @inlinable
  public func appear(animated: Bool) {
    willAppear(animated: animated)
    didAppear(animated: animated)
  }

  /// Makes both calls of a disappearance: ``willDisappear(animated:)`` and ``didDisappear(animated:)``.
  @inlinable
  public func disappear(animated: Bool) {
    willDisappear(animated: animated)
    didDisappear(animated: animated)
  }

  // MARK: Typed states

  @inlinable
  var startingState: State {
    switch origin {
    case .initial(let state): state
    case .appearance(let request): request()
    }
  }

  /// - Returns: The state of the request that is superseded, to be released when the change is complete.
  @inlinable
  func replaceRequested(with state: State) -> State? {
    var state: State? = state
    swap(&state, &typed.requested)
    return state
  }

  @inlinable
  func takeRequested() -> State {
    guard let state = typed.requested.take() else {
      fatalError(
        "AsyncState: a StateContainer begins a transition that was not requested. This is a fault of the library.")
    }
    return state
  }

  @inlinable
  var audience: StateAudience<State> { StateAudience(container: self, delegate: typed.delegate) }
}

/// Containers nest: one that is a child appears and disappears with the container that it is a child of.
extension StateContainer: ChildController {}

extension StateContainer: ContainerShell {
  @usableFromInline
  func animationDidEnd(of child: MovingChild) {
    if !core.submitEnd(of: child) { core.carryOutSteps(audience) }
  }
}

/// A container with its delegate, held while a step is carried out.
@usableFromInline
struct StateAudience<State>: ContainerAudience {
  @usableFromInline let container: StateContainer<State>
  @usableFromInline let delegate: (any StateContainerDelegate<State>)?

  @inlinable
  init(container: StateContainer<State>, delegate: (any StateContainerDelegate<State>)?) {
    self.container = container
    self.delegate = delegate
  }

  @usableFromInline var renewed: any ContainerAudience { container.audience }
  @usableFromInline var shell: any ContainerShell { container }

  @usableFromInline
  func enter(isAppearance: Bool, animated: Bool) -> [any ChildController] {
    container.handleStates(container, delegate, .enter(isAppearance: isAppearance, animated: animated))
  }
  @usableFromInline
  func leave(animated: Bool) {
    _ = container.handleStates(container, delegate, .leave(animated: animated))
  }
  @usableFromInline
  func willAppear(_ child: any ChildController, animated: Bool) {
    delegate?.container(container, childWillAppear: child, animated: animated)
  }
  @usableFromInline
  func didAppear(_ child: any ChildController, animated: Bool) {
    delegate?.container(container, childDidAppear: child, animated: animated)
  }
  @usableFromInline
  func willDisappear(_ child: any ChildController, animated: Bool) {
    delegate?.container(container, childWillDisappear: child, animated: animated)
  }
  @usableFromInline
  func didDisappear(_ child: any ChildController, animated: Bool) {
    delegate?.container(container, childDidDisappear: child, animated: animated)
  }
  @usableFromInline
  func didArrange(_ children: [any ChildController]) {
    delegate?.container(container, didArrange: children)
  }
}
