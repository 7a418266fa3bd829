public import Observation

/// Shows the children of a state, and leads from one state to another in a strict order.
///
/// A container is generic over any `State`: it knows children, never data. Whoever has it makes the four life-cycle
/// calls and asks for transitions; the container tells its children and its ``delegate``, "will" always before "did"
/// and always both. What its callbacks ask of it is done when they have returned.
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
/// A container belongs to the actor that made it. All callbacks come synchronously on that actor.
public final class StateContainer<State>: Observable {
  /// Hears what the container does. Held weakly.
  @exclusivity(unchecked) public weak var delegate: (any StateContainerDelegate<State>)?

  @usableFromInline let initialState: () -> State
  @usableFromInline let makeChildren: (State) -> [any ChildController]
  @usableFromInline let animator: any TransitionAnimator
  @usableFromInline let onEnter: ((_ state: State, _ animated: Bool) -> Void)?

  // The exclusivity of the private state is not checked at run time: every access is a short step of this file's own,
  // none calls out while it lasts, and the checks took a quarter of the time of a transition.

  @exclusivity(unchecked) @usableFromInline var machine = TransitionMachine<State>()
  @exclusivity(unchecked) @usableFromInline var surface = ChildSurface()
  @exclusivity(unchecked) @usableFromInline var tracking = Tracking<ContainerParts>()

  /// Nil until one was determined.
  @exclusivity(unchecked) @usableFromInline var state: State?

  /// The transition that outlasts the step that began it, if there is one.
  @exclusivity(unchecked) @usableFromInline var open: OpenTransition<State>?

  @exclusivity(unchecked) @usableFromInline var animationChoice: AnimationChoice

  /// Whether the transition is animated whose children are being asked for.
  @exclusivity(unchecked) @usableFromInline var isEnteringAnimated = false

  /// A container that has asked for nothing yet.
  ///
  /// - Parameters:
  ///   - initialState: Which state to appear in. Asked anew at each appearance.
  ///   - animator: Runs the animations of animated transitions.
  ///   - children: The children of a state, from bottom to top. Asked once for each transition. A child that two states
  ///     share stays where it is. One that is listed twice is there once.
  @inlinable
  public init(
    initialState: @autoclosure @escaping () -> State, animator: any TransitionAnimator = ImmediateAnimator.shared,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.initialState = initialState
    self.animator = animator
    onEnter = nil
    animationChoice = AnimationChoice(animator)
    makeChildren = children
  }

  /// A container that keeps its state, for a host.
  ///
  /// - Parameter onEnter: Called once for each transition, with the state and whether it is animated: after `W` and the
  ///   change of the state, before `K`.
  @inlinable
  init(
    initialState: State, animator: any TransitionAnimator, onEnter: @escaping (_ state: State, _ animated: Bool) -> Void,
    children: @escaping (State) -> [any ChildController]
  ) {
    self.initialState = { initialState }
    self.animator = animator
    self.onEnter = onEnter
    animationChoice = AnimationChoice(animator)
    makeChildren = children
  }

  // MARK: Reading

  /// The state that the container is in. Before it was in any, the initial state, which is asked for and not kept.
  @inlinable
  public var currentState: State {
    tracking.access(.state)
    return state ?? initialState()
  }

  /// Whether the container was in a state yet.
  @inlinable
  public var hasDeterminedState: Bool {
    tracking.access(.state)
    return state != nil
  }

  /// Whether a transition has begun and not ended. True inside `willTransitionTo`, false inside `didTransitionFrom`.
  @inlinable
  public var isTransitioning: Bool {
    tracking.access(.isTransitioning)
    return machine.phase == .transitioning
  }

  /// Whether the container is on show.
  @inlinable
  public var appearance: Appearance {
    tracking.access(.appearance)
    return machine.appearance
  }

  /// The surface from bottom to top: those that come or stay in the order of the state, above them those that go.
  @inlinable
  public var children: [any ChildController] {
    tracking.access(.children)
    return surface.children
  }

  // MARK: Asking for a transition

  /// Leads to `state`, now or as soon as the transition that is under way has ended.
  ///
  /// Only the last request waits; those before it never show. A transition that is not animated is over when this
  /// returns, unless it is called from a callback of this container or while it appears or disappears. While the
  /// container is gone children change without appearing, and the next appearance asks for the initial state again.
  @inlinable
  public func setNeedsTransition(to state: State, animated: Bool) {
    let request = TransitionRequest(state, animated: animated)
    if machine.mayBeginAtOnce { carryOut(request) } else { enqueue(request) }
    // What its callbacks have asked for. Other steps are seldom, and not compiled where the state is known.
    while let request = machine.nextRequest() { carryOut(request) }
    if machine.hasWork { carryOutSteps() }
  }

  /// Leads to `state`, and waits for the end.
  ///
  /// - Returns: `.finished` after the delegate has heard `didTransitionFrom`; `.superseded` when a later request took
  ///   the place of this one before it began; `.dropped` when the container disappeared before it began.
  public func transition(
    to state: State, animated: Bool, isolation: isolated any Actor = #isolation
  ) async -> TransitionOutcome {
    await withCheckedContinuation(isolation: isolation) { continuation in
      enqueue(TransitionRequest(state, animated: animated, waiter: TransitionWaiter(continuation)))
      carryOutSteps()
    }
  }

  @inlinable
  func enqueue(_ request: TransitionRequest<State>) {
    machine.submit(request)?.waiter?.resume(.superseded)
  }

  // MARK: Life cycle

  /// The container is about to be on show: it asks for the initial state and its children begin to appear.
  public func willAppear(animated: Bool) {
    lifecycle(.willAppear, animated: animated)
  }

  /// The container is on show: so are its children.
  public func didAppear(animated: Bool) {
    lifecycle(.didAppear, animated: animated)
  }

  /// The container is about to go from show. A transition under way comes to its end; a request that waits is dropped.
  public func willDisappear(animated: Bool) {
    lifecycle(.willDisappear, animated: animated)
  }

  /// The container is on show no more. It keeps the children of its state.
  public func didDisappear(animated: Bool) {
    lifecycle(.didDisappear, animated: animated)
  }

  private func lifecycle(_ call: LifecycleCall, animated: Bool) {
    machine.submit(call, animated: animated)?.waiter?.resume(.dropped)
    carryOutSteps()
  }

  // MARK: Steps

  /// Carries out what the machine asks for, until nothing is left to do now. A loop, not a recursion: what callbacks
  /// ask for while it runs is one more turn.
  @usableFromInline
  func carryOutSteps() {
    while let step = machine.next(
      superseded: { $0.waiter?.resume(.superseded) }, dropped: { $0.waiter?.resume(.dropped) })
    {
      // Held for the whole step: one weak load, and whoever hears "will" hears "did".
      if let delegate { carryOut(step, DelegateAudience(delegate)) } else { carryOut(step, NoAudience()) }
      machine.isStepping = false
    }
  }

  private func carryOut(_ step: TransitionMachine<State>.Step, _ audience: some TransitionAudience<State>) {
    switch step {
    case .transition(let request):
      carryOut(request.state, animated: request.animated, waiter: request.waiter, audience)
    case .lifecycle(let call, let appearance, let animated):
      carryOut(call, to: appearance, animated: animated, audience)
    case .endAnimation(let number):
      endAnimation(number, audience)
    case .ignore(let misuse):
      report(misuse)
    }
  }

  private func report(_ misuse: LifecycleMisuse) {
    #if DEBUG
      print(misuse)
    #endif
  }
}

/// The parts of a container that Observation tracks apart from each other.
@usableFromInline
struct ContainerParts: OptionSet {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @usableFromInline static var state: Self { Self(rawValue: 1 << 0) }
  @usableFromInline static var children: Self { Self(rawValue: 1 << 1) }
  @usableFromInline static var isTransitioning: Self { Self(rawValue: 1 << 2) }
  @usableFromInline static var appearance: Self { Self(rawValue: 1 << 3) }
}
