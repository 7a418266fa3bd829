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
      if let contentViewController { content.addSubview(contentViewController.view) }
    }
  }
  /// Orders the window out, or in again.
  public var isOrderedOut: Bool {
    get { content.isHidden }
    set { content.isHidden = newValue }
  }
}
