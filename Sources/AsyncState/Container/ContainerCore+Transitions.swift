// Transitions of a container: one step for those that end inside the call, several for those that are animated.

extension ContainerCore {
  func carryOut(_ request: StepQueue.Request, _ audience: ContainerAudience) {
    let animated = request.animated
    let list = enter(isAppearance: false, animated: animated, audience)
    let present = parts.surface.present
    if present.count == 1, list.count == 1, let leaving = present.first, let entering = list.first,
      mayExchange(leaving, entering, animated)
    {
      if leaving !== entering { exchange(leaving, for: entering, list, animated: animated, audience) }
    } else {
      let difference = ChildDifference(from: present, to: list)
      if parts.queue.appearance == .gone {
        exchangeUnseen(difference, audience)
      } else if animated && needsAnimator(difference) {
        return beginAnimated(difference, request, audience)
      } else {
        exchange(difference, animated: animated, audience)
      }
    }
    close(animated: animated, audience)
    request.waiter?.resume(.finished)
  }

  /// Whether one child may replace the other inside the step. The commonest transition, without lists and searches.
  private func mayExchange(_ leaving: any ChildController, _ entering: any ChildController, _ animated: Bool) -> Bool {
    leaving === entering
      || parts.queue.appearance == .visible
        && (!animated || animatorTakesNoTime && isPlain(leaving) && isPlain(entering))
  }

  /// - Parameter list: Only the entering child.
  private func exchange(
    _ leaving: any ChildController, for entering: any ChildController, _ list: [any ChildController], animated: Bool,
    _ audience: ContainerAudience
  ) {
    beginLeaving(leaving, animated: animated, audience)
    beginArriving(entering, animated: animated, audience)
    parts.tracking.changing(.children) { parts.surface.exchange(for: list) }
    audience(.didArrange(parts.surface.children))
    arrive(entering, isAdded: true, animated: animated, audience)
    leave(leaving, animated: animated, audience)
  }

  private func exchange(_ difference: ChildDifference, animated: Bool, _ audience: ContainerAudience) {
    begin(difference, animated: animated, audience)
    for child in difference.new where difference.isEntering(child) {
      arrive(child, isAdded: true, animated: animated, audience)
    }
    for child in difference.old where difference.isLeaving(child) { leave(child, animated: animated, audience) }
  }

  /// The same while the container is not visible: no child appears or disappears.
  private func exchangeUnseen(_ difference: ChildDifference, _ audience: ContainerAudience) {
    for child in difference.old where difference.isLeaving(child) { child.willDetach() }
    for child in difference.new where difference.isEntering(child) { child.willAttach() }
    arrange(difference, audience)
    for child in difference.new where difference.isEntering(child) { child.didAttach() }
    for child in difference.old where difference.isLeaving(child) { leave(child, animated: nil, audience) }
  }

  /// All that leave begin to leave, all that are added begin to arrive, and the surface is arranged.
  private func begin(_ difference: ChildDifference, animated: Bool, _ audience: ContainerAudience) {
    for child in difference.old where difference.isLeaving(child) {
      beginLeaving(child, animated: animated, audience)
    }
    for child in difference.new where difference.isEntering(child) {
      beginArriving(child, animated: animated, audience)
    }
    arrange(difference, audience)
  }

  // MARK: Animations

  private func needsAnimator(_ difference: ChildDifference) -> Bool {
    for child in difference.new where difference.isEntering(child) && needsAnimator(child) { return true }
    for child in difference.old where difference.isLeaving(child) && needsAnimator(child) { return true }
    return false
  }

  /// With an animator that takes no time and children that do not take part, an animated transition differs from one
  /// that is not animated only by its flag.
  private func needsAnimator(_ child: any ChildController) -> Bool {
    !(animatorTakesNoTime && isPlain(child))
  }

  private func isPlain(_ child: any ChildController) -> Bool {
    parts.participation.isPlain(child)
  }

  private func beginAnimated(
    _ difference: ChildDifference, _ request: StepQueue.Request, _ audience: ContainerAudience
  ) {
    begin(difference, animated: true, audience)
    parts.open = OpenTransition(waiter: request.waiter, animated: true, isHandingOver: true)
    for child in difference.new where difference.isEntering(child) {
      startAnimation(of: child, isAppearing: true, audience)
    }
    for child in difference.old where difference.isLeaving(child) {
      startAnimation(of: child, isAppearing: false, audience)
    }
    // One may have been released while another was handed over.
    collectReleased()
    endAnimations(audience)
    parts.open?.isHandingOver = false
    closeIfOver(audience)
  }

  private func startAnimation(
    of child: any ChildController, isAppearing: Bool, _ audience: ContainerAudience
  ) {
    let transitioning = isPlain(child) ? nil : child as? any TransitioningController
    transitioning?.transitionWillBegin(isAppearing: isAppearing)
    let duration = transitioning?.transitionDuration(isAppearing: isAppearing) ?? .defaultTransition
    let delay = transitioning?.transitionDelay(isAppearing: isAppearing) ?? .zero
    let moving = MovingChild(child, isAppearing: isAppearing, transitioning: transitioning)
    audience(.animate(moving))
    if !animatorTakesNoTime, let home = parts.home { moving.belong(to: home) }
    parts.moving.append(moving)
    handOver(moving, duration, delay)
    if moving.wasReleased { parts.queue.submit(ended: moving) }
    endAnimations(audience)
  }

  /// What has ended by now has its turn: no callback is under way.
  private func endAnimations(_ audience: ContainerAudience) {
    while let ended = parts.queue.takeEnded() { endAnimation(of: ended, audience) }
  }

  /// The animation belongs to the animator when this returns; one that it has not kept is over.
  private func handOver(_ moving: MovingChild, _ duration: Duration, _ delay: Duration) {
    animator.animate(TransitionAnimation(of: moving, duration: duration, delay: delay))
  }

  /// The animation of a child has ended, and with it the child's part in the transition. An end is late if the container
  /// is about to disappear, or if the transition is over.
  func endAnimation(of moving: MovingChild, _ audience: ContainerAudience) {
    guard parts.queue.appearance == .visible, stopMoving(moving) else { return }
    moving.finishReleased()
    settle(moving, animated: true, audience)
    closeIfOver(audience)
  }

  /// - Returns: Whether the child was still moving.
  func stopMoving(_ moving: MovingChild) -> Bool {
    guard let index = parts.moving.firstIndex(where: { $0 === moving }) else { return false }
    parts.moving.remove(at: index)
    return true
  }

  /// A child that moves no more arrives or leaves.
  func settle(_ moving: MovingChild, animated: Bool, _ audience: ContainerAudience) {
    moving.transitioning?.transitionDidEnd(isAppearing: moving.isAppearing)
    if moving.isAppearing {
      arrive(moving.child, isAdded: true, animated: animated, audience)
    } else {
      leave(moving.child, animated: animated, audience)
    }
  }
}

/// Which children take part in their animation. That is a matter of the type, and finding out costs as much as the rest of
/// a transition, so it is remembered for the types that were looked up last.
struct Participation {
  private var plainType: ObjectIdentifier?
  private var otherPlainType: ObjectIdentifier?
  private var participatingType: ObjectIdentifier?

  /// Whether the child is no `TransitioningController`.
  mutating func isPlain(_ child: any ChildController) -> Bool {
    let type = ObjectIdentifier(type(of: child))
    if type == plainType || type == otherPlainType { return true }
    return type == participatingType ? false : find(type, child)
  }

  private mutating func find(_ type: ObjectIdentifier, _ child: any ChildController) -> Bool {
    if child is any TransitioningController {
      participatingType = type
      return false
    }
    otherPlainType = plainType
    plainType = type
    return true
  }
}
