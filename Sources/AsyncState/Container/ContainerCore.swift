// The order of a container's callbacks: section 5 of the contract. Nothing here depends on the type of the state.
//
// State. `queue` holds the appearance, whether a transition is open, and the work that waits. `surface` holds the
// children. `moving` holds one record for each child whose arrival or departure outlasts the step that began it: it is
// animated, or is added while the container itself appears. `open` holds what such a transition needs for its end. The
// typed states belong to the generic container.
//
// Guard. A core belongs to the actor of its container and is used only there. `queue.isStepping` is true while callbacks
// are called, so that whatever they request is queued: no step sees another half done. Each function changes the state
// first and calls out afterwards; the state is copied into local variables before it is iterated with calls.
//
// Invariants, asserted in debug builds:
//   1. Between two steps, no transition is open unless `open` is set, and `open` is set only in an open transition.
//   2. With no open transition nothing moves, and the surface is exactly the children of the last state.
//   3. A child that gets `didDisappear` and `didDetach` on leaving is not on the surface (see `leave`).

/// How a step calls the generic container, with its typed states and its delegate. It does not escape, so the delegate,
/// which is held weakly otherwise, is retained once a step: the one that is notified of a "will" is notified of the "did".
typealias ContainerAudience = (ContainerEvent) -> Void

/// What a step has for the generic container.
enum ContainerEvent {
  /// The next part of a transition, as far as it has to do with states.
  case states(StatePhase)

  case willAppear(any ChildController, animated: Bool)
  case didAppear(any ChildController, animated: Bool)
  case willDisappear(any ChildController, animated: Bool)
  case didDisappear(any ChildController, animated: Bool)
  case didArrange([any ChildController])

  /// An animation begins, which keeps the container and calls it at its end.
  case animate(MovingChild)
}

/// What is done with the states of a transition, one after another.
@usableFromInline
enum StatePhase {
  /// The next state is determined: the one that was requested, or at an appearance the one to appear in.
  case determine(isAppearance: Bool)
  /// `W`.
  case announce(animated: Bool)
  /// The next state becomes the current one.
  case change(isFirst: Bool)
  /// What presents states besides the children, and `K`.
  case makeChildren(animated: Bool)
  /// `D`.
  case conclude(animated: Bool)
}

/// The generic container, for those who do not know its state.
protocol ContainerShell: AnyObject {
  /// Carries out what waits.
  func carryOutPendingSteps()
}

/// The parts of a container that Observation tracks separately.
struct ContainerParts: OptionSet {
  let rawValue: UInt16

  static var state: Self { Self(rawValue: 1 << 0) }
  static var children: Self { Self(rawValue: 1 << 1) }
  static var isTransitioning: Self { Self(rawValue: 1 << 2) }
  static var appearance: Self { Self(rawValue: 1 << 3) }
  /// Whether there has been a transition to a state.
  static var hasState: Self { Self(rawValue: 1 << 4) }
}

final class ContainerCore {
  /// A transition that outlasts the step that began it.
  struct OpenTransition {
    let waiter: TransitionWaiter?
    let animated: Bool
    /// The animations are being handed over one after another: it is too early for the end.
    var isHandingOver: Bool
  }

  struct Parts {
    // In this order they take the least room.
    var queue = StepQueue()
    /// A transition has begun: there is a state.
    var hasEntered = false
    let animatorTakesNoTime: Bool
    /// Whether a reappearance displays the children again, without a transition.
    let keepsState: Bool
    var surface = ChildSurface()
    var moving: [MovingChild] = []
    var open: OpenTransition?
    var participation = Participation()
    /// The children of the next state, until the step takes them.
    var requestedChildren: [any ChildController] = []
    var tracking = Tracking<ContainerParts>()
    /// The actor from which an animated transition was requested, if one was requested from an actor.
    weak var home: (any Actor)?
    /// Records what the container does; nil without a journal.
    var hook: ContainerHook?
  }

  // Justified: every access is a short step of the core that calls nothing while it lasts. With checks one child for
  // another takes 3,129 instructions instead of 2,153.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var parts: Parts

  let animator: any TransitionAnimator

  init(animator: any TransitionAnimator, keepsState: Bool) {
    self.animator = animator
    parts = Parts(animatorTakesNoTime: animator is ImmediateAnimator, keepsState: keepsState)
  }

  var animatorTakesNoTime: Bool { parts.animatorTakesNoTime }
  var keepsState: Bool { parts.keepsState }

  // MARK: Reading

  var isTransitioning: Bool {
    parts.tracking.access(.isTransitioning)
    return parts.queue.isTransitioning
  }

  var appearance: Appearance {
    parts.tracking.access(.appearance)
    return parts.queue.appearance
  }

  var children: [any ChildController] {
    parts.tracking.access(.children)
    return parts.surface.children
  }

  /// The caller reads the state.
  func accessState() {
    parts.tracking.access(.state)
  }

  /// Whether there has been a transition to a state.
  var hasState: Bool {
    parts.tracking.access(.hasState)
    return parts.hasEntered
  }

  /// The owner knows the actor: its requests need not pass it on.
  func belong(to home: any Actor) {
    parts.home = home
  }

  // MARK: Input

  /// Carries out a request, now or when it may begin. The generic container has its state.
  ///
  /// - Parameter home: The actor of the caller, if it is on one.
  func request(animated: Bool, waiter: TransitionWaiter?, home: (any Actor)?, _ audience: ContainerAudience) {
    if animated && !animatorTakesNoTime, let home { parts.home = home }
    let request = StepQueue.Request(waiter: waiter, animated: animated)
    if parts.queue.mayBeginAtOnce {
      parts.queue.beginAtOnce()
      carryOut(request, audience)
      parts.queue.finishStep()
    } else {
      if !parts.queue.isStepping { collectReleased() }
      parts.hook?.willWait(.request)
      parts.queue.submit(request)?.waiter?.resume(.superseded)
    }
  }

  /// Carries out a life-cycle call, now or when it may begin.
  func call(_ call: LifecycleCall, animated: Bool, _ audience: ContainerAudience) {
    if !parts.queue.isStepping { collectReleased() }
    if let step = parts.queue.beginAtOnce(call, animated: animated) {
      carryOut(step, audience)
      parts.queue.finishStep()
    } else {
      parts.hook?.willWait(.call)
      parts.queue.submit(call, animated: animated)
    }
  }

  /// The animation of a child has ended. If no step is being carried out, which would see to it, the container does.
  func animationDidEnd(of child: MovingChild, in container: AnyObject) {
    parts.queue.submit(ended: child)
    // Found here, and not when the animation begins: most end inside their step, and need no container.
    if !parts.queue.isStepping { (container as? any ContainerShell)?.carryOutPendingSteps() }
  }

  /// Who waits for the pending request, if the caller was cancelled.
  var cancelledWaiter: TransitionWaiter? {
    guard let waiter = parts.queue.pendingWaiter, waiter.cancellation.wasNoted else { return nil }
    return waiter
  }

  /// - Returns: Whether the pending request was this waiter's. It will not be carried out.
  func withdraw(_ waiter: TransitionWaiter) -> Bool {
    parts.queue.withdraw(waiter)
  }

  // MARK: Steps

  var hasWork: Bool { parts.queue.hasWork }

  /// Carries out the next step, if there is one and it may begin.
  ///
  /// - Returns: Whether it did.
  func carryOutNextStep(_ audience: ContainerAudience) -> Bool {
    guard let step = parts.queue.beginStep() else { return false }
    if let hook = parts.hook { hook.didWait(step) }
    carryOut(step, audience)
    parts.queue.finishStep()
    return true
  }

  func assertConsistency() {
    assert(parts.queue.isStepping || isConsistent, "a step has left the container inconsistent")
  }

  private func carryOut(_ step: StepQueue.Step, _ audience: ContainerAudience) {
    switch step {
    case .transition(let request): carryOut(request, audience)
    case .lifecycle(let call, let animated): carryOut(call, animated: animated, audience)
    case .endAnimation(let child): endAnimation(of: child, audience)
    case .ignore(let misuse):
      #if DEBUG
        print(misuse)
      #endif
    }
  }

  /// Animations that were released are over.
  func collectReleased() {
    for child in parts.moving where child.wasReleased { parts.queue.submit(ended: child) }
  }

  private var isConsistent: Bool {
    // 1, 2
    let isOpen = parts.open != nil
    return isOpen == parts.queue.isTransitioning && (isOpen || parts.moving.isEmpty && parts.surface.isSettled)
  }

  // MARK: Both ends of a transition

  /// `W`, the change of the state, `K`; before that, at an appearance, `I` if the container requests its state.
  func enter(isAppearance: Bool, animated: Bool, _ audience: ContainerAudience) -> [any ChildController] {
    // Readers are notified before the change, and may request another state: the next one is determined before.
    audience(.states(.determine(isAppearance: isAppearance)))
    parts.tracking.changing(.isTransitioning) { parts.queue.openTransition() }
    audience(.states(.announce(animated: animated)))
    parts.tracking.changing(parts.hasEntered ? .state : [.state, .hasState]) {
      audience(.states(.change(isFirst: !parts.hasEntered)))
      parts.hasEntered = true
    }
    audience(.states(.makeChildren(animated: animated)))
    var children: [any ChildController] = []
    swap(&children, &parts.requestedChildren)
    return children
  }

  /// `D`.
  func close(animated: Bool, _ audience: ContainerAudience) {
    parts.tracking.changing(.isTransitioning) { parts.queue.closeTransition() }
    audience(.states(.conclude(animated: animated)))
  }

  /// Ends the open transition once nothing moves any more.
  func closeIfOver(_ audience: ContainerAudience) {
    guard parts.moving.isEmpty, let open = parts.open, !open.isHandingOver else { return }
    parts.open = nil
    close(animated: open.animated, audience)
    open.waiter?.resume(.finished)
  }

  // MARK: One child

  func beginArriving(_ child: any ChildController, animated: Bool, _ audience: ContainerAudience) {
    child.willAttach()
    audience(.willAppear(child, animated: animated))
    child.willAppear(animated: animated)
  }

  /// The one way in: the child has appeared and, if it was added, belongs to the container.
  func arrive(
    _ child: any ChildController, isAdded: Bool, animated: Bool, _ audience: ContainerAudience
  ) {
    child.didAppear(animated: animated)
    audience(.didAppear(child, animated: animated))
    if isAdded { child.didAttach() }
  }

  func beginLeaving(_ child: any ChildController, animated: Bool, _ audience: ContainerAudience) {
    child.willDetach()
    audience(.willDisappear(child, animated: animated))
    child.willDisappear(animated: animated)
  }

  /// The one way out: off the surface, disappeared, detached.
  ///
  /// - Parameter animated: The flag of the callbacks; nil if the child was not visible and does not disappear.
  func leave(_ child: any ChildController, animated: Bool?, _ audience: ContainerAudience) {
    parts.tracking.changing(.children) { parts.surface.remove(child) }
    audience(.didArrange(parts.surface.children))
    if let animated {
      child.didDisappear(animated: animated)
      audience(.didDisappear(child, animated: animated))
    }
    child.didDetach()
  }

  func arrange(_ difference: ChildDifference, _ audience: ContainerAudience) {
    guard difference.changesSurface else { return parts.surface.arrange(difference) }
    parts.tracking.changing(.children) { parts.surface.arrange(difference) }
    audience(.didArrange(parts.surface.children))
  }
}
