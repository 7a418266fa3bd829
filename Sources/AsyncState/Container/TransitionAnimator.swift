/// Runs the animations of a container's transitions: the few lines that belong to a view framework.
///
/// An animator calls ``TransitionAnimation/run()`` when the animation starts, after its delay and inside whatever
/// animates, and ``TransitionAnimation/finish()`` at its end. Both on the actor that the container lives on.
public protocol TransitionAnimator: AnyObject {
  /// Takes over one animation. It may be finished before this returns.
  func animate(_ animation: TransitionAnimation)
}
