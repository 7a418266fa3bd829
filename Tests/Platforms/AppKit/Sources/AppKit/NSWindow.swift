// SPDX-License-Identifier: MIT
/// The view that a window has by itself.
final class NSContentView: NSView {
  weak var owner: NSWindow?
  override var window: NSWindow? { owner }
}

/// A window.
@MainActor
open class NSWindow: NSResponder {
  private let content = NSContentView(frame: .zero)
  /// The controller whose view fills the window.
  public var contentViewController: NSViewController? {
    didSet {
      content.owner = self
      oldValue?.view.removeFromSuperview()
      guard let contentViewController else { return }
      // "The window is sized to the view": what it is when it is loaded, or what the controller prefers.
      contentSize = contentViewController.view.frame.size
      follow(contentViewController)
      content.addSubview(contentViewController.view)
    }
  }
  /// The size of what is in the frame. Nothing of this exists in AppKit under this name.
  public private(set) var contentSize = NSSize.zero

  func follow(_ controller: NSViewController) {
    if controller === contentViewController, controller.preferredContentSize != .zero {
      contentSize = controller.preferredContentSize
    }
  }
  /// Orders the window out, or in again.
  public var isOrderedOut: Bool {
    get { content.isHidden }
    set { content.isHidden = newValue }
  }
}
