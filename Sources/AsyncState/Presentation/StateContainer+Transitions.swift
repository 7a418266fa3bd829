// Carrying out transitions. The order of calls is the contract's, section 5; what may begin when is the machine's.

extension StateContainer {
  @usableFromInline typealias Delegate = any StateContainerDelegate<State>

  /// Leads from the state that stands to the requested one.
  @inlinable
  func carryOut(_ request: TransitionRequest<State>, _ manner: TransitionMachine<State>.Manner) {
    // Held for the whole step: one weak load, and whoever hears "will" hears "did".
    let delegate = self.delegate
    let open = enter(request.state, animated: request.animated, waiter: request.waiter, delegate)
    switch manner {
    case .immediate:
      beginChildren(animated: false, delegate)
      finishChildren(delegate)
      close(open, delegate)
    case .offstage:
      exchangeChildren(delegate)
      close(open, delegate)
    case .animated:
      self.open = open
      beginChildren(animated: true, delegate)
      startAnimations()
      closeIfOver(delegate)
    }
  }

  // MARK: Both ends of a transition

  /// Tells that a transition begins, changes the state, and works out who comes and who goes.
  @inlinable
  func enter(
    _ next: State, animated: Bool, waiter: CheckedContinuation<TransitionOutcome, Never>?, _ delegate: Delegate?
  ) -> OpenTransition {
    tracking.changing(.isTransitioning) { machine.phase = .transitioning }
    delegate?.container(self, willTransitionTo: next, animated: animated)
    var former: State? = next
    tracking.changing(.state) { swap(&state, &former) }
    isEnteringAnimated = animated
    surface.plan(makeChildren(next))
    return OpenTransition(previousState: former, animated: animated, waiter: waiter)
  }

  /// Tells that a transition has ended.
  @inlinable
  func close(_ open: OpenTransition, _ delegate: Delegate?) {
    tracking.changing(.isTransitioning) { machine.phase = .settled }
    delegate?.container(self, didTransitionFrom: open.previousState, animated: open.animated)
    open.waiter?.resume(returning: .finished)
  }

  /// Tells that the open transition has ended, once the last of its children has.
  @usableFromInline
  func closeIfOver(_ delegate: Delegate?) {
    guard animations.isEmpty, let open = open.take() else { return }
    close(open, delegate)
  }

  @inlinable
  func arrange(_ delegate: Delegate?) {
    var isChanged = false
    tracking.changing(.children) { isChanged = surface.arrange() }
    if isChanged { delegate?.container(self, didArrange: surface.children) }
  }

  // MARK: Children on show

  /// All who go begin to go, all who come begin to come, and the surface is arranged.
  @inlinable
  func beginChildren(animated: Bool, _ delegate: Delegate?) {
    for child in surface.leaving {
      child.willDetach()
      beginDisappearing(child, animated: animated, delegate)
    }
    for child in surface.entering {
      child.willAttach()
      beginAppearing(child, animated: animated, delegate)
    }
    arrange(delegate)
  }

  /// All who come arrive, then all who go are gone, without any animation.
  @inlinable
  func finishChildren(_ delegate: Delegate?) {
    for child in surface.entering { finishEntering(child, animated: false, delegate) }
    surface.settleEntering()
    while let child = surface.leaving.first {
      finishLeaving(child, animated: false, delegate)
      var isChanged = false
      tracking.changing(.children) { isChanged = surface.removeFirstLeaving() }
      if isChanged { delegate?.container(self, didArrange: surface.children) }
    }
  }

  // MARK: Children of a container that is gone

  /// Children come to belong and go without being seen.
  @usableFromInline
  func exchangeChildren(_ delegate: Delegate?) {
    for child in surface.leaving { child.willDetach() }
    for child in surface.entering { child.willAttach() }
    arrange(delegate)
    for child in surface.entering { child.didAttach() }
    surface.settleEntering()
    while let child = surface.leaving.first {
      child.didDetach()
      removeLeaving(child, delegate)
    }
  }

  // MARK: One child

  @inlinable
  func beginAppearing(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    delegate?.container(self, childWillAppear: child, animated: animated)
    child.willAppear(animated: animated)
  }

  @inlinable
  func finishAppearing(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    child.didAppear(animated: animated)
    delegate?.container(self, childDidAppear: child, animated: animated)
  }

  @inlinable
  func beginDisappearing(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    delegate?.container(self, childWillDisappear: child, animated: animated)
    child.willDisappear(animated: animated)
  }

  @inlinable
  func finishDisappearing(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    child.didDisappear(animated: animated)
    delegate?.container(self, childDidDisappear: child, animated: animated)
  }

  @inlinable
  func finishEntering(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    finishAppearing(child, animated: animated, delegate)
    child.didAttach()
  }

  @inlinable
  func finishLeaving(_ child: any ChildController, animated: Bool, _ delegate: Delegate?) {
    finishDisappearing(child, animated: animated, delegate)
    child.didDetach()
  }

  @usableFromInline
  func removeLeaving(_ child: any ChildController, _ delegate: Delegate?) {
    var isChanged = false
    tracking.changing(.children) { isChanged = surface.removeLeaving(child) }
    if isChanged { delegate?.container(self, didArrange: surface.children) }
  }

  // MARK: Animations

  /// How long a child is animated that has no say in it.
  private static var defaultDuration: Duration { .milliseconds(350) }

  /// Hands the animator one child after another. Those that it finishes at once end at once.
  @usableFromInline
  func startAnimations() {
    animations.isStarting = true
    for child in surface.entering { startAnimation(of: child, isAppearing: true) }
    for child in surface.leaving { startAnimation(of: child, isAppearing: false) }
    animations.isStarting = false
  }

  private func startAnimation(of child: any ChildController, isAppearing: Bool) {
    let transitioning = child as? any TransitioningController
    transitioning?.transitionWillBegin(isAppearing: isAppearing)
    let number = animations.add(child, isAppearing: isAppearing, transitioning: transitioning)
    let animation = TransitionAnimation(
      child: child, isAppearing: isAppearing,
      duration: transitioning?.transitionDuration(isAppearing: isAppearing) ?? Self.defaultDuration,
      delay: transitioning?.transitionDelay(isAppearing: isAppearing) ?? .zero,
      // The container lives until the animation ends, and no longer: the animation lets go of this when it does.
      onFinish: { self.animationDidEnd(number) })
    animations.set(animation, for: number)
    animator.animate(animation)
  }

  private func animationDidEnd(_ number: Int) {
    if animations.isStarting {
      endAnimation(number)
    } else {
      machine.submit(endedAnimation: number)
      carryOutSteps()
    }
  }

  /// A child's animation has ended, and so has the child's part in the transition.
  @usableFromInline
  func endAnimation(_ number: Int) {
    guard let entry = animations.take(number) else { return }
    let delegate = self.delegate
    entry.transitioning?.transitionDidEnd(isAppearing: entry.isAppearing)
    if entry.isAppearing {
      finishEntering(entry.child, animated: true, delegate)
      surface.settleEntering(entry.child)
    } else {
      finishLeaving(entry.child, animated: true, delegate)
      removeLeaving(entry.child, delegate)
    }
    if !animations.isStarting { closeIfOver(delegate) }
  }

  /// Brings a child's animation to its end before its time, if it is animated: its transition is over.
  func cutShort(_ child: any ChildController) {
    guard let entry = animations.take(child) else { return }
    entry.animation?.cutShort()
    entry.transitioning?.transitionDidEnd(isAppearing: entry.isAppearing)
  }
}
