// SPDX-License-Identifier: MIT
#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// A view controller as a child of a container: each callback of the container is the call that Apple documents for it. Where
  /// AppKit has none of that name, because the appearance of its controllers follows their views, nothing is called.
  ///
  /// Not a conformance of the view controller: it knows the parent, and it touches a controller only while that is its
  /// parent. Another parent may take the controller at any time.
  @MainActor
  final class ControllerChild: @MainActor TransitioningController {
    let controller: ViewController
    private(set) weak var parent: ViewController?
    private(set) var isLeaving = false
    private let motion: any AnimatedTransitioning
    private var wasTaken = false
    /// The call that was begun here; `appearing` and `disappearing` are not yet ended.
    private var appearance = Appearance.gone
    /// Whether the animation that has begun and not ended is that of an appearing child.
    private var isAnimatedIn: Bool?
    /// The state of the view before it was placed, or covered by those that replace it.
    private var translatesMask: Bool?
    private var cover: Cover?

    init(_ controller: ViewController, in parent: ViewController, _ animator: any TransitionAnimator) {
      self.controller = controller
      self.parent = parent
      motion =
        controller as? any AnimatedTransitioning ?? Fade(controller: controller, duration: animator.durationOfFades)
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
      if !isAppearing { cover = Cover(over: controller.view, in: parent?.viewIfLoaded) }
      motion.transitionWillBegin(isAppearing: isAppearing)
    }

    func animateTransition(isAppearing: Bool) {
      if isAnimatedIn == isAppearing { motion.animateTransition(isAppearing: isAppearing) }
    }

    func transitionDidEnd(isAppearing: Bool) {
      guard isAnimatedIn.take() != nil else { return }
      motion.transitionDidEnd(isAppearing: isAppearing)
      cover.take()?.remove()
    }
  }

  /// How a child is animated that does not decide it itself.
  @MainActor
  private final class Fade: @MainActor AnimatedTransitioning {
    private let controller: ViewController
    private let duration: Duration
    /// How opaque the view is when it is not animated.
    private var opacity: CGFloat = 1

    init(controller: ViewController, duration: Duration) {
      self.controller = controller
      self.duration = duration
    }

    func transitionDuration(isAppearing: Bool) -> Duration { duration }
    func transitionWillBegin(isAppearing: Bool) {
      opacity = controller.view.opacity
      if isAppearing { controller.view.opacity = 0 }
    }
    func animateTransition(isAppearing: Bool) { controller.view.fade(to: isAppearing ? opacity : 0) }
    func transitionDidEnd(isAppearing: Bool) {
      // Only its own animation; the child may have others.
      controller.view.endFade()
      controller.view.opacity = opacity
    }
  }

  /// A container that removes a controller in the documented order, because another parent takes it.
  @MainActor
  protocol ChildOwner: AnyObject {
    func giveUp(_ controller: ViewController)
  }
#endif
