// SPDX-License-Identifier: MIT
// The four life-cycle calls. The children appear and disappear with their container; an open transition ends with that.

extension StateContainer.Step {
  /// Carries out a life-cycle call. One that repeats or skips another does nothing.
  func carryOut(_ call: LifecycleCall) {
    let former = container.parts.queue.appearance
    guard let next = call.appearance(after: former) else {
      AsyncStateWarnings.warn(LifecycleMisuse(call: call, appearance: former).description)
      return
    }
    container.parts.queue.appearance = next
    container.parts.tracking.report(.appearance)
    if next.isShown != former.isShown { container.parts.owner?.visibilityDidChange(to: next.isShown) }
    container.parts.hook?.appearanceDidChange(to: next)
    switch call {
    case .willAppear where former == .disappearing: turnBack()
    case .willAppear: beginAppearing()
    case .didAppear: finishAppearing()
    case .willDisappear: beginDisappearing(wasAppearing: former == .appearing)
    case .didDisappear: finishDisappearing()
    }
  }

  // MARK: Appearing

  /// Ends the transition of a container that was about to disappear and stays: that is no reappearance.
  private func turnBack() {
    settleLeaving()
    closeIfOver()
    for child in container.parts.surface.present { beginAppearing(child) }
  }

  private func beginAppearing() {
    let isFirst = !container.parts.hasEntered
    if container.parts.keepsState && !isFirst {
      for child in container.parts.surface.present { beginAppearing(child) }
      return
    }
    let list = container.enterAppearing(self)
    let former = ChildDifference(from: container.parts.surface.present, to: list)
    for child in former.old where former.isLeaving(child) { child.willDetach() }
    // They have not been visible since the container disappeared.
    for child in former.old where former.isLeaving(child) { leave(child, isVisible: false) }

    let difference = ChildDifference(from: container.parts.surface.present, to: list)
    if difference.hasEntering || isFirst {
      container.parts.open = OpenTransition(waiter: nil, animated: animated, isHandingOver: false)
      for child in difference.new {
        if difference.isEntering(child) {
          container.parts.moving.append(MovingChild(child, isAppearing: true))
          beginArriving(child)
        } else {
          beginAppearing(child)
        }
      }
      arrange(difference)
    } else {
      arrange(difference)
      container.closeOpen(self, animated: animated, nil)
      for child in difference.new { beginAppearing(child) }
    }
  }

  private func finishAppearing() {
    settlePresent(all: true)
    // An appearance that adds children is rare, and a container often one of many: the room is returned.
    container.parts.moving = []
    closeIfOver()
  }

  // MARK: Disappearing

  private func beginDisappearing(wasAppearing: Bool) {
    settlePresent(all: wasAppearing)
    // Children that leave wait only for the end of the container.
    for moving in container.parts.moving { moving.cutShort() }
    for child in container.parts.surface.present { beginDisappearing(child) }
  }

  private func finishDisappearing() {
    settleLeaving()
    for child in container.parts.surface.present { disappear(child) }
    closeIfOver()
  }

  // MARK: Children that arrive or leave

  /// Lets children that are being added arrive, and with `all` also those that appear again with the container.
  private func settlePresent(all: Bool) {
    for child in container.parts.surface.present {
      if let moving = container.parts.moving.first(where: { $0.isAppearing && $0.child === child }) {
        moving.cutShort()
        if stopMoving(moving) { settle(moving) }
      } else if all {
        arrive(child, isAdded: false)
      }
    }
  }

  /// Lets children that are being removed leave.
  private func settleLeaving() {
    while let moving = container.parts.moving.first(where: { !$0.isAppearing }) {
      moving.cutShort()
      if stopMoving(moving) { settle(moving) }
    }
  }
}
