/// A child that has a say in how it is animated in and out.
///
/// Called only for animated transitions of a container that is on the screen, and never for the container's own
/// appearing and disappearing, which is an animation of whoever shows the container.
public protocol TransitioningController: ChildController {
  /// How long the animation takes.
  func transitionDuration(isAppearing: Bool) -> Duration
  /// How long to wait before the animation starts.
  func transitionDelay(isAppearing: Bool) -> Duration
  /// The animation is about to be handed to the animator: take up the first position.
  func transitionWillBegin(isAppearing: Bool)
  /// The animation starts: take up the last position, inside whatever animates that.
  func animateTransition(isAppearing: Bool)
  /// The animation is over, at its end or before: whatever it changed for its own sake can be put back.
  func transitionDidEnd(isAppearing: Bool)
}
