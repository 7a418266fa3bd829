// SPDX-License-Identifier: MIT
public import Observation

/// Displays the children of a state, and changes from one state to another in a strict order.
///
/// A container is generic over any `State`: it has children, never data. Its owner forwards the four life-cycle calls and
/// requests transitions; the container notifies its children and its ``delegate``, always with "will" and then "did". Requests
/// that its callbacks make are carried out when they have returned.
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
/// There are two kinds of container, which differ when they appear again: one keeps its state, such as a wizard that was
/// covered at its third step; the other requests the state to appear in anew.
///
/// A container is a child controller, so containers nest. It belongs to the actor that created it, and all callbacks are
/// synchronous and on that actor. Its last reference may be released on any thread.
public final class StateContainer<State>: Observable {
  // Justified: every access is a short step of the container that calls nothing while it lasts. With checks a flip
  // takes almost twice as many instructions. The same holds for the states. Noticed: the model of the container,
  // because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var parts: Parts

  let animator: any TransitionAnimator
  private let appearanceState: (() -> State)?
  /// Called once in each transition, after `W` and the change of the state.
  @usableFromInline let makeChildren: (_ state: State, _ animated: Bool) -> [any ChildController]

  // The states are last, because the fields after them have no fixed place in unspecialised code. Such code looks up the type
  // `State?` in each function that names it, at the head of the function, even if only a rare branch needs it: 330
  // instructions. So the common way, from `setNeedsTransition` to `close`, is inlinable, and the other functions that it enters
  // do not name the type: the functions that do are never inlined.

  /// The state of the container: the initial one until another was entered; nil before that in a container that requests
  /// its states.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var current: State?

  /// The state that the open transition has left; nil also if there was none before it.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var left: State?

  /// The state of the request that waits.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var requested: State?

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
    self.init(initial: initialState, animator: animator) { state, _ in children(state) }
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
    self.init(animator, appearanceState) { state, _ in children(state) }
  }

  @inlinable
  convenience init(
    initial: State, animator: any TransitionAnimator,
    children: @escaping (_ state: State, _ animated: Bool) -> [any ChildController]
  ) {
    self.init(animator, nil, children)
    current = initial
  }

  @usableFromInline
  init(
    _ animator: any TransitionAnimator, _ appearanceState: (() -> State)?,
    _ makeChildren: @escaping (_ state: State, _ animated: Bool) -> [any ChildController]
  ) {
    self.animator = animator
    self.appearanceState = appearanceState
    self.makeChildren = makeChildren
    parts = Parts(animatorTakesNoTime: animator is ImmediateAnimator, keepsState: appearanceState == nil)
  }

  // MARK: Reading

  /// Is notified of every step of the container. Held weakly. One that is set during an animated transition is notified of the
  /// rest of it: a "did" without its "will".
  public var delegate: (any StateContainerDelegate<State>)? {
    get { parts.delegate }
    set { parts.delegate = newValue }
  }

  /// The state of the container. Before there was a transition: the state to appear in, which is not stored.
  public var currentState: State {
    parts.tracking.access(.state)
    return current ?? stateToAppearIn
  }

  /// The state to appear in, which a container that does not keep its state requests anew.
  var stateToAppearIn: State {
    guard let state = appearanceState?() ?? current else {
      fatalError(
        "AsyncState: a StateContainer has no state and no way to request one. This is a fault of the library.")
    }
    return state
  }

  /// True after the container has had a transition to a state.
  public var hasDeterminedState: Bool {
    parts.tracking.access(.hasState)
    return parts.hasEntered
  }

  /// The number of animated transitions from one state to another, the open one included. It changes with the state.
  package var animatedTransitions: Int {
    parts.tracking.access(.state)
    return parts.animatedTransitions
  }

  /// True if a transition has begun and not ended. True inside `willTransitionTo`, false inside `didTransitionFrom`.
  public var isTransitioning: Bool {
    parts.tracking.access(.isTransitioning)
    return parts.queue.isTransitioning
  }

  /// The visibility of the container.
  package var appearance: Appearance {
    parts.tracking.access(.appearance)
    return parts.queue.appearance
  }

  /// The children from bottom to top: incoming and kept ones in the order of the state, above them outgoing ones.
  public var children: [any ChildController] {
    parts.tracking.access(.children)
    return parts.surface.children
  }

  // MARK: Transitions

  /// Requests a transition to `state`, which begins now or as soon as the open transition has ended.
  ///
  /// Only the last request waits; states in between are never displayed. A transition that is not animated is over when
  /// this returns, unless it is called from a callback of this container, or while the container appears or disappears:
  /// then it begins when that is over. While the container is not visible, children change without appearing.
  ///
  /// - Parameters:
  ///   - state: The next state. It may be equal to the current one.
  ///   - animated: True if the children that are added and removed are animated.
  ///   - isolation: The caller's actor. On it the container is notified if an animation is released unfinished.
  /// - Complexity: A transition makes O(*n*) calls for *n* children before and after it. After each child that leaves,
  ///   the others are arranged again, so it takes O(*n* · *m*) for *m* that leave.
  @inlinable
  public func setNeedsTransition(
    to state: State, animated: Bool, isolation: isolated (any Actor)? = #isolation
  ) {
    request(state, animated: animated, home: isolation)
  }

  /// Requests a transition to `state`, and waits for its end.
  ///
  /// - Parameters:
  ///   - state: The next state. It may be equal to the current one.
  ///   - animated: True if the children that are added and removed are animated.
  ///   - isolation: The caller's actor. On it the container is notified if an animation is released unfinished.
  ///
  /// - Returns: `.finished` after the delegate was notified with `didTransitionFrom`; `.superseded` when a later request
  ///   replaced this one before it began; `.dropped`, at once, when the calling task is cancelled. A request that has not
  ///   begun before that is withdrawn.
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
        if waiter.wait(continuation) { request(state, animated: animated, waiter: waiter, home: isolation) }
      }
    } onCancel: {
      cancellation.note()
      bound.send { $0.withdraw($1) }
    }
  }

  // MARK: Life cycle

  /// The container is about to become visible, and so are its children.
  public func willAppear(animated: Bool) { carryOut(.willAppear, animated: animated) }

  /// The container is visible, and so are its children.
  public func didAppear(animated: Bool) { carryOut(.didAppear, animated: animated) }

  /// The container is about to disappear. Children that are being added have arrived; a pending request waits until the
  /// container has disappeared.
  public func willDisappear(animated: Bool) { carryOut(.willDisappear, animated: animated) }

  /// The container has disappeared. It keeps the children of its state.
  public func didDisappear(animated: Bool) { carryOut(.didDisappear, animated: animated) }

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

/// Containers nest: one that is a child appears and disappears with its parent container.
extension StateContainer: ChildController {}

extension StateContainer: CustomStringConvertible {
  /// The type, the state, and the visibility, as in `StateContainer<Tab>: feed, visible, 1 child`.
  ///
  /// Call it on the actor of the container.
  public var description: String {
    let (children, queue) = (parts.surface.children.count, parts.queue)
    var words = [current.map { "\($0)" } ?? "no state yet", "\(queue.appearance)"]
    words.append(children == 1 ? "1 child" : "\(children) children")
    if queue.isTransitioning { words.append("in transition") }
    return "\(Self.self): " + words.joined(separator: ", ")
  }
}
