// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Runs the transitions of a ``StateViewController`` as animations of UIKit.
  ///
  /// UIKit runs the changes of an animation with a delay at once, and displays them after it.
  @MainActor
  public final class ViewAnimator: @MainActor TransitionAnimator {
    /// How long a child fades that does not conform to `AnimatedTransitioning`.
    public let duration: Duration
    private let options: UIView.AnimationOptions
    let isInterruptible: Bool
    // UIKit keeps the animations, until it has called their completions.
    private var running: [() -> TransitionAnimation?] = []

    /// An animator for one container.
    ///
    /// - Parameters:
    ///   - duration: How long a child fades that does not conform to `AnimatedTransitioning`.
    ///   - options: The curve, and what else UIKit animates with.
    ///   - isInterruptible: Whether a request during an animation ends it. Otherwise it waits for the end.
    public init(
      duration: Duration = .milliseconds(350),
      options: UIView.AnimationOptions = [.curveEaseInOut, .allowUserInteraction], isInterruptible: Bool = false
    ) {
      self.duration = duration
      self.options = options
      self.isInterruptible = isInterruptible
    }

    /// Runs `animation` as an animation of UIKit.
    public func animate(_ animation: TransitionAnimation) {
      running = running.filter { $0() != nil } + [{ [weak animation] in animation }]
      UIView.animate(
        withDuration: animation.duration / .seconds(1), delay: animation.delay / .seconds(1), options: options,
        animations: { animation.run() }, completion: { _ in animation.finishInStep() })
    }

    /// Ends all animations that run, at their last positions.
    public func finishAll() {
      for animation in running.compactMap({ $0() }) { animation.finishInStep() }
    }
  }

  extension TransitionAnimation {
    /// The view controller that is animated, for animators of one's own; nil in a container of other children.
    @MainActor public var viewController: UIViewController? { (child as? ControllerChild)?.controller }
  }
#endif
