// SPDX-License-Identifier: MIT
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
  /// Whether the mask is made into constraints. One with constraints of its own does not.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// The edges that constraints put at the same edge of another view, for tests.
  public internal(set) var pinnedEdges: [String] = []
  /// The smallest size that its constraints allow. The stand-in runs no layout: override it.
  open var fittingSize: NSSize { .zero }
  /// Changes the size.
  open func setFrameSize(_ newSize: NSSize) { frame.size = newSize }
  private var isAccessibilityElementHidden = false
  /// Whether VoiceOver does not find the view.
  open func isAccessibilityHidden() -> Bool { isAccessibilityElementHidden }
  /// Hides the view from VoiceOver.
  open func setAccessibilityHidden(_ hidden: Bool) { isAccessibilityElementHidden = hidden }
  /// The view that gets a click at a point of the superview, from front to back; nil for none.
  open func hitTest(_ point: NSPoint) -> NSView? {
    guard !isHidden, frame.contains(point) else { return nil }
    let inner = NSPoint(x: point.x - frame.minX, y: point.y - frame.minY)
    return subviews.reversed().lazy.compactMap { $0.hitTest(inner) }.first ?? self
  }
  /// Whether the view is `other` or below it.
  public func isDescendant(of other: NSView) -> Bool {
    sequence(first: self) { $0.superview }.contains { $0 === other }
  }
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

  private func movedToWindow() {
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
    // The constraints to other views end.
    pinnedEdges = []
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
