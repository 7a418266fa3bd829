// SPDX-License-Identifier: MIT
/// The root of what receives events.
@MainActor
open class UIResponder: NSObject {
  /// A responder.
  public override init() { super.init() }
  /// Who receives the events that this one does not handle.
  open var next: UIResponder? { nil }
}

/// Stands for what UIKit animates.
@MainActor
public final class CALayer {
  weak var view: UIView?

  /// Ends the animations of one property, and an animation that changes nothing else.
  public func removeAnimation(forKey key: String) {
    guard let view else { return }
    UIView.endAnimations(of: view, key: key)
  }
}

/// A view: a place in a hierarchy.
@MainActor
open class UIView: UIResponder {
  /// Masks of a view that follows the size of its superview.
  public struct AutoresizingMask: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// A mask of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The width follows.
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    /// The height follows.
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  /// The view above in the hierarchy.
  public private(set) weak var superview: UIView?
  /// The views below, from back to front.
  public private(set) var subviews: [UIView] = []
  /// Where the view is in its superview.
  open var frame: CGRect { didSet { UIView.noteAnimatedChange(of: self, key: "position") } }
  /// Its own coordinates.
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  /// How opaque the view is.
  open var alpha: CGFloat = 1 {
    didSet {
      alphas = alphas.suffix(5) + [alpha]
      UIView.noteAnimatedChange(of: self, key: "opacity")
    }
  }
  /// What it was set to last, for tests.
  public private(set) var alphas: [CGFloat] = []
  /// Whether the view is hidden.
  open var isHidden = false
  /// Whether the view receives touches.
  open var isUserInteractionEnabled = true
  /// What VoiceOver says.
  open var accessibilityLabel: String?
  /// The colour behind everything.
  open var backgroundColor: UIColor?
  /// The part that no bar covers.
  public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide(self) }
  /// Whether VoiceOver does not find the view and those below it.
  open var accessibilityElementsHidden = false
  /// How the view follows the size of its superview.
  public var autoresizingMask: AutoresizingMask = []
  /// Whether the mask is made into constraints. One with constraints of its own does not.
  open var translatesAutoresizingMaskIntoConstraints = true
  /// The edges that constraints put at the same edge of another view, for tests.
  public internal(set) var pinnedEdges: [String] = []
  /// What is animated.
  public let layer = CALayer()
  weak var controller: UIViewController?

  /// A view with a frame.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
    layer.view = self
  }

  /// A view without a size.
  public convenience override init() { self.init(frame: .zero) }

  /// Not used here.
  public required init?(coder: NSCoder) { nil }

  /// The controller whose view this is; otherwise the view above.
  open override var next: UIResponder? { controller ?? superview }

  /// The window that the view is in.
  open var window: UIWindow? { superview?.window }

  /// Whether the view is `other` or below it.
  public func isDescendant(of other: UIView) -> Bool {
    var view: UIView? = self
    while let next = view {
      if next === other { return true }
      view = next.superview
    }
    return false
  }

  /// Adds a view in front.
  public func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Adds a view at a place, or moves it there.
  public func insertSubview(_ view: UIView, at index: Int) {
    StandIn.require(!isDescendant(of: view), .assertion, "A view was added to itself or to a view below it")
    checkHierarchy(adding: view)
    let isEntering = view.window == nil && window != nil
    let isLeavingWindow = view.window != nil && window == nil
    let affected = isEntering || isLeavingWindow ? view.forwardedControllers() : []
    for controller in affected { controller.beginForwarded(isAppearing: isEntering) }
    view.superview?.subviews.removeAll { $0 === view }
    view.superview = self
    subviews.insert(view, at: min(max(index, 0), subviews.count))
    if isLeavingWindow { view.leftWindow() }
    if isEntering { view.enteredWindow() }
    for controller in affected { controller.endForwarded() }
  }

  /// Takes the view out of its superview.
  public func removeFromSuperview() {
    guard let superview else { return }
    let wasInWindow = window != nil
    let affected = wasInWindow ? forwardedControllers() : []
    for controller in affected { controller.beginForwarded(isAppearing: false) }
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    // "Removes any constraints that refer to the view you are removing, or that refer to any view in its subtree."
    pinnedEdges = []
    if wasInWindow { leftWindow() }
    for controller in affected { controller.endForwarded() }
  }

  /// Lays out what needs it. UIKit writes a line to the log where a table is laid out in no window: its rows are loaded
  /// with sizes that are not theirs.
  public func layoutIfNeeded() {
    StandIn.require(window != nil, .documented, "layoutIfNeeded of \(self), which is in no window")
  }
  /// The view has entered or left a window. The default does nothing.
  open func didMoveToWindow() {}
  /// The height that the constraints of what is below result in. Here each line of a text is 20 points high.
  var contentHeight: CGFloat { subviews.map(\.contentHeight).max() ?? 0 }

  /// What the user has chosen, and what the window is like.
  public var traitCollection: UITraitCollection { UITraitCollection() }

  // An assertion of UIKit, "UIViewControllerHierarchyInconsistencyException": the first view above that belongs to a
  // controller must belong to the parent. A controller without a parent is let pass.
  private func checkHierarchy(adding view: UIView) {
    guard let child = view.controller, let parent = child.parent else { return }
    var above: UIView? = self
    while let next = above, next.controller == nil { above = next.superview }
    guard let owner = above?.controller else { return }
    StandIn.require(
      owner === parent, .assertion,
      "UIViewControllerHierarchyInconsistency: the view of \(child) was added to that of \(owner), its parent is \(parent)"
    )
  }

  // A parent that forwards appearance, and is visible, does so when the view of a child enters or leaves the window, with
  // what it is in.
  private func forwardedControllers() -> [UIViewController] {
    guard let controller else { return subviews.flatMap { $0.forwardedControllers() } }
    guard let parent = controller.parent, parent.shouldAutomaticallyForwardAppearanceMethods,
      !parent.forwardsByItself, parent.appearance != .disappeared,
      // A transition that was begun by hand is left to who began it (not documented).
      controller.isForwarded || controller.appearance == .appeared || controller.appearance == .disappeared
    else { return [] }
    return [controller]
  }

  // Stands for the layout that follows, in which lists load their rows.
  func enteredWindow() {
    didMoveToWindow()
    for view in subviews { view.enteredWindow() }
  }

  // The animations of a layer that leaves the window are removed; completions follow when the run loop turns.
  private func leftWindow() {
    UIView.removeAnimationsLater(below: self)
    noteLeftWindow()
  }

  private func noteLeftWindow() {
    didMoveToWindow()
    for view in subviews { view.noteLeftWindow() }
  }
}

/// The top of a hierarchy.
@MainActor
open class UIWindow: UIView {
  /// The window itself.
  open override var window: UIWindow? { self }

  /// The controller whose view fills the window.
  open var rootViewController: UIViewController? {
    didSet {
      guard isKey, oldValue !== rootViewController else { return }
      if let oldValue { hide(oldValue) }
      if let rootViewController { show(rootViewController) }
    }
  }
  private var isKey = false

  /// Shows the window.
  public func makeKeyAndVisible() {
    guard !isKey else { return }
    isKey = true
    if let rootViewController { show(rootViewController) }
  }

  private func show(_ controller: UIViewController) {
    controller.isRoot = true
    controller.beginAppearanceTransition(true, animated: false)
    addSubview(controller.view)
    controller.endAppearanceTransition()
  }

  private func hide(_ controller: UIViewController) {
    controller.beginAppearanceTransition(false, animated: false)
    controller.view.removeFromSuperview()
    controller.endAppearanceTransition()
    controller.isRoot = false
  }
}

/// A text.
@MainActor
open class UILabel: UIView {
  /// What it says.
  public var text: String?
  override var contentHeight: CGFloat {
    let lines = text?.split(separator: "\n", omittingEmptySubsequences: false).count ?? 0
    return CGFloat(numberOfLines == 0 ? lines : min(lines, numberOfLines)) * 20
  }
  /// How many lines it has at most; zero for any number.
  public var numberOfLines = 1
  /// How large the text is.
  public var font: UIFont! = UIFont()
  /// Whether the text follows the size that the user has chosen.
  public var adjustsFontForContentSizeCategory = false
}

/// The size and style of a text.
public final class UIFont: NSObject {
  /// What a text is for.
  public struct TextStyle: Hashable, Sendable {
    let name: String
    /// For notes.
    public static let footnote = TextStyle(name: "footnote")
    /// For headings.
    public static let headline = TextStyle(name: "headline")
  }
  /// The font for a kind of text.
  public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

/// A colour.
public final class UIColor: NSObject {
  /// For what is above the background.
  public class var secondarySystemBackground: UIColor { UIColor() }
}

extension NSLayoutConstraint {
  /// A direction.
  public enum Axis: Int, Sendable {
    /// From left to right.
    case horizontal
    /// From top to bottom.
    case vertical
  }
}

/// Views in a row or column.
@MainActor
open class UIStackView: UIView {
  /// Views from left to right.
  public convenience init(arrangedSubviews: [UIView]) {
    self.init(frame: .zero)
    for view in arrangedSubviews { addSubview(view) }
  }
  /// Adds a view at the end.
  public func addArrangedSubview(_ view: UIView) { addSubview(view) }
  /// From left to right, or from top to bottom.
  public var axis = NSLayoutConstraint.Axis.horizontal
  /// What is between the views.
  public var spacing: CGFloat = 0
  /// Whether there are margins around the views.
  public var isLayoutMarginsRelativeArrangement = false
}

/// A part of a view, for constraints.
@MainActor
public final class UILayoutGuide {
  let owner: UIView
  init(_ owner: UIView) { self.owner = owner }
  /// The lower edge.
  public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(owner, "bottom") }
  /// The edge where lines begin.
  public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(owner, "leading") }
  /// The edge where lines end.
  public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(owner, "trailing") }
}

/// A view that scrolls.
@MainActor
open class UIScrollView: UIView {
  /// The control that is pulled to refresh.
  public var refreshControl: UIRefreshControl?
}

/// An edge, as a set.
public struct NSDirectionalRectEdge: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// Edges of these bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The top edge.
  public static let top = NSDirectionalRectEdge(rawValue: 1)
}
