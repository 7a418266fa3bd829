// SPDX-License-Identifier: MIT
public import AsyncState

extension TransitionAnimation {
  /// An animation without a container: for tests of an animator.
  ///
  /// - Parameters:
  ///   - child: The child that is animated.
  ///   - isAppearing: Whether the child is added.
  ///   - duration: How long the animation takes after it has started. Less than zero is zero.
  ///   - delay: How long to wait before it starts. Less than zero is zero.
  ///   - isolation: The caller's actor, on which the animation ends.
  ///   - onFinish: Called at the end, once; also if the animation is released unfinished, as soon as the actor is free.
  public convenience init(
    child: any ChildController, isAppearing: Bool, duration: Duration, delay: Duration,
    isolation: isolated any Actor = #isolation, onFinish: @escaping () -> Void
  ) {
    let transitioning = child as? any TransitioningController
    let owner = FinishCall(onFinish)
    let moving = MovingChild(child, isAppearing: isAppearing, transitioning: transitioning, owner: owner)
    moving.belong(to: isolation)
    self.init(of: moving, duration: duration, delay: delay)
  }
}

private final class FinishCall: AnimationOwner {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  func animationDidEnd(of child: MovingChild) {
    body()
  }
}
