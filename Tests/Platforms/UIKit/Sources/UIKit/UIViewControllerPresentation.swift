// SPDX-License-Identifier: MIT
/// How a controller is presented.
public enum UIModalPresentationStyle: Int, Sendable {
  /// It covers everything.
  case fullScreen = 0
  /// A sheet, below which the presenter stays.
  case pageSheet = 1
  /// What the system prefers: a sheet.
  case automatic = -2
}

extension UIViewController {
  private var topAncestor: UIViewController { parent?.topAncestor ?? self }

  /// Presents a controller over this one's window. Where it covers everything, what is below disappears.
  public func present(_ controller: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {
    let presenter = topAncestor
    // UIKit writes a line to the log and presents nothing.
    guard let window = presenter.viewIfLoaded?.window, presenter.presentedViewController == nil else { return }
    presenter.presentedViewController = controller
    controller.presentingViewController = presenter
    let covers = controller.modalPresentationStyle == .fullScreen
    if covers { presenter.begin(false, animated: flag) }
    controller.begin(true, animated: flag)
    window.addSubview(controller.view)
    let transition = StandIn.Transition {
      if covers { presenter.view.removeFromSuperview() }
      if covers { presenter.end() }
      controller.end()
      completion?()
    }
    StandIn.run(transition, animated: flag)
  }

  /// Dismisses what this controller, or its container, presents or is presented as.
  public func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    let top = topAncestor
    guard let controller = top.presentedViewController ?? (top.presentingViewController != nil ? top : nil),
      let presenter = controller.presentingViewController, let window = controller.viewIfLoaded?.window
    else { return }
    let covers = controller.modalPresentationStyle == .fullScreen
    controller.begin(false, animated: flag)
    if covers { presenter.begin(true, animated: flag) }
    if covers { window.insertSubview(presenter.view, at: 0) }
    let transition = StandIn.Transition {
      controller.view.removeFromSuperview()
      controller.end()
      if covers { presenter.end() }
      presenter.presentedViewController = nil
      controller.presentingViewController = nil
      completion?()
    }
    StandIn.run(transition, animated: flag)
  }
}
