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
  /// What the compiler knows only where it knows `State`.
  @usableFromInline
  struct Typed {
    weak var delegate: (any StateContainerDelegate<State>)?

    // Last, because what follows them has no fixed place in code that is not specialised.
    /// - `current`: the initial state until another was determined; nil in a container that requests its states.
    /// - `other`: the next state until it becomes the current one, then the state that the open transition has left.
    /// - `requested`: the state of the request that waits or is about to begin.
    @usableFromInline var states: (current: State?, other: State?, requested: State?) = (nil, nil, nil)
  }

  let core: ContainerCore
  private let appearanceState: (() -> State)?

  // What handles states, as closures that are made where `State` is known: a method of a generic class would look up the
  // type of every value that it copies.
  private let handle: (StateContainer, (any StateContainerDelegate<State>)?, StatePhase) -> Void
  private let request: (StateContainer, State, _ submit: () -> Void) -> Void

  // Justified: every access is a short step of this file that calls nothing while it lasts. A checked access takes 76
  // instructions, and a transition, of some 2,100, has nine.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var typed = Typed()

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
    self.init(initial: initialState, animator: animator, present: nil, children: children)
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
    self.init(appearanceState: appearanceState, animator: animator, present: nil, children: children)
  }

  /// One of the two states is given.
  ///
  /// - Parameter present: Called once for each transition, after `W` and the change of the state, and before `K`.
  @inlinable
  convenience init(
    initial: State? = nil, appearanceState: (() -> State)? = nil, animator: any TransitionAnimator,
    present: ((_ state: State, _ animated: Bool) -> Void)?, children: @escaping (State) -> [any ChildController]
  ) {
    self.init(appearanceState, animator) { container, delegate, phase in
      switch phase {
      case .determine(isAppearance: true):
        container.typed.states.other = appearanceState?() ?? container.typed.states.current
      case .determine(isAppearance: false):
        container.typed.states.other = container.typed.states.requested.take()
      case .announce(let animated):
        guard let next = container.typed.states.other else { break }
        delegate?.container(container, willTransitionTo: next, animated: animated)
      case .change(let isFirst):
        let former = container.typed.states.current
        container.typed.states.current = container.typed.states.other.take()
        // An initial state that was not displayed was not left.
        container.typed.states.other = isFirst ? nil : former
      case .makeChildren(let animated):
        guard let state = container.typed.states.current else { break }
        present?(state, animated)
        container.receive(children(state))
      case .conclude(let animated):
        let left = container.typed.states.other.take()
        delegate?.container(container, didTransitionFrom: left, animated: animated)
      }
    } request: { container, state, submit in
      var superseded: State? = state
      swap(&superseded, &container.typed.states.requested)
      submit()
      // It may be an object with a `deinit` that calls the container.
      withExtendedLifetime(superseded) {}
    }
    typed.states.current = initial
  }

  @usableFromInline
  init(
    _ appearanceState: (() -> State)?, _ animator: any TransitionAnimator,
    handle: @escaping (StateContainer, (any StateContainerDelegate<State>)?, StatePhase) -> Void,
    request: @escaping (StateContainer, State, _ submit: () -> Void) -> Void
  ) {
    core = ContainerCore(animator: animator, keepsState: appearanceState == nil)
    self.appearanceState = appearanceState
    self.handle = handle
    self.request = request
  }

  // MARK: Reading

  /// Is notified of everything that the container does. Held weakly.
  public var delegate: (any StateContainerDelegate<State>)? {
    get { typed.delegate }
    set { typed.delegate = newValue }
  }

  /// The state of the container. Before there was a transition: the state to appear in, which is not stored.
  public var currentState: State {
    core.accessState()
    guard let state = typed.states.current ?? appearanceState?() else {
      fatalError(
        "AsyncState: a StateContainer has no state and no way to request one. This is a fault of the library.")
    }
    return state
  }

  /// Whether the container has had a transition to a state.
  public var hasDeterminedState: Bool { core.hasState }

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
  ///   - isolation: The caller's actor. On it the container is notified if an animation is released unfinished.
  /// - Complexity: A transition makes O(*n*) calls for *n* children before and after it. After each child that leaves,
  ///   the others are arranged again, so it takes O(*n* · *m*) for *m* that leave.
  public func setNeedsTransition(
    to state: State, animated: Bool, isolation: isolated (any Actor)? = #isolation
  ) {
    request(self, state) { carryOut { core.request(animated: animated, waiter: nil, home: isolation, $0) } }
  }

  /// Requests a transition to `state`, and waits for its end.
  ///
  /// - Returns: `.finished` after the delegate was notified with `didTransitionFrom`; `.superseded` when a later request
  ///   replaced this one before it began; `.dropped`, at once, when the calling task is cancelled. A request that has not
  ///   begun by then is withdrawn.
  public func transition(
    to state: State, animated: Bool, isolation: isolated any Actor = #isolation
  ) async -> TransitionOutcome {
    guard !Task.isCancelled else { return .dropped }
    let waiter = TransitionWaiter()
    let cancellation = waiter.cancellation
    let bound = ActorBound((self, waiter), to: isolation)
    return await withTaskCancellationHandler {
      // Captured, so that the closure is isolated to the actor, too.
      _ = isolation
      return await withCheckedContinuation { continuation in
        guard waiter.wait(continuation) else { return }
        request(self, state) { carryOut { core.request(animated: animated, waiter: waiter, home: isolation, $0) } }
      }
    } onCancel: {
      cancellation.note()
      bound.send { $0.withdraw($1) }
    }
  }

  private func withdraw(_ waiter: TransitionWaiter) {
    let withdrawn = core.withdraw(waiter) ? typed.states.requested.take() : nil
    waiter.resume(.dropped)
    withExtendedLifetime(withdrawn) {}
  }

  // MARK: Life cycle

  /// The container is about to become visible, and so are its children.
  public func willAppear(animated: Bool) {
    carryOut { core.call(.willAppear, animated: animated, $0) }
  }

  /// The container is visible, and so are its children.
  public func didAppear(animated: Bool) {
    carryOut { core.call(.didAppear, animated: animated, $0) }
  }

  /// The container is about to disappear. Children that are being added have arrived; a pending request waits until the
  /// container has disappeared.
  public func willDisappear(animated: Bool) {
    carryOut { core.call(.willDisappear, animated: animated, $0) }
  }

  /// The container has disappeared. It keeps the children of its state.
  public func didDisappear(animated: Bool) {
    carryOut { core.call(.didDisappear, animated: animated, $0) }
  }

  /// Makes both calls of an appearance: ``willAppear(animated:)`` and ``didAppear(animated:)``.
  public func appear(animated: Bool) {
    willAppear(animated: animated)
    didAppear(animated: animated)
  }

  /// Makes both calls of a disappearance: ``willDisappear(animated:)`` and ``didDisappear(animated:)``.
  public func disappear(animated: Bool) {
    willDisappear(animated: animated)
    didDisappear(animated: animated)
  }
}

/// Containers nest: one that is a child appears and disappears with the container that it is a child of.
extension StateContainer: ChildController {}

// MARK: - Steps

extension StateContainer: ContainerShell {
  func carryOutPendingSteps() {
    carryOut { _ in }
  }

  /// The children of the next state, which a step has requested.
  @usableFromInline
  func receive(_ children: [any ChildController]) {
    core.parts.requestedChildren = children
  }

  /// Carries out a step, and what waits then. A loop: what callbacks request is one more turn.
  private func carryOut(_ step: (ContainerAudience) -> Void) {
    callDelegate(in: step)
    var goesOn = core.hasWork
    while goesOn {
      // It does not begin any more, though its actor has had no time to withdraw it.
      if let waiter = core.cancelledWaiter { withdraw(waiter) }
      callDelegate { goesOn = core.carryOutNextStep($0) && core.hasWork }
    }
    core.assertConsistency()
  }

  /// Carries out one step with the delegate that the container has now.
  private func callDelegate(in step: (ContainerAudience) -> Void) {
    let delegate = typed.delegate
    guard let hook = core.parts.hook else { return step { notify(delegate, of: $0) } }
    hook.carryOut {
      step { event in
        hook.willNotify(of: event)
        notify(delegate, of: event)
      }
    }
  }

  private func notify(_ delegate: (any StateContainerDelegate<State>)?, of event: ContainerEvent) {
    switch event {
    case .states(let phase):
      handle(self, delegate, phase)
    case .willAppear(let child, let animated):
      delegate?.container(self, childWillAppear: child, animated: animated)
    case .didAppear(let child, let animated):
      delegate?.container(self, childDidAppear: child, animated: animated)
    case .willDisappear(let child, let animated):
      delegate?.container(self, childWillDisappear: child, animated: animated)
    case .didDisappear(let child, let animated):
      delegate?.container(self, childDidDisappear: child, animated: animated)
    case .didArrange(let children):
      delegate?.container(self, didArrange: children)
    case .animate(let child):
      child.keep(self, core)
    }
  }
}

extension StateContainer: CustomStringConvertible {
  /// The type, the state, and whether the container is visible, as in `StateContainer<Tab>: feed, visible, 1 child`.
  ///
  /// Call it on the actor of the container.
  public var description: String {
    let (children, queue) = (core.parts.surface.children.count, core.parts.queue)
    var words = [typed.states.current.map { "\($0)" } ?? "no state yet", "\(queue.appearance)"]
    words.append(children == 1 ? "1 child" : "\(children) children")
    if queue.isTransitioning { words.append("in transition") }
    return "\(Self.self): " + words.joined(separator: ", ")
  }
}
