// SPDX-License-Identifier: MIT
// The children of a transition: one step for those that end inside it, several for those that are animated.

extension StateContainer.Step {
  /// Puts the children of the next state in the place of the present ones.
  ///
  /// - Parameter waiter: The caller that waits for the end of the transition.
  /// - Returns: True if the transition has ended. If not, children are animated, and it ends with the last of them.
  @usableFromInline
  func exchange(for list: [any ChildController], _ waiter: TransitionWaiter?) -> Bool {
    let present = container.parts.surface.present
    if present.count == 1, list.count == 1, let leaving = present.first, let entering = list.first,
      mayExchange(leaving, entering)
    {
      if leaving !== entering { exchange(leaving, for: entering, list) }
      return true
    }
    let difference = ChildDifference(from: present, to: list)
    if container.parts.queue.appearance == .gone {
      exchangeUnseen(difference)
    } else if animated && needsAnimator(difference) {
      animate(difference, waiter)
      return false
    } else {
      begin(difference)
      for child in difference.new where difference.isEntering(child) { arrive(child) }
      for child in difference.old where difference.isLeaving(child) { leave(child) }
    }
    return true
  }

  /// True if one child may replace the other inside the step. The most common transition, without lists and searches.
  @inline(__always)
  private func mayExchange(_ leaving: any ChildController, _ entering: any ChildController) -> Bool {
    leaving === entering
      || container.parts.queue.appearance == .visible
        && (!animated || !needsAnimator(leaving) && !needsAnimator(entering))
  }

  /// - Parameter list: Only the entering child.
  @inline(__always)
  private func exchange(
    _ leaving: any ChildController, for entering: any ChildController, _ list: [any ChildController]
  ) {
    beginLeaving(leaving)
    beginArriving(entering)
    changeSurface { container.parts.surface.exchange(for: list) }
    arrive(entering)
    leave(leaving)
  }

  /// The same while the container is not visible: no child appears or disappears.
  private func exchangeUnseen(_ difference: ChildDifference) {
    for child in difference.old where difference.isLeaving(child) { child.willDetach() }
    for child in difference.new where difference.isEntering(child) { child.willAttach() }
    arrange(difference)
    for child in difference.new where difference.isEntering(child) { child.didAttach() }
    for child in difference.old where difference.isLeaving(child) { leave(child, isVisible: false) }
  }

  /// Lets all outgoing children begin to leave and all incoming ones begin to arrive, and arranges the surface.
  private func begin(_ difference: ChildDifference) {
    for child in difference.old where difference.isLeaving(child) { beginLeaving(child) }
    for child in difference.new where difference.isEntering(child) { beginArriving(child) }
    arrange(difference)
  }

  // MARK: Animations

  private func needsAnimator(_ difference: ChildDifference) -> Bool {
    difference.new.contains { difference.isEntering($0) && needsAnimator($0) }
      || difference.old.contains { difference.isLeaving($0) && needsAnimator($0) }
  }

  /// With an animator that takes no time and children that do not take part, an animated transition differs from one
  /// that is not animated only by its flag.
  private func needsAnimator(_ child: any ChildController) -> Bool {
    !(container.parts.animatorTakesNoTime && !(child is any TransitioningController))
  }

  private func animate(_ difference: ChildDifference, _ waiter: TransitionWaiter?) {
    begin(difference)
    container.parts.open = OpenTransition(waiter: waiter, animated: true, isHandingOver: true)
    for child in difference.new where difference.isEntering(child) { startAnimation(of: child, isAppearing: true) }
    for child in difference.old where difference.isLeaving(child) { startAnimation(of: child, isAppearing: false) }
    // One animation may have been released while another was handed over.
    for child in container.parts.moving where child.wasReleased { container.parts.queue.submit(ended: child) }
    endAnimations()
    container.parts.open?.isHandingOver = false
    closeIfOver()
  }

  private func startAnimation(of child: any ChildController, isAppearing: Bool) {
    let transitioning = child as? any TransitioningController
    transitioning?.transitionWillBegin(isAppearing: isAppearing)
    let duration = transitioning?.transitionDuration(isAppearing: isAppearing) ?? .defaultTransition
    let delay = transitioning?.transitionDelay(isAppearing: isAppearing) ?? .zero
    let moving = MovingChild(child, isAppearing: isAppearing, transitioning: transitioning, owner: container)
    if !container.parts.animatorTakesNoTime, let home = container.parts.home { moving.belong(to: home) }
    container.parts.moving.append(moving)
    handOver(moving, duration, delay)
    if moving.wasReleased { container.parts.queue.submit(ended: moving) }
    endAnimations()
  }

  /// Hands over the animation to the animator. One that the animator has not kept is over when this returns.
  private func handOver(_ moving: MovingChild, _ duration: Duration, _ delay: Duration) {
    container.animator.animate(TransitionAnimation(of: moving, duration: duration, delay: delay))
  }

  /// Finishes animations that have ended during callbacks, outside of these.
  private func endAnimations() {
    while let ended = container.parts.queue.takeEnded() { endAnimation(of: ended) }
  }

  /// Ends the animation of a child, and with it the child's part in the transition. An end is late if the container is about to
  /// disappear, or if the transition is over.
  func endAnimation(of moving: MovingChild) {
    guard container.parts.queue.appearance == .visible, stopMoving(moving) else { return }
    moving.finishReleased()
    settle(moving)
    closeIfOver()
  }

  /// - Returns: True if the child was still moving.
  func stopMoving(_ moving: MovingChild) -> Bool {
    guard let index = container.parts.moving.firstIndex(where: { $0 === moving }) else { return false }
    container.parts.moving.remove(at: index)
    return true
  }

  /// Lets a child arrive or leave that does not move any more.
  func settle(_ moving: MovingChild) {
    moving.transitioning?.transitionDidEnd(isAppearing: moving.isAppearing)
    if moving.isAppearing { arrive(moving.child) } else { leave(moving.child) }
  }
}
