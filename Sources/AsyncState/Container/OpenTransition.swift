/// A transition that lasts longer than the step that began it: its children appear with the container, or are animated.
@usableFromInline
final class OpenTransition<State> {
  /// What its end has to tell, and to whom.
  let previousState: State?
  let animated: Bool
  let waiter: TransitionWaiter?

  /// Those who come, and have not arrived.
  var entering: [any ChildController] = []
  /// Those who go, and are not gone.
  var leaving: [any ChildController] = []
  var animations = RunningAnimations()

  init(previousState: State?, animated: Bool, waiter: TransitionWaiter?) {
    self.previousState = previousState
    self.animated = animated
    self.waiter = waiter
  }

  /// One who came has arrived.
  func settle(entering child: any ChildController) {
    entering.removeAll { $0 === child }
  }

  /// One who went is gone.
  func settle(leaving child: any ChildController) {
    leaving.removeAll { $0 === child }
  }
}
