#if canImport(UIKit) && !os(watchOS)
  public import AsyncState
  public import UIKit

  /// Runs the transitions of a container as animations of UIKit. A child that does not conform to
  /// ``ScreenTransitioning`` fades in or out.
  ///
  /// UIKit runs the changes of an animation with a delay at once, and displays them after it.
  @MainActor
  public final class ViewAnimator: @MainActor TransitionAnimator {
    /// How long children take that do not say otherwise.
    public let duration: Duration
    private let options: UIView.AnimationOptions
    private let isInterruptible: Bool
    // UIKit keeps them, until it has called their completions.
    private var running: [Running] = []
    private struct Running {
      weak var animation: TransitionAnimation?
    }

    /// An animator for one container.
    ///
    /// - Parameters:
    ///   - duration: How long children take that do not say otherwise.
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
      running.append(Running(animation: animation))
      UIView.animate(
        withDuration: animation.duration / .seconds(1), delay: animation.delay / .seconds(1), options: options,
        animations: { animation.run() },
        completion: { [weak self] _ in
          self?.running.removeAll { $0.animation == nil || $0.animation === animation }
          Self.finish(animation)
        })
    }

    /// Ends all animations that run, at their last positions.
    public func finishAll() {
      let ending = running
      running = []
      for case let animation? in ending.map(\.animation) { Self.finish(animation) }
    }

    private static func finish(_ animation: TransitionAnimation) {
      let parent = (animation.child as? ControllerChild)?.parent
      ContainerStep.whenFree(for: parent) { ContainerStep.run(in: parent) { animation.finish() } }
    }

    func interrupt() {
      if isInterruptible { finishAll() }
    }
  }

  /// A view controller that decides how a ``StateViewController`` animates it. Every method has a default.
  ///
  /// The methods are called only in animated transitions of a visible container.
  @MainActor
  public protocol ScreenTransitioning: UIViewController {
    /// How long the animation takes. The default is 0.35 seconds.
    func transitionDuration(isAppearing: Bool) -> Duration
    /// How long to wait before the animation starts. The default is zero.
    func transitionDelay(isAppearing: Bool) -> Duration
    /// The view is placed and not yet animated: take the first position.
    func transitionWillBegin(isAppearing: Bool)
    /// The animation starts: take the last position.
    func animateTransition(isAppearing: Bool)
    /// The animation has ended, in time or early: restore what was changed only for it.
    func transitionDidEnd(isAppearing: Bool)
  }

  extension ScreenTransitioning {
    /// 0.35 seconds.
    public func transitionDuration(isAppearing: Bool) -> Duration { .milliseconds(350) }
    /// Zero.
    public func transitionDelay(isAppearing: Bool) -> Duration { .zero }
    /// Does nothing.
    public func transitionWillBegin(isAppearing: Bool) {}
    /// Does nothing.
    public func animateTransition(isAppearing: Bool) {}
    /// Does nothing.
    public func transitionDidEnd(isAppearing: Bool) {}
  }

  extension TransitionAnimation {
    /// The view controller that is animated, for animators of one's own; nil in a container of other children.
    @MainActor public var viewController: UIViewController? { (child as? ControllerChild)?.controller }
  }
#endif
