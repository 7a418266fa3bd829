// The four life-cycle calls. The children appear and disappear with their container; a transition that is open then ends
// with it.

extension ContainerCore {
  func carryOut(_ call: LifecycleCall, animated: Bool, _ audience: ContainerAudience) {
    let former = parts.queue.appearance
    parts.tracking.changing(.appearance) { parts.queue.carryOut(call) }
    switch call {
    case .willAppear where former == .disappearing: turnBack(animated: animated, audience)
    case .willAppear: beginAppearing(animated: animated, audience)
    case .didAppear: finishAppearing(animated: animated, audience)
    case .willDisappear: beginDisappearing(wasAppearing: former == .appearing, animated: animated, audience)
    case .didDisappear: finishDisappearing(animated: animated, audience)
    }
  }

  // MARK: Appearing

  /// The container was about to disappear and stays: that is no reappearance, and its transition ends now.
  private func turnBack(animated: Bool, _ audience: ContainerAudience) {
    settleLeaving(animated: animated, audience)
    closeIfOver(audience)
    for child in parts.surface.present { beginAppearing(child, animated: animated, audience) }
  }

  private func beginAppearing(animated: Bool, _ audience: ContainerAudience) {
    let isFirst = !parts.hasEntered
    if keepsState && !isFirst {
      for child in parts.surface.present { beginAppearing(child, animated: animated, audience) }
      return
    }
    let list = enter(isAppearance: true, animated: animated, audience)
    let former = ChildDifference(from: parts.surface.present, to: list)
    for child in former.old where former.isLeaving(child) { child.willDetach() }
    // They have not been visible since the container disappeared.
    for child in former.old where former.isLeaving(child) { leave(child, animated: nil, audience) }

    let difference = ChildDifference(from: parts.surface.present, to: list)
    if difference.hasEntering || isFirst {
      parts.open = OpenTransition(waiter: nil, animated: animated, isHandingOver: false)
      for child in difference.new {
        if difference.isEntering(child) {
          parts.moving.append(MovingChild(child, isAppearing: true))
          beginArriving(child, animated: animated, audience)
        } else {
          beginAppearing(child, animated: animated, audience)
        }
      }
      arrange(difference, audience)
    } else {
      arrange(difference, audience)
      close(animated: animated, audience)
      for child in difference.new { beginAppearing(child, animated: animated, audience) }
    }
  }

  private func finishAppearing(animated: Bool, _ audience: ContainerAudience) {
    settlePresent(all: true, animated: animated, audience)
    // An appearance that adds children is rare, and a container often the only one of many: the room is given back.
    parts.moving = []
    closeIfOver(audience)
  }

  // MARK: Disappearing

  private func beginDisappearing(wasAppearing: Bool, animated: Bool, _ audience: ContainerAudience) {
    settlePresent(all: wasAppearing, animated: animated, audience)
    // What leaves has only the end of the container to wait for.
    for moving in parts.moving { moving.cutShort() }
    for child in parts.surface.present {
      audience(.willDisappear(child, animated: animated))
      child.willDisappear(animated: animated)
    }
  }

  private func finishDisappearing(animated: Bool, _ audience: ContainerAudience) {
    settleLeaving(animated: animated, audience)
    for child in parts.surface.present {
      child.didDisappear(animated: animated)
      audience(.didDisappear(child, animated: animated))
    }
    closeIfOver(audience)
  }

  // MARK: Children on their way

  private func beginAppearing(_ child: any ChildController, animated: Bool, _ audience: ContainerAudience) {
    audience(.willAppear(child, animated: animated))
    child.willAppear(animated: animated)
  }

  /// Children that are being added have arrived, and with `all` also those that appear again with the container.
  private func settlePresent(all: Bool, animated: Bool, _ audience: ContainerAudience) {
    for child in parts.surface.present {
      if let moving = parts.moving.first(where: { $0.isAppearing && $0.child === child }) {
        moving.cutShort()
        if stopMoving(moving) { settle(moving, animated: animated, audience) }
      } else if all {
        arrive(child, isAdded: false, animated: animated, audience)
      }
    }
  }

  /// Children that are being removed have left.
  private func settleLeaving(animated: Bool, _ audience: ContainerAudience) {
    while let moving = parts.moving.first(where: { !$0.isAppearing }) {
      moving.cutShort()
      if stopMoving(moving) { settle(moving, animated: animated, audience) }
    }
  }
}
