// Carrying out transitions that are animated: each child ends at its own time, and the transition with the last of
// them.

extension StateContainer {
  /// Whether an animation of this child would do nothing that takes time or that the child wants to know of.
  @inlinable
  func isPlain(_ child: any ChildController) -> Bool {
    animationChoice.takesNoTime && animationChoice.isPlain(child)
  }

  /// Whether any child is to be animated.
  func needsAnimator(_ difference: ChildDifference) -> Bool {
    !difference.going.allSatisfy(isPlain) || !difference.coming.allSatisfy(isPlain)
  }

  /// Everybody begins; who is animated ends later.
  func beginAnimated(
    _ difference: ChildDifference, _ previous: State?, _ waiter: TransitionWaiter?,
    _ audience: some TransitionAudience<State>
  ) {
    let open = OpenTransition(previousState: previous, animated: true, waiter: waiter)
    open.entering = difference.coming
    open.leaving = difference.going
    self.open = open
    for child in open.leaving { beginLeaving(child, animated: true, audience) }
    for child in open.entering { beginEntering(child, animated: true, audience) }
    arrange(difference, under: open.leaving, audience)

    open.animations.isStarting = true
    for child in open.entering { startAnimation(of: child, isAppearing: true, in: open, audience) }
    for child in open.leaving { startAnimation(of: child, isAppearing: false, in: open, audience) }
    open.animations.isStarting = false
    closeIfOver(audience)
  }

  /// Ends the open transition, once the last of its children has ended.
  func closeIfOver(_ audience: some TransitionAudience<State>) {
    guard let open, open.animations.isEmpty else { return }
    self.open = nil
    close(from: open.previousState, animated: open.animated, audience)
    open.waiter?.resume(.finished)
  }

  // MARK: Starting

  /// How long a child is animated that has no say in it.
  private static var defaultDuration: Duration { .milliseconds(350) }

  private func startAnimation(
    of child: any ChildController, isAppearing: Bool, in open: OpenTransition<State>,
    _ audience: some TransitionAudience<State>
  ) {
    let transitioning = child as? any TransitioningController
    transitioning?.transitionWillBegin(isAppearing: isAppearing)
    let number = open.animations.add(child, isAppearing: isAppearing, transitioning: transitioning)
    let animation = TransitionAnimation(
      child: child, isAppearing: isAppearing,
      duration: transitioning?.transitionDuration(isAppearing: isAppearing) ?? Self.defaultDuration,
      delay: transitioning?.transitionDelay(isAppearing: isAppearing) ?? .zero,
      // The container lives until the animation ends, and no longer: the animation lets go of this when it does.
      onFinish: { self.animationDidEnd(number) })
    open.animations.set(animation, for: number)
    animator.animate(animation)
    // What has ended meanwhile has its turn now: no callback is under way that could be disturbed.
    while let ended = machine.takeEndedAnimation() { endAnimation(ended, audience) }
  }

  // MARK: Ending

  private func animationDidEnd(_ number: Int) {
    machine.submit(endedAnimation: number)
    carryOutSteps()
  }

  /// A child's animation has ended, and so has the child's part in the transition. Not if the end is late: a container
  /// that is about to disappear takes its children along itself.
  func endAnimation(_ number: Int, _ audience: some TransitionAudience<State>) {
    guard machine.appearance == .visible, let open, let entry = open.animations.take(number) else { return }
    entry.transitioning?.transitionDidEnd(isAppearing: entry.isAppearing)
    if entry.isAppearing {
      open.settle(entering: entry.child)
      finishEntering(entry.child, animated: true, audience)
    } else {
      open.settle(leaving: entry.child)
      finishLeaving(entry.child, animated: true, audience)
      removeFromSurface(entry.child, audience)
    }
    if !open.animations.isStarting { closeIfOver(audience) }
  }

  /// Brings a child's animation to its end before its time, if it is animated: its transition is over.
  func cutShort(_ child: any ChildController, in open: OpenTransition<State>) {
    guard let entry = open.animations.take(child) else { return }
    entry.animation?.cutShort()
    entry.transitioning?.transitionDidEnd(isAppearing: entry.isAppearing)
  }
}
