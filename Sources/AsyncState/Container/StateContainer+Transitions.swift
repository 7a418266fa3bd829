// Carrying out transitions. The order of calls is the contract's, section 5; what may begin when is the machine's.

extension StateContainer {
  /// Carries out a request as a step of its own.
  @inlinable
  func carryOut(_ request: TransitionRequest<State>) {
    machine.isStepping = true
    if let delegate {
      carryOut(request.state, animated: request.animated, waiter: request.waiter, DelegateAudience(delegate))
    } else {
      carryOut(request.state, animated: request.animated, waiter: request.waiter, NoAudience())
    }
    machine.isStepping = false
  }

  /// Leads from the state that stands to the next one.
  @inlinable
  func carryOut(
    _ next: State, animated: Bool, waiter: TransitionWaiter?,
    _ audience: some TransitionAudience<State>
  ) {
    let previous = enter(next, animated: animated, audience)
    let children = askForChildren(of: next, animated: animated)
    if let (going, coming) = surface.onlyChild(beside: children),
      going === coming || mayExchange(going, coming, animated)
    {
      // The commonest: the list again, or a list for a spinner.
      if going !== coming { exchange(going, for: coming, children, animated: animated, audience) }
    } else if !carryOut(to: children, previous, animated, waiter, audience) {
      return
    }
    close(from: previous, animated: animated, audience)
    if let waiter { waiter.resume(.finished) }
  }

  /// Whether one child may take the other's place at once: they are on show, and need no animator.
  @inlinable
  func mayExchange(_ going: any ChildController, _ coming: any ChildController, _ animated: Bool) -> Bool {
    machine.appearance == .visible && (!animated || isPlain(going) && isPlain(coming))
  }

  /// Leads from the children that stand to others, however many there are.
  ///
  /// - Returns: Whether they have all arrived and gone.
  @usableFromInline
  func carryOut(
    to children: [any ChildController], _ previous: State?, _ animated: Bool, _ waiter: TransitionWaiter?,
    _ audience: some TransitionAudience<State>
  ) -> Bool {
    let difference = ChildDifference(from: surface.present, to: children)
    if machine.appearance == .gone {
      exchangeUnseen(difference, audience)
    } else if animated && needsAnimator(difference) {
      beginAnimated(difference, previous, waiter, audience)
      return false
    } else {
      exchange(difference, animated: animated, audience)
    }
    return true
  }

  // MARK: Both ends of a transition

  /// Tells that a transition begins, and changes the state.
  ///
  /// - Returns: The state that was left.
  @inlinable
  func enter(_ next: State, animated: Bool, _ audience: some TransitionAudience<State>) -> State? {
    tracking.changing(.isTransitioning) { machine.phase = .transitioning }
    audience.willTransition(self, to: next, animated: animated)
    var previous: State? = next
    tracking.changing(.state) { swap(&state, &previous) }
    return previous
  }

  /// The children of a state, as they are listed.
  @inlinable
  func askForChildren(of next: State, animated: Bool) -> [any ChildController] {
    isEnteringAnimated = animated
    onEnter?(next, animated)
    return makeChildren(next)
  }

  /// Tells that a transition has ended.
  @inlinable
  func close(from previous: State?, animated: Bool, _ audience: some TransitionAudience<State>) {
    tracking.changing(.isTransitioning) { machine.phase = .settled }
    audience.didTransition(self, from: previous, animated: animated)
  }

  // MARK: Children on show

  /// One child for another: the commonest transition, without lists and loops.
  @inlinable
  func exchange(
    _ going: any ChildController, for coming: any ChildController, _ children: [any ChildController], animated: Bool,
    _ audience: some TransitionAudience<State>
  ) {
    beginLeaving(going, animated: animated, audience)
    beginEntering(coming, animated: animated, audience)
    tracking.changing(.children) { surface.arrange(children, coming, under: going) }
    audience.didArrange(self, surface.withLeaving)
    finishEntering(coming, animated: animated, audience)
    finishLeaving(going, animated: animated, audience)
    tracking.changing(.children) { surface.withLeaving.empty() }
    audience.didArrange(self, children)
  }

  /// All who go begin to go, all who come begin to come, and the surface is arranged; then all who come have arrived
  /// and all who go are gone.
  func exchange(_ difference: ChildDifference, animated: Bool, _ audience: some TransitionAudience<State>) {
    let going = difference.old.lazy.filter(difference.goes)
    let coming = difference.new.lazy.filter(difference.comes)
    for child in going { beginLeaving(child, animated: animated, audience) }
    for child in coming { beginEntering(child, animated: animated, audience) }
    arrange(difference, under: going, audience)
    for child in coming { finishEntering(child, animated: animated, audience) }
    for child in going {
      finishLeaving(child, animated: animated, audience)
      removeFromSurface(child, audience)
    }
  }

  // MARK: Children of a container that is gone

  /// Children come to belong and go without being seen.
  func exchangeUnseen(_ difference: ChildDifference, _ audience: some TransitionAudience<State>) {
    let going = difference.going
    let coming = difference.coming
    for child in going { child.willDetach() }
    for child in coming { child.willAttach() }
    arrange(difference, under: going, audience)
    for child in coming { child.didAttach() }
    for child in going {
      child.didDetach()
      removeFromSurface(child, audience)
    }
  }

  // MARK: The surface

  /// Puts the next children in place, and above them those that go.
  func arrange(
    _ difference: ChildDifference, under going: some Sequence<any ChildController>,
    _ audience: some TransitionAudience<State>
  ) {
    guard !difference.isEmpty else { return }
    tracking.changing(.children) { surface.arrange(difference.new, under: going) }
    audience.didArrange(self, surface.children)
  }

  func removeFromSurface(_ child: any ChildController, _ audience: some TransitionAudience<State>) {
    tracking.changing(.children) { surface.remove(child) }
    audience.didArrange(self, surface.children)
  }

  // MARK: One child

  @inlinable
  func beginAppearing(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    audience.willAppear(self, child, animated: animated)
    child.willAppear(animated: animated)
  }

  @inlinable
  func finishAppearing(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    child.didAppear(animated: animated)
    audience.didAppear(self, child, animated: animated)
  }

  @inlinable
  func beginDisappearing(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    audience.willDisappear(self, child, animated: animated)
    child.willDisappear(animated: animated)
  }

  @inlinable
  func finishDisappearing(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    child.didDisappear(animated: animated)
    audience.didDisappear(self, child, animated: animated)
  }

  @inlinable
  func beginEntering(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    child.willAttach()
    beginAppearing(child, animated: animated, audience)
  }

  @inlinable
  func finishEntering(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    finishAppearing(child, animated: animated, audience)
    child.didAttach()
  }

  @inlinable
  func beginLeaving(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    child.willDetach()
    beginDisappearing(child, animated: animated, audience)
  }

  @inlinable
  func finishLeaving(_ child: any ChildController, animated: Bool, _ audience: some TransitionAudience<State>) {
    finishDisappearing(child, animated: animated, audience)
    child.didDetach()
  }
}
