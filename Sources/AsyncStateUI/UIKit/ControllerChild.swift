// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS)
  import AsyncState
  public import UIKit

  /// A view controller as a child of a container: each callback of the container is the call of UIKit that Apple
  /// documents for it.
  ///
  /// Not a conformance of UIViewController: it knows the parent, and it touches a controller only while that is its
  /// parent. Another parent may take the controller at any time.
  @MainActor
  final class ControllerChild: @MainActor TransitioningController {
    let controller: UIViewController
    private(set) weak var parent: UIViewController?
    private(set) var isLeaving = false
    private let motion: any AnimatedTransitioning
    private var wasTaken = false
    /// The call that was begun here; `appearing` and `disappearing` are not yet ended.
    private var appearance = Appearance.gone
    /// Whether the animation that has begun and not ended is that of an appearing child.
    private var isAnimatedIn: Bool?
    /// The state of the view before it was placed, or covered by those that replace it.
    private var translatesMask: Bool?
    private var uncovered: (isTouchable: Bool, isHidden: Bool)?

    init(_ controller: UIViewController, in parent: UIViewController, _ animator: any TransitionAnimator) {
      self.controller = controller
      self.parent = parent
      motion =
        controller as? any AnimatedTransitioning
        ?? Fade(controller: controller, duration: (animator as? ViewAnimator)?.duration ?? .milliseconds(350))
    }

    /// Whether the controller still belongs to the container. Another parent does not say that it takes it.
    var isMember: Bool { !wasTaken && parent != nil && controller.parent === parent }

    // MARK: Belonging

    func willAttach() {
      guard let parent else { return }
      ContainerStep.run(in: nil) {
        (controller.parent as? any ChildOwner)?.giveUp(controller)
        if controller.parent != nil {
          controller.willMove(toParent: nil)
          controller.viewIfLoaded?.removeFromSuperview()
          controller.removeFromParent()
        }
        parent.addChild(controller)
      }
    }

    func didAttach() {
      if isMember { controller.didMove(toParent: parent) }
    }

    func willDetach() {
      // One that another parent has taken may be listed again: as another child.
      wasTaken = !isMember
      let wasLeaving = isLeaving
      // Before the call, in which it may be given up.
      isLeaving = true
      if !wasTaken, !wasLeaving { controller.willMove(toParent: nil) }
    }

    func didDetach() {
      guard isMember else { return }
      removeView()
      controller.removeFromParent()
    }

    /// The view is about to be laid out here. Where it is placed next, its mask may count again.
    func willPlace() { translatesMask = controller.view.translatesAutoresizingMaskIntoConstraints }

    private func removeView() {
      controller.viewIfLoaded?.removeFromSuperview()
      if let mask = translatesMask.take() { controller.viewIfLoaded?.translatesAutoresizingMaskIntoConstraints = mask }
    }

    /// Another parent takes the controller: all that is open is ended before.
    func giveUp() {
      if let isAnimatedIn { transitionDidEnd(isAppearing: isAnimatedIn) }
      willDetach()
      willDisappear(animated: false)
      didDisappear(animated: false)
      didDetach()
      // It may come back to this parent: as another child.
      wasTaken = true
    }

    // MARK: Appearing

    func willAppear(animated: Bool) {
      if isMember { begin(.appearing, animated: animated) }
    }

    func didAppear(animated: Bool) { end(.visible) }

    func willDisappear(animated: Bool) {
      if isMember, appearance == .visible || appearance == .appearing { begin(.disappearing, animated: animated) }
    }

    func didDisappear(animated: Bool) {
      if isMember, isLeaving { removeView() }
      end(.gone)
    }

    private func begin(_ next: Appearance, animated: Bool) {
      appearance = next
      controller.beginAppearanceTransition(next == .appearing, animated: animated)
    }

    /// Ends what was begun here, also for a controller that another parent has taken since.
    private func end(_ next: Appearance) {
      guard appearance == .appearing || appearance == .disappearing else { return }
      appearance = next
      // Of a screen that was released nothing is visible any more, and nothing else is called: an animation that was
      // released with it ends as soon as the main actor is free.
      if parent != nil { controller.endAppearanceTransition() }
    }

    // MARK: Animating

    func transitionDuration(isAppearing: Bool) -> Duration { motion.transitionDuration(isAppearing: isAppearing) }
    func transitionDelay(isAppearing: Bool) -> Duration { motion.transitionDelay(isAppearing: isAppearing) }

    func transitionWillBegin(isAppearing: Bool) {
      guard isMember else { return }
      isAnimatedIn = isAppearing
      if !isAppearing { cover() }
      motion.transitionWillBegin(isAppearing: isAppearing)
    }

    func animateTransition(isAppearing: Bool) {
      if isAnimatedIn == isAppearing { motion.animateTransition(isAppearing: isAppearing) }
    }

    func transitionDidEnd(isAppearing: Bool) {
      guard isAnimatedIn.take() != nil else { return }
      motion.transitionDidEnd(isAppearing: isAppearing)
      uncover()
    }

    /// What leaves is neither touched nor read by VoiceOver.
    private func cover() {
      uncovered = (controller.view.isUserInteractionEnabled, controller.view.accessibilityElementsHidden)
      controller.view.isUserInteractionEnabled = false
      controller.view.accessibilityElementsHidden = true
    }

    private func uncover() {
      guard let (isTouchable, isHidden) = uncovered.take() else { return }
      controller.view.isUserInteractionEnabled = isTouchable
      controller.view.accessibilityElementsHidden = isHidden
    }
  }

  /// How a child is animated that does not decide it itself.
  @MainActor
  private final class Fade: @MainActor AnimatedTransitioning {
    private let controller: UIViewController
    private let duration: Duration
    /// How opaque the view is when it is not animated.
    private var alpha: CGFloat = 1

    init(controller: UIViewController, duration: Duration) {
      self.controller = controller
      self.duration = duration
    }

    func transitionDuration(isAppearing: Bool) -> Duration { duration }
    func transitionWillBegin(isAppearing: Bool) {
      alpha = controller.view.alpha
      if isAppearing { controller.view.alpha = 0 }
    }
    func animateTransition(isAppearing: Bool) { controller.view.alpha = isAppearing ? alpha : 0 }
    func transitionDidEnd(isAppearing: Bool) {
      // Only its own animation; the child may have others.
      controller.view.layer.removeAnimation(forKey: "opacity")
      controller.view.alpha = alpha
    }
  }

  /// A container that removes a controller in the documented order, because another parent takes it.
  @MainActor
  protocol ChildOwner: AnyObject {
    func giveUp(_ controller: UIViewController)
  }

  extension ContainerStep {
    /// Carries out a hand-over of `child`, at once or when the steps of it and of what it contains are over.
    static func handOver(_ child: UIViewController, _ body: @escaping () -> Void) {
      let isStepping = running.compactMap(\.self).contains { controller in
        sequence(first: controller) { $0.parent }.contains { $0 === child }
      }
      call(if: !isStepping) { run(in: nil, body) }
    }
  }

  extension UIViewController {
    /// The controller of `view`: a new one, which does nothing but contain it, if the view has none.
    ///
    /// So a plain view can be a child: `StateViewController(initialState: 0) { _ in [.containing(label)] }`. While the
    /// child is there, the same view gives the same controller.
    public static func containing(_ view: UIView) -> UIViewController {
      if let controller = view.next as? UIViewController { return controller }
      let controller = UIViewController(nibName: nil, bundle: nil)
      controller.view = view
      return controller
    }
  }
#endif
