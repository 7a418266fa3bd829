/// Runs each animation from beginning to end inside the call, whatever its delay and duration.
public final class ImmediateAnimator: TransitionAnimator, Sendable {
  /// One for all containers that are not given another: it has no state.
  @usableFromInline static let shared = ImmediateAnimator()

  /// An animator without state.
  public init() {}

  /// Runs and finishes `animation` before it returns.
  public func animate(_ animation: TransitionAnimation) {
    animation.run()
    animation.finish()
  }
}
