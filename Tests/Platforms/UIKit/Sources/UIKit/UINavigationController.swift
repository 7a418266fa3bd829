// SPDX-License-Identifier: MIT
/// A stack of controllers, with a pop that the user can take back.
@MainActor
open class UINavigationController: UIViewController {
  override var forwardsByItself: Bool { true }

  /// The stack, from the root to the top.
  public private(set) var viewControllers: [UIViewController] = []
  /// The visible controller.
  public var topViewController: UIViewController? { viewControllers.last }
  private var isDisplayed: Bool { appearance == .appeared }

  /// A stack of one.
  public init(rootViewController: UIViewController) {
    super.init(nibName: nil, bundle: nil)
    addChild(rootViewController)
    viewControllers = [rootViewController]
    rootViewController.didMove(toParent: self)
  }

  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// The root's view is placed when this is about to appear.
  open override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    // Before the forwarding that follows, which looks at what is in the hierarchy.
    if let top = topViewController, top.viewIfLoaded?.superview == nil { view.addSubview(top.view) }
  }

  /// Pushes a controller.
  public func pushViewController(_ controller: UIViewController, animated: Bool) {
    let former = topViewController
    addChild(controller)
    viewControllers.append(controller)
    guard isDisplayed else {
      former?.viewIfLoaded?.removeFromSuperview()
      return controller.didMove(toParent: self)
    }
    StandIn.coordinator = TransitionCoordinator(isInteractive: false)
    former?.begin(false, animated: animated)
    controller.begin(true, animated: animated)
    view.addSubview(controller.view)
    let transition = StandIn.Transition {
      former?.view.removeFromSuperview()
      former?.endForwarded()
      controller.endForwarded()
      controller.didMove(toParent: self)
    }
    StandIn.run(transition, animated: animated)
  }

  /// Pops the top controller.
  @discardableResult
  public func popViewController(animated: Bool) -> UIViewController? { pop(animated: animated, isInteractive: false) }

  /// The user begins to swipe back. Nothing of this exists in UIKit under this name.
  public func beginInteractivePop() { pop(animated: true, isInteractive: true) }

  @discardableResult
  private func pop(animated: Bool, isInteractive: Bool) -> UIViewController? {
    guard viewControllers.count > 1 else { return nil }
    let top = viewControllers[viewControllers.count - 1]
    let former = viewControllers[viewControllers.count - 2]
    top.willMove(toParent: nil)
    guard isDisplayed else {
      top.viewIfLoaded?.removeFromSuperview()
      viewControllers.removeLast()
      top.removeFromParent()
      return top
    }
    StandIn.coordinator = TransitionCoordinator(isInteractive: isInteractive)
    top.begin(false, animated: animated)
    former.begin(true, animated: animated)
    view.insertSubview(former.view, at: 0)
    // Taken back, the order is as reported (https://stackoverflow.com/questions/18927878): viewWillDisappear,
    // viewWillAppear, viewDidAppear for the one that stays, and never viewDidDisappear.
    let transition = StandIn.Transition(
      finish: {
        self.viewControllers.removeAll { $0 === top }
        top.view.removeFromSuperview()
        top.endForwarded()
        former.endForwarded()
        top.removeFromParent()
      },
      cancel: isInteractive
        ? {
          former.begin(false, animated: true)
          top.begin(true, animated: true)
          former.view.removeFromSuperview()
          former.endForwarded()
          top.endForwarded()
          top.stay()
        } : nil)
    StandIn.run(transition, animated: animated || isInteractive)
    return top
  }
}
