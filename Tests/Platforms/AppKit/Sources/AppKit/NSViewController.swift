// SPDX-License-Identifier: MIT
/// A part of a window. There is no willMove, didMove, begin or end: appearance follows the view.
@MainActor
open class NSViewController: NSResponder {
  private var loaded: NSView?
  /// The parent.
  public private(set) weak var parent: NSViewController?
  /// The children.
  public private(set) var children: [NSViewController] = []
  private var hasWillAppear = false
  private var hasWillDisappear = false
  private(set) var isAppeared = false
  private var isChangingAppearance = false

  /// The designated initialiser.
  public init(nibName: String?, bundle: Bundle?) {
    super.init()
    StandIn.register(self)
  }
  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// The view.
  open var view: NSView {
    get {
      if loaded == nil {
        loadView()
        viewDidLoad()
      }
      return loaded!
    }
    set {
      loaded = newValue
      newValue.controller = self
    }
  }
  /// The view, if it is loaded.
  public var viewIfLoaded: NSView? { loaded }
  /// Whether the view is loaded.
  public var isViewLoaded: Bool { loaded != nil }

  /// The size that a window, a sheet or a container should give the view; zero for none. The parent is notified.
  open var preferredContentSize = NSSize.zero {
    didSet {
      guard preferredContentSize != oldValue else { return }
      parent?.preferredContentSizeDidChange(for: self)
      viewIfLoaded?.window?.follow(self)
    }
  }
  /// The size that a child prefers has changed. The default does nothing.
  open func preferredContentSizeDidChange(for viewController: NSViewController) {}

  /// Loads the view.
  public func loadViewIfNeeded() { _ = view }
  /// Without a nib name AppKit looks for a nib that is named like the class, and raises an exception: override this.
  open func loadView() {
    StandIn.require(false, .assertion, "loadView of \(self) was not overridden, and there is no nib")
    view = NSView()
  }
  /// The view is loaded.
  open func viewDidLoad() {}
  /// The view is about to be visible.
  open func viewWillAppear() {}
  /// The view is visible.
  open func viewDidAppear() {}
  /// The view is about to be hidden or removed.
  open func viewWillDisappear() {}
  /// The view was hidden or removed.
  open func viewDidDisappear() {}

  /// Adds a child at the end.
  public func addChild(_ child: NSViewController) {
    child.removeFromParent()
    children.append(child)
    child.parent = self
  }
  /// Removes the child from its parent.
  public func removeFromParent() {
    guard let former = parent else { return }
    // Documented for a child: its view is removed by who removes the child, before.
    StandIn.require(
      loaded?.superview == nil, .documented, "removeFromParent of \(self) before its view has left its superview")
    former.children.removeAll { $0 === self }
    parent = nil
  }

  func willAppear() {
    guard !isAppeared, !hasWillAppear else { return }
    hasWillAppear = true
    changing { viewWillAppear() }
  }
  func willDisappear() {
    guard isAppeared, !hasWillDisappear else { return }
    hasWillDisappear = true
    changing { viewWillDisappear() }
  }
  func follow(_ isVisible: Bool) {
    guard isVisible != isAppeared else { return }
    // "Hiding the view or taking it off its window in answer to viewWillAppear may raise an exception."
    StandIn.require(
      !isChangingAppearance, .assertion, "The visibility of \(self) was changed in its own viewWillAppear")
    if isVisible { willAppear() } else { willDisappear() }
    isAppeared = isVisible
    hasWillAppear = false
    hasWillDisappear = false
    if isVisible { viewDidAppear() } else { viewDidDisappear() }
  }
  private func changing(_ body: () -> Void) {
    isChangingAppearance = true
    body()
    isChangingAppearance = false
  }
}
