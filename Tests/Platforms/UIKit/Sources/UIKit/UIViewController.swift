// SPDX-License-Identifier: MIT
/// A part of a screen. Written from Apple's documentation; what is checked, and on whose authority, stands at each check.
@MainActor
open class UIViewController: UIResponder, UIFocusEnvironment, UIContentContainer {
  enum Appearance: String {
    case disappeared, appearing, appeared, disappearing
  }

  var appearance = Appearance.disappeared
  private var isAnimatedTransition = false
  private var hasCalledIsAppearing = false
  private var superCalls: Set<String> = []
  var isRoot = false
  var forwardsByItself: Bool { false }

  // MARK: View

  private var loadedView: UIView?
  private var isLoadingView = false

  /// The designated initialiser.
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init()
    StandIn.register(self)
  }

  /// From an archive.
  public required init?(coder: NSCoder) {
    super.init()
    StandIn.register(self)
  }

  /// Without a nib.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  /// The view, which is loaded when it is read for the first time.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set {
      loadedView?.controller = nil
      loadedView = newValue
      newValue?.controller = self
    }
  }
  /// The view, if it is loaded.
  public var viewIfLoaded: UIView? { loadedView }
  /// Whether the view is loaded.
  public var isViewLoaded: Bool { loadedView != nil }
  /// The title. "If the view controller has a valid navigation item or tab-bar item object, assigning a value to this
  /// property updates the title text of those objects."
  open var title: String? {
    didSet {
      item?.title = title
      tabItem?.title = title
      observers.notify(\UIViewController.title)
    }
  }
  let observers = KeyValueObservers()
  private var item: UINavigationItem?
  private var tabItem: UITabBarItem?
  /// What a navigation bar displays of a child of a navigation controller. Made when it is read for the first time.
  open var navigationItem: UINavigationItem {
    if let item { return item }
    let made = UINavigationItem(title: title)
    item = made
    return made
  }
  /// What a tab bar displays of a child of a tab controller. Made when it is read for the first time.
  open var tabBarItem: UITabBarItem! {
    get {
      if let tabItem { return tabItem }
      let made = UITabBarItem(title: title)
      tabItem = made
      return made
    }
    set { tabItem = newValue }
  }
  /// What the toolbar of a navigation controller displays of its child.
  open var toolbarItems: [UIBarButtonItem]? { didSet { observers.notify(\UIViewController.toolbarItems) } }
  /// Whether the bar of a tab controller is hidden when this is pushed. Read at the push.
  open var hidesBottomBarWhenPushed = false

  /// The transition of UIKit's own containers that is under way; otherwise nil.
  public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { StandIn.coordinator }

  /// Loads the view.
  public func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    StandIn.require(!isLoadingView, .assertion, "loadView of \(self) reads the view that it is to make")
    isLoadingView = true
    loadView()
    isLoadingView = false
    StandIn.require(loadedView != nil, .assertion, "loadView of \(self) made no view")
    viewDidLoad()
  }

  /// Before the views are laid out; UIKit tracks what is read of Observation. The stand-in runs no layout.
  open func viewWillLayoutSubviews() {}

  /// Makes the view. It has the size of the screen.
  open func loadView() { view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844)) }
  /// The view is loaded.
  open func viewDidLoad() {}
  /// The system is short of memory. No view is unloaded.
  open func didReceiveMemoryWarning() {}

  // MARK: Appearance

  /// Before the view is in the hierarchy.
  open func viewWillAppear(_ animated: Bool) { superCalls.insert("viewWillAppear") }
  /// The view is in the hierarchy and has its size.
  open func viewIsAppearing(_ animated: Bool) { superCalls.insert("viewIsAppearing") }
  /// The view is there.
  open func viewDidAppear(_ animated: Bool) { superCalls.insert("viewDidAppear") }
  /// Before the view is removed.
  open func viewWillDisappear(_ animated: Bool) { superCalls.insert("viewWillDisappear") }
  /// The view was removed.
  open func viewDidDisappear(_ animated: Bool) { superCalls.insert("viewDidDisappear") }

  /// Whether appearance is forwarded to the children by UIKit.
  open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

  private func calling(_ name: String, _ call: (Bool) -> Void) {
    superCalls.remove(name)
    call(isAnimatedTransition)
    // Apple: "If you override this method, you must call super at some point in your implementation."
    StandIn.require(superCalls.contains(name), .documented, "\(name) of \(self) did not call super")
  }

  /// For the children of a container that forwards by itself: this child is about to appear or disappear.
  public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
    if let parent, parent.shouldAutomaticallyForwardAppearanceMethods, !parent.forwardsByItself, !isForwarding {
      // Apple: only a container that does not forward automatically calls this.
      StandIn.violation(.documented, "begin was called on \(self), whose parent forwards automatically")
    }
    begin(isAppearing, animated: animated)
  }

  /// The appearing or disappearing that was begun is over.
  public func endAppearanceTransition() { end() }

  private var isForwarding = false

  func begin(_ isAppearing: Bool, animated: Bool) {
    // "Unbalanced calls to begin/end appearance transitions" is a line in UIKit's log. Turning back before the end is
    // not documented; it is reported to work, and UIKit's own navigation does it.
    let isBalanced =
      isAppearing
      ? appearance == .disappeared || appearance == .disappearing
      : appearance == .appeared || appearance == .appearing
    guard isBalanced else {
      return StandIn.violation(.documented, "Unbalanced begin(\(isAppearing)): \(self) is \(appearance)")
    }
    isAnimatedTransition = animated
    if isAppearing {
      // "viewWillAppear: notifies that its view is about to be added to a view hierarchy."
      StandIn.require(
        appearance == .disappearing || viewIfLoaded?.window == nil, .documented,
        "viewWillAppear of \(self), whose view is in the window already")
      loadViewIfNeeded()
      appearance = .appearing
      calling("viewWillAppear", viewWillAppear)
    } else {
      // "viewWillDisappear: notifies that its view is about to be removed from a view hierarchy." One that turns back
      // before it was placed has none.
      StandIn.require(
        appearance == .appearing || viewIfLoaded?.window != nil, .documented,
        "viewWillDisappear of \(self), whose view is in no window")
      appearance = .disappearing
      calling("viewWillDisappear", viewWillDisappear)
    }
    forward { $0.beginForwarded(isAppearing: isAppearing, animated: animated) }
  }

  func end() {
    isForwarded = false
    switch appearance {
    case .appearing:
      StandIn.require(viewIfLoaded?.window != nil, .documented, "viewDidAppear of \(self), whose view is in no window")
      appearIfInWindow()
      // It was removed in viewIsAppearing; what UIKit does then is not documented.
      guard appearance == .appearing else { return }
      appearance = .appeared
      hasCalledIsAppearing = false
      calling("viewDidAppear", viewDidAppear)
    case .disappearing:
      // "viewDidDisappear: notifies that its view was removed from a view hierarchy."
      StandIn.require(
        viewIfLoaded?.window == nil, .documented, "viewDidDisappear of \(self), whose view is still in a window")
      appearance = .disappeared
      hasCalledIsAppearing = false
      calling("viewDidDisappear", viewDidDisappear)
    case .appeared, .disappeared:
      return StandIn.violation(.documented, "Unbalanced end: \(self) is \(appearance)")
    }
    forward { $0.endForwarded() }
  }

  /// UIKit calls `viewIsAppearing` in the layout that follows `viewWillAppear`.
  func appearIfInWindow() {
    guard appearance == .appearing, !hasCalledIsAppearing, viewIfLoaded?.window != nil else { return }
    hasCalledIsAppearing = true
    calling("viewIsAppearing", viewIsAppearing)
  }

  private func forward(_ call: (UIViewController) -> Void) {
    guard shouldAutomaticallyForwardAppearanceMethods else { return }
    for child in children {
      if let parentView = viewIfLoaded, child.viewIfLoaded?.isDescendant(of: parentView) == true { call(child) }
    }
  }

  func beginForwarded(isAppearing: Bool, animated: Bool = false) {
    // UIKit keeps these in balance by itself.
    guard
      isAppearing
        ? appearance == .disappeared || appearance == .disappearing
        : appearance == .appeared || appearance == .appearing
    else { return }
    isForwarding = true
    isForwarded = true
    begin(isAppearing, animated: animated)
    isForwarding = false
  }

  /// Whether the transition that is open was begun by UIKit.
  private(set) var isForwarded = false

  func endForwarded() {
    if appearance == .appearing || appearance == .disappearing { end() }
  }

  // MARK: Containment

  enum Membership {
    case none
    /// `addChild` was called and `didMove(toParent:)` was not.
    case moving
    case member
    /// `willMove(toParent: nil)` was called and `removeFromParent` was not.
    case leaving
  }
  private(set) var membership = Membership.none

  /// The child controllers.
  public private(set) var children: [UIViewController] = []
  /// The container.
  public private(set) weak var parent: UIViewController?

  /// Makes `childController` a child. Calls its `willMove(toParent:)`, not its `didMove(toParent:)`.
  public func addChild(_ childController: UIViewController) {
    var ancestor: UIViewController? = self
    while let next = ancestor {
      StandIn.require(next !== childController, .assertion, "\(childController) was added to itself or to its child")
      ancestor = next.parent
    }
    guard childController.parent !== self else {
      return StandIn.violation(.strict, "\(childController) was added to a parent that it has")
    }
    // "If the new child view controller is already the child of a container view controller, it is removed from that
    // container before being added." What is called for that is not documented; here it is `didMove(toParent: nil)`.
    childController.detach()
    childController.isAddingByUIKit = true
    childController.willMove(toParent: self)
    childController.isAddingByUIKit = false
    children.append(childController)
    childController.parent = self
    childController.membership = .moving
    // An assertion of UIKit, at this place, too.
    if let view = childController.viewIfLoaded, let above = view.superview {
      var owner: UIView? = above
      while let next = owner, next.controller == nil { owner = next.superview }
      if let controller = owner?.controller, controller !== self {
        StandIn.violation(
          .assertion,
          "UIViewControllerHierarchyInconsistency: \(childController) got the parent \(self), its view is in \(controller)"
        )
      }
    }
  }

  private var isAddingByUIKit = false

  /// The child is about to get a parent, or to lose it.
  open func willMove(toParent parent: UIViewController?) {
    guard parent == nil else {
      // "addChild calls the willMove(toParent:) method of the view controller to be added."
      return StandIn.require(isAddingByUIKit, .documented, "willMove(toParent:) of \(self): addChild calls that itself")
    }
    StandIn.require(self.parent != nil, .documented, "willMove(toParent: nil) of \(self), which has no parent")
    StandIn.require(membership != .leaving, .strict, "willMove(toParent: nil) of \(self), a second time")
    membership = .leaving
  }

  /// The child has a parent, or has lost it.
  open func didMove(toParent parent: UIViewController?) {
    guard let parent else {
      // "removeFromParent calls didMove(toParent: nil) itself."
      return StandIn.require(isDetaching, .documented, "didMove(toParent: nil) of \(self): removeFromParent calls that")
    }
    StandIn.require(parent === self.parent, .documented, "didMove(toParent:) of \(self) with another parent")
    StandIn.require(membership == .moving, .documented, "didMove(toParent:) of \(self) without addChild before it")
    membership = .member
  }

  private var isDetaching = false

  /// Takes the child out of its parent. Calls `didMove(toParent: nil)`, not `willMove(toParent: nil)`.
  public func removeFromParent() {
    guard parent != nil else { return }
    // The order that Apple documents; UIKit itself does not check it.
    StandIn.require(membership == .leaving, .documented, "removeFromParent of \(self) without willMove(toParent: nil)")
    StandIn.require(
      viewIfLoaded?.superview == nil, .documented, "removeFromParent of \(self) before its view has left its superview")
    // A rule of our own, which follows from the order.
    StandIn.require(
      appearance == .disappeared, .strict, "removeFromParent of \(self) while it is \(appearance)")
    detach()
  }

  private func detach() {
    guard let former = parent else { return }
    former.children.removeAll { $0 === self }
    parent = nil
    membership = .none
    isDetaching = true
    didMove(toParent: nil)
    isDetaching = false
  }

  /// For UIKit's own containers: a removal that was announced is taken back.
  func stay() {
    if membership == .leaving { membership = .moving }
    didMove(toParent: parent)
  }

  // MARK: What a container answers for its children

  /// The child that decides the style of the status bar.
  open var childForStatusBarStyle: UIViewController? { nil }
  /// The child that decides whether the status bar is hidden.
  open var childForStatusBarHidden: UIViewController? { nil }
  /// The child that decides whether the home indicator is hidden.
  open var childForHomeIndicatorAutoHidden: UIViewController? { nil }
  /// The child that decides which edges defer the system's gestures.
  open var childForScreenEdgesDeferringSystemGestures: UIViewController? { nil }
  /// The scroll view that bars follow.
  open func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? { nil }
  /// How often an update of the status bar was requested, for tests.
  public private(set) var statusBarUpdates = 0
  /// Requests an update of the status bar.
  public func setNeedsStatusBarAppearanceUpdate() { statusBarUpdates += 1 }
  /// Requests an update of the home indicator.
  public func setNeedsUpdateOfHomeIndicatorAutoHidden() { homeIndicatorUpdates += 1 }
  /// How often an update of the home indicator was requested, for tests.
  public private(set) var homeIndicatorUpdates = 0
  /// Requests an update of the edges that defer the system's gestures.
  public func setNeedsUpdateOfScreenEdgesDeferringSystemGestures() { screenEdgeUpdates += 1 }
  /// How often an update of the deferred gestures was requested, for tests.
  public private(set) var screenEdgeUpdates = 0

  /// Where the focus is to go: into the view.
  open var preferredFocusEnvironments: [any UIFocusEnvironment] { [] }
  /// How often the focus was to be updated, for tests.
  public private(set) var focusUpdates = 0
  /// Says that the focus may belong elsewhere.
  public func setNeedsFocusUpdate() { focusUpdates += 1 }

  /// The size that a sheet, a popover or a container should give the view; zero for none. The parent is notified.
  open var preferredContentSize = CGSize.zero {
    didSet {
      if preferredContentSize != oldValue { parent?.preferredContentSizeDidChange(forChildContentContainer: self) }
    }
  }
  /// The size that a child prefers has changed. The default does nothing.
  open func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer) {}

  // MARK: Content that is not available

  /// What is displayed in the place of the content.
  open var contentUnavailableConfiguration: (any UIContentConfiguration)?

  // MARK: Presenting

  /// How the controller is presented.
  public var modalPresentationStyle = UIModalPresentationStyle.automatic
  /// What this controller presents.
  public internal(set) var presentedViewController: UIViewController?
  /// What presents this controller.
  public internal(set) weak var presentingViewController: UIViewController?
}
