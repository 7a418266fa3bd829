// SPDX-License-Identifier: MIT
/// A button in a bar.
@MainActor
open class UIBarButtonItem: NSObject {
  /// The title.
  open var title: String?
  /// A button without a title.
  public override init() { super.init() }
}

/// A field to search in, and the controller of its results.
@MainActor
open class UISearchController: UIViewController {}

/// What a navigation bar displays of a controller.
@MainActor
open class UINavigationItem: NSObject {
  /// How large a title is.
  public enum LargeTitleDisplayMode: Int, Sendable {
    /// As that of the former item.
    case automatic
    /// Large.
    case always
    /// Small.
    case never
  }

  let observers = KeyValueObservers()
  /// An item.
  public init(title: String?) { self.title = title }

  /// The title.
  open var title: String? { didSet { observers.notify(\UINavigationItem.title) } }
  /// A line above the title.
  open var prompt: String? { didSet { observers.notify(\UINavigationItem.prompt) } }
  /// A view in the place of the title.
  open var titleView: UIView? { didSet { observers.notify(\UINavigationItem.titleView) } }
  /// The buttons where lines begin.
  open var leftBarButtonItems: [UIBarButtonItem]? {
    didSet { observers.notify(\UINavigationItem.leftBarButtonItems) }
  }
  /// The buttons where lines end.
  open var rightBarButtonItems: [UIBarButtonItem]? {
    didSet { observers.notify(\UINavigationItem.rightBarButtonItems) }
  }
  /// The first of the buttons.
  open var leftBarButtonItem: UIBarButtonItem? {
    get { leftBarButtonItems?.first }
    set { leftBarButtonItems = newValue.map { [$0] } }
  }
  /// The first of the buttons.
  open var rightBarButtonItem: UIBarButtonItem? {
    get { rightBarButtonItems?.first }
    set { rightBarButtonItems = newValue.map { [$0] } }
  }
  /// The title of the button that leads back here.
  open var backButtonTitle: String? { didSet { observers.notify(\UINavigationItem.backButtonTitle) } }
  /// Whether there is no button that leads back.
  open var hidesBackButton = false { didSet { observers.notify(\UINavigationItem.hidesBackButton) } }
  /// How large the title is.
  open var largeTitleDisplayMode = LargeTitleDisplayMode.automatic {
    didSet { observers.notify(\UINavigationItem.largeTitleDisplayMode) }
  }
  /// A field to search in below the title.
  open var searchController: UISearchController? {
    didSet { observers.notify(\UINavigationItem.searchController) }
  }
}

/// What a tab bar displays of a controller.
@MainActor
open class UITabBarItem: NSObject {
  let observers = KeyValueObservers()
  /// An item.
  public init(title: String?) { self.title = title }
  /// The title.
  open var title: String? { didSet { observers.notify(\UITabBarItem.title) } }
  /// The picture.
  open var image: UIImage? { didSet { observers.notify(\UITabBarItem.image) } }
  /// A text at the corner.
  open var badgeValue: String? { didSet { observers.notify(\UITabBarItem.badgeValue) } }
}
