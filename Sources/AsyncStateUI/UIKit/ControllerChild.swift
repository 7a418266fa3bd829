#if canImport(UIKit) && !os(watchOS)
  import AsyncState
  import UIKit

  /// A view controller as a child of a container: each callback of the container is the call of UIKit that Apple
  /// documents for it.
  ///
  /// Not a conformance of UIViewController: it knows the parent, and it touches a controller only while that is its
  /// parent. Another parent may take the controller at any time.
  @MainActor
  final class ControllerChild: @MainActor TransitioningController {
    let controller: UIViewController
    private(set) var isLeaving = false
    private weak var register: ChildRegister?
    /// What was begun by this child and not yet ended, and what it led to.
    private var appearance = Appearance.gone

    init(_ controller: UIViewController, in register: ChildRegister) {
      self.controller = controller
      self.register = register
    }

    /// The controller of the container that this is, or was, a child of.
    var parent: UIViewController? { register?.parent }

    /// Whether the controller still belongs to the container. Another parent does not say that it takes it.
    var isMember: Bool {
      guard let register, let parent = register.parent else { return false }
      return register.members[ObjectIdentifier(controller)]?.child === self && controller.parent === parent
    }

    // MARK: Belonging

    func willAttach() {
      guard let register, let parent = register.parent else { return }
      ContainerStep.run(in: nil) {
        if let former = controller.parent { takeOver(from: former) }
        register.members[ObjectIdentifier(controller)] = ChildRegister.Member(child: self)
        parent.addChild(controller)
      }
    }

    func didAttach() {
      if isMember { controller.didMove(toParent: register?.parent) }
    }

    func willDetach() {
      isLeaving = true
      if isMember { controller.willMove(toParent: nil) }
    }

    func didDetach() {
      guard isMember else { return }
      register?.members[ObjectIdentifier(controller)] = nil
      controller.removeFromParent()
    }

    private func takeOver(from former: UIViewController) {
      if let keeper = former as? any ChildKeeper { keeper.giveUp(controller) }
      guard controller.parent != nil else { return }
      controller.willMove(toParent: nil)
      controller.viewIfLoaded?.removeFromSuperview()
      controller.removeFromParent()
    }

    /// Another container of this kind takes the controller: all that is open is ended before.
    func giveUp() {
      if let animated { transitionDidEnd(isAppearing: animated) }
      if !isLeaving { controller.willMove(toParent: nil) }
      if appearance == .visible || appearance == .appearing { begin(.disappearing, animated: false) }
      controller.viewIfLoaded?.removeFromSuperview()
      end(.gone)
      register?.members[ObjectIdentifier(controller)] = nil
      controller.removeFromParent()
    }

    func removeView(from superview: UIView) {
      if controller.viewIfLoaded?.superview === superview { controller.viewIfLoaded?.removeFromSuperview() }
    }

    // MARK: Appearing

    func willAppear(animated: Bool) {
      if isMember { begin(.appearing, animated: animated) }
    }

    func didAppear(animated: Bool) {
      end(.visible)
    }

    func willDisappear(animated: Bool) {
      if isMember, appearance == .visible { begin(.disappearing, animated: animated) }
    }

    func didDisappear(animated: Bool) {
      end(.gone)
    }

    private func begin(_ next: Appearance, animated: Bool) {
      appearance = next
      controller.beginAppearanceTransition(next == .appearing, animated: animated)
    }

    /// Ends what was begun here, also for a controller that has another parent by now.
    private func end(_ next: Appearance) {
      guard appearance == .appearing || appearance == .disappearing else { return }
      let isInWindow = controller.viewIfLoaded?.window != nil
      // Where another parent has put the view decides how it ends.
      if !isMember, isInWindow != (appearance == .appearing) {
        controller.beginAppearanceTransition(isInWindow, animated: false)
      }
      appearance = next
      controller.endAppearanceTransition()
    }

    // MARK: Animating

    /// The direction of the animation that has begun and not ended.
    private var animated: Bool?

    private var transitioning: (any ScreenTransitioning)? { controller as? any ScreenTransitioning }

    func transitionDuration(isAppearing: Bool) -> Duration {
      transitioning?.transitionDuration(isAppearing: isAppearing) ?? register?.fade ?? .milliseconds(350)
    }

    func transitionDelay(isAppearing: Bool) -> Duration {
      transitioning?.transitionDelay(isAppearing: isAppearing) ?? .zero
    }

    func transitionWillBegin(isAppearing: Bool) {
      guard isMember else { return }
      animated = isAppearing
      if let transitioning { return transitioning.transitionWillBegin(isAppearing: isAppearing) }
      if fades, isAppearing { controller.view.alpha = 0 }
    }

    func animateTransition(isAppearing: Bool) {
      guard animated != nil else { return }
      if let transitioning { return transitioning.animateTransition(isAppearing: isAppearing) }
      if fades { controller.view.alpha = isAppearing ? 1 : 0 }
    }

    func transitionDidEnd(isAppearing: Bool) {
      guard animated != nil else { return }
      animated = nil
      if let transitioning { return transitioning.transitionDidEnd(isAppearing: isAppearing) }
      guard fades else { return }
      controller.view.layer.removeAllAnimations()
      controller.view.alpha = 1
    }

    private var fades: Bool { register?.fade != nil }
  }

  /// The children that belong to one container at the moment, by their view controllers.
  @MainActor
  class ChildRegister {
    struct Member {
      weak var child: ControllerChild?
    }

    weak var parent: UIViewController?
    /// How long a child fades that does not say otherwise; nil if the animator does not fade.
    let fade: Duration?
    var members: [ObjectIdentifier: Member] = [:]
    private var displayed: [ControllerChild] = []

    init(fade: Duration?) {
      self.fade = fade
    }

    /// The child for a controller that belongs to the container; nil for others.
    func member(for controller: UIViewController) -> ControllerChild? {
      let child = members[ObjectIdentifier(controller)]?.child
      return child?.isMember == true ? child : nil
    }

    func members(of children: [any ChildController]) -> [ControllerChild] {
      children.compactMap { $0 as? ControllerChild }.filter(\.isMember)
    }

    /// Remembers what is displayed now, and returns what no longer is.
    func takeLost(from members: [ControllerChild]) -> [ControllerChild] {
      let former = displayed
      displayed = members
      return former.filter { child in !members.contains { $0 === child } }
    }
  }

  /// A container that can release a controller properly, because another one takes it.
  @MainActor
  protocol ChildKeeper: AnyObject {
    func giveUp(_ controller: UIViewController)
  }
#endif
