@_exported public import Foundation

/// What a test uses to drive the stand-in and to see what it found. Nothing of this exists in AppKit.
@MainActor
public enum StandIn {
  /// Where a rule of the stand-in comes from.
  enum Rule: String {
    /// AppKit raises an exception, or says that it may.
    case assertion
    /// Apple's documentation states it; AppKit does not check it.
    case documented
    /// Neither: a rule of this stand-in, which an adapter of good manners keeps.
    case strict
  }

  /// Called for each violation, with its rule. While it is nil, which is the default, the first one stops the process.
  public static var onViolation: ((String) -> Void)?

  static func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    let violation = "\(message()) (\(rule.rawValue))"
    if let onViolation { onViolation(violation) } else { fatalError("AppKit stand-in: \(violation)") }
  }

  struct Weak {
    weak var controller: NSViewController?
  }
  static var registered: [Weak] = []

  /// What is not in order although nothing is under way.
  public static func audit() -> [String] {
    registered.compactMap(\.controller).flatMap { controller in
      let isVisible = controller.viewIfLoaded?.isVisible == true
      var findings: [String] = []
      if controller.isAppeared != isVisible { findings.append("\(controller): appearance and view do not agree") }
      if controller.parent == nil, controller.viewIfLoaded?.superview?.controller != nil {
        findings.append("\(controller) has no parent, and its view is in another's")
      }
      if controller.viewIfLoaded.map({ $0.alphaValue != 1 }) == true { findings.append("\(controller) is translucent") }
      return findings
    }
  }

  /// Forgets everything, for the next test.
  public static func reset() {
    let former = animations + ended
    animations = []
    ended = []
    durations = []
    implicitGroups = 0
    registered = []
    onViolation = nil
    withExtendedLifetime(former) {}
  }

  /// The animations that run, oldest first.
  public static var animations: [@Sendable () -> Void] = []

  /// How long the groups took since the last reset.
  public static var durations: [TimeInterval] = []

  /// How many groups also animated what was changed directly, since the last reset.
  public static var implicitGroups = 0

  /// Ends the oldest animation.
  public static func endAnimation() {
    guard !animations.isEmpty else { return }
    ended.append(animations.removeFirst())
    ended.last?()
  }
  // When AppKit releases a completion that it has called is not documented.
  private static var ended: [@Sendable () -> Void] = []
}

/// The root of what receives events.
@MainActor
open class NSResponder: NSObject {
  /// A responder.
  public override init() { super.init() }
}

/// A view. The appearance of a controller follows its view: in a window, and neither it nor one above hidden.
@MainActor
open class NSView: NSResponder {
  /// The order of a view among its siblings.
  public enum OrderingMode: Int, Sendable {
    /// In front.
    case above = 1
    /// Behind.
    case below = -1
  }
  /// How a view follows its superview.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// A mask of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The width follows.
    public static let width = AutoresizingMask(rawValue: 2)
    /// The height follows.
    public static let height = AutoresizingMask(rawValue: 16)
  }

  /// The view above in the hierarchy.
  public private(set) weak var superview: NSView?
  /// The views below, from back to front.
  public private(set) var subviews: [NSView] = []
  /// The place in the superview.
  open var frame: NSRect
  /// Its own coordinates.
  open var bounds: NSRect { NSRect(origin: .zero, size: frame.size) }
  /// How opaque it is.
  open var alphaValue: CGFloat = 1 { didSet { alphas = alphas.suffix(5) + [alphaValue] } }
  /// What it was set to last, for tests.
  public private(set) var alphas: [CGFloat] = []
  /// How it follows its superview.
  open var autoresizingMask: AutoresizingMask = []
  /// Whether it is hidden. All below are notified of what is about to happen, and then of what has happened.
  open var isHidden: Bool {
    get { hidden }
    set {
      guard newValue != hidden else { return }
      if newValue, isVisible { tell { $0.willDisappear() } }
      if !newValue, isSuperviewVisible { tell { $0.willAppear() } }
      hidden = newValue
      follow()
    }
  }
  private var hidden = false
  /// Which kind of view it is, for a table that uses views again.
  open var identifier: NSUserInterfaceItemIdentifier?
  weak var controller: NSViewController?

  /// The view has entered or left a window. The default does nothing.
  open func viewDidMoveToWindow() {}
  /// A table is about to use the view for another row.
  open func prepareForReuse() { isPrepared = true }
  /// Apple: "If you override this method, you must call super's implementation."
  var isPrepared = false

  /// A view with a frame.
  public init(frame: NSRect) {
    self.frame = frame
    super.init()
  }
  /// A view without a size.
  public convenience override init() { self.init(frame: .zero) }
  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// The window.
  open var window: NSWindow? { superview?.window }
  /// What animates when it is changed in a group.
  public func animator() -> Self { self }

  /// Adds a view in front.
  public func addSubview(_ view: NSView) { addSubview(view, positioned: .above, relativeTo: nil) }

  /// Adds a view in front of or behind another, or moves it there.
  public func addSubview(_ view: NSView, positioned place: OrderingMode, relativeTo other: NSView?) {
    let formerWindow = view.window
    if view.superview === self {
      subviews.removeAll { $0 === view }
    } else {
      if view.superview != nil { view.removeFromSuperview() }
      if view.isAboutToBeVisible(in: self) { view.tell { $0.willAppear() } }
      view.superview = self
    }
    let index = other.flatMap { other in subviews.firstIndex { $0 === other } }
    switch place {
    case .above: subviews.insert(view, at: index.map { $0 + 1 } ?? subviews.count)
    case .below: subviews.insert(view, at: index ?? 0)
    }
    view.follow()
    if view.window !== formerWindow { view.movedToWindow() }
  }

  fileprivate func movedToWindow() {
    viewDidMoveToWindow()
    for view in subviews { view.movedToWindow() }
  }

  /// Takes the view out of its superview.
  public func removeFromSuperview() {
    guard let superview else { return }
    let formerWindow = window
    if isVisible { tell { $0.willDisappear() } }
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    follow()
    if formerWindow != nil { movedToWindow() }
  }

  var isVisible: Bool { !isHidden && isSuperviewVisible }
  private var isSuperviewVisible: Bool { superview?.isVisible ?? (self is NSContentView) }

  private func isAboutToBeVisible(in superview: NSView) -> Bool { !isHidden && superview.isVisible }

  private func tell(_ call: (NSViewController) -> Void) {
    if let controller { call(controller) }
    for view in subviews where !view.isHidden { view.tell(call) }
  }

  /// Brings the appearance of all controllers below up to date.
  func follow() {
    controller?.follow(isVisible)
    for view in subviews { view.follow() }
  }
}

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
    StandIn.registered.append(StandIn.Weak(controller: self))
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

/// A group of animated changes.
@MainActor
open class NSAnimationContext: NSObject {
  /// How long they take.
  public var duration: TimeInterval = 0.25
  /// Whether changes of views are animated that do not go through their animators.
  public var allowsImplicitAnimation = false

  /// Animates changes. The completion is `@Sendable`, and called on the main thread.
  public class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let context = NSAnimationContext()
    changes(context)
    StandIn.durations.append(context.duration)
    if context.allowsImplicitAnimation { StandIn.implicitGroups += 1 }
    StandIn.animations.append { completionHandler?() }
  }
}
