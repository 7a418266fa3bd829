// The order of a container's callbacks: section 5 of the contract. Nothing here depends on the type of the state.
//
// State. `queue` holds the appearance, whether a transition is open, and the work that waits. `surface` holds the
// children. `moving` holds one record for each child whose arrival or departure outlasts the step that began it: it is
// animated, or is added while the container itself appears. `open` holds what such a transition needs for its end. The
// typed states belong to the shell.
//
// Guard. A core belongs to the actor of its container and is used only there. `queue.isStepping` is true while callbacks
// are called, so that whatever they request is queued: no step sees another half done. Each function changes the state
// first and calls out afterwards; the state is copied into local variables before it is iterated with calls.
//
// Invariants, asserted in debug builds:
//   1. Between two steps, no transition is open unless `open` is set, and `open` is set only in an open transition.
//   2. With no open transition nothing moves, and the surface is exactly the children of the last state.
//   3. A child that gets `didDisappear` and `didDetach` on leaving is not on the surface (see `leave`).

/// What a step calls: the shell with its typed states, and the delegate, which is held for one step so that the
/// delegate that is notified of a "will" is notified of the "did".
@usableFromInline
protocol ContainerAudience {
  /// The same shell with the delegate that it has now, for another step.
  var renewed: any ContainerAudience { get }
  var shell: any ContainerShell { get }

  /// `W`, the change of the state, `K`; before that, at an appearance, `I` if the container requests its state.
  func enter(isAppearance: Bool, animated: Bool) -> [any ChildController]
  /// `D`.
  func leave(animated: Bool)

  func willAppear(_ child: any ChildController, animated: Bool)
  func didAppear(_ child: any ChildController, animated: Bool)
  func willDisappear(_ child: any ChildController, animated: Bool)
  func didDisappear(_ child: any ChildController, animated: Bool)
  func didArrange(_ children: [any ChildController])
}

/// A container as its animations know it.
@usableFromInline
protocol ContainerShell: AnyObject {
  func animationDidEnd(of child: MovingChild)
}

/// The parts of a container that Observation tracks separately.
@usableFromInline
struct ContainerParts: OptionSet {
  @usableFromInline let rawValue: UInt16

  @usableFromInline
  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  @usableFromInline static var state: Self { Self(rawValue: 1 << 0) }
  static var children: Self { Self(rawValue: 1 << 1) }
  static var isTransitioning: Self { Self(rawValue: 1 << 2) }
  static var appearance: Self { Self(rawValue: 1 << 3) }
}

@usableFromInline
final class ContainerCore {
  /// A transition that outlasts the step that began it.
  struct OpenTransition {
    let waiter: TransitionWaiter?
    let animated: Bool
    /// The animations are being handed over one after another: it is too early for the end.
    var isHandingOver: Bool
  }

  struct Parts {
    var queue = StepQueue()
    var surface = ChildSurface()
    var moving: [MovingChild] = []
    var open: OpenTransition?
    /// A transition has begun: there is a state.
    var hasEntered = false
    var participation = Participation()
    var tracking = Tracking<ContainerParts>()
    /// The actor from which the last animated transition was requested, if it was requested from one.
    weak var home: (any Actor)?
  }

  // Justified: every access is a short step of the core that calls nothing while it lasts, and the checks take a third
  // of the time of a transition.
  @exclusivity(unchecked) var parts = Parts()

  let animator: any TransitionAnimator
  let animatorTakesNoTime: Bool
  /// Whether a reappearance displays the children again, without a transition.
  let keepsState: Bool

  @usableFromInline
  init(animator: any TransitionAnimator, keepsState: Bool) {
    self.animator = animator
    self.keepsState = keepsState
    animatorTakesNoTime = animator is ImmediateAnimator
  }

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

  @usableFromInline
  func accessState() {
    parts.tracking.access(.state)
  }

  /// Calls `change`, which changes the state, and reports it to Observation.
  @usableFromInline
  func changingState(_ change: () -> Void) {
    parts.tracking.changing(.state, change)
  }

  // MARK: Input

  /// Carries out a request, now or when it may begin. The shell has its state.
  ///
  /// - Parameter home: The actor of the caller, if it is on one.
  @usableFromInline
  func request(animated: Bool, waiter: TransitionWaiter?, home: (any Actor)?, _ audience: some ContainerAudience) {
    if animated && !animatorTakesNoTime { parts.home = home }
    let request = StepQueue.Request(waiter: waiter, animated: animated)
    if parts.queue.mayBeginAtOnce {
      parts.queue.beginAtOnce()
      carryOut(request, audience)
      parts.queue.finishStep()
    } else {
      collectAbandoned()
      parts.queue.submit(request)?.waiter?.resume(.superseded)
    }
    carryOutSteps(audience)
  }

  @usableFromInline
  func willAppear(animated: Bool, _ audience: some ContainerAudience) {
    call(.willAppear, animated: animated, audience)
  }
  @usableFromInline
  func didAppear(animated: Bool, _ audience: some ContainerAudience) {
    call(.didAppear, animated: animated, audience)
  }
  @usableFromInline
  func willDisappear(animated: Bool, _ audience: some ContainerAudience) {
    call(.willDisappear, animated: animated, audience)
  }
  @usableFromInline
  func didDisappear(animated: Bool, _ audience: some ContainerAudience) {
    call(.didDisappear, animated: animated, audience)
  }

  private func call(_ call: LifecycleCall, animated: Bool, _ audience: some ContainerAudience) {
    collectAbandoned()
    if let step = parts.queue.beginAtOnce(call, animated: animated) {
      carryOut(step, audience)
      parts.queue.finishStep()
    } else {
      parts.queue.submit(call, animated: animated)
    }
    carryOutSteps(audience)
  }

  /// - Returns: Whether a step is being carried out, which will see to it.
  func submitEnd(of child: MovingChild) -> Bool {
    parts.queue.submit(ended: child)
    return parts.queue.isStepping
  }

  /// - Returns: Whether the pending request was this waiter's. It will not be carried out.
  func withdraw(_ waiter: TransitionWaiter) -> Bool {
    parts.queue.withdraw(waiter)
  }

  // MARK: Steps

  /// Carries out what waits, until nothing may be done now. A loop: what callbacks request is one more turn.
  func carryOutSteps(_ audience: some ContainerAudience) {
    while parts.queue.hasWork, let step = parts.queue.beginStep() {
      carryOut(step, audience.renewed)
      parts.queue.finishStep()
    }
    assert(parts.queue.isStepping || isConsistent, "a step has left the container inconsistent")
  }

  private func carryOut(_ step: StepQueue.Step, _ audience: some ContainerAudience) {
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

  /// Animations that were released on an unknown actor are over when the container is called next.
  private func collectAbandoned() {
    guard !parts.moving.isEmpty, !parts.queue.isStepping else { return }
    for child in parts.moving where child.wasAbandoned { parts.queue.submit(ended: child) }
  }

  private var isConsistent: Bool {
    // 1, 2
    let isOpen = parts.open != nil
    return isOpen == parts.queue.isTransitioning && (isOpen || parts.moving.isEmpty && parts.surface.isSettled)
  }

  // MARK: Both ends of a transition

  /// Called by the shell when it has determined the next state, before `W`.
  @usableFromInline
  func willEnter() {
    parts.hasEntered = true
    parts.tracking.changing(.isTransitioning) { parts.queue.openTransition() }
  }

  func close(animated: Bool, _ audience: some ContainerAudience) {
    parts.tracking.changing(.isTransitioning) { parts.queue.closeTransition() }
    audience.leave(animated: animated)
  }

  /// Ends the open transition once nothing moves any more.
  func closeIfOver(_ audience: some ContainerAudience) {
    guard parts.moving.isEmpty, let open = parts.open, !open.isHandingOver else { return }
    parts.open = nil
    close(animated: open.animated, audience)
    open.waiter?.resume(.finished)
  }

  // MARK: One child

  func beginArriving(_ child: any ChildController, animated: Bool, _ audience: some ContainerAudience) {
    child.willAttach()
    audience.willAppear(child, animated: animated)
    child.willAppear(animated: animated)
  }

  /// The one way in: the child has appeared and, if it was added, belongs to the container.
  func arrive(
    _ child: any ChildController, isAdded: Bool, animated: Bool, _ audience: some ContainerAudience
  ) {
    child.didAppear(animated: animated)
    audience.didAppear(child, animated: animated)
    if isAdded { child.didAttach() }
  }

  func beginLeaving(_ child: any ChildController, animated: Bool, _ audience: some ContainerAudience) {
    child.willDetach()
    audience.willDisappear(child, animated: animated)
    child.willDisappear(animated: animated)
  }

  /// The one way out: off the surface, disappeared, detached.
  ///
  /// - Parameter animated: The flag of the callbacks; nil if the child was not visible and does not disappear.
  func leave(_ child: any ChildController, animated: Bool?, _ audience: some ContainerAudience) {
    parts.tracking.changing(.children) { parts.surface.remove(child) }
    audience.didArrange(parts.surface.children)
    if let animated {
      child.didDisappear(animated: animated)
      audience.didDisappear(child, animated: animated)
    }
    child.didDetach()
  }

  func arrange(_ difference: ChildDifference, _ audience: some ContainerAudience) {
    guard difference.changesSurface else { return parts.surface.arrange(difference) }
    parts.tracking.changing(.children) { parts.surface.arrange(difference) }
    audience.didArrange(parts.surface.children)
  }
}
