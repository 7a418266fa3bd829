// SPDX-License-Identifier: MIT
/// What an action calls.
public typealias UIActionHandler = (UIAction) -> Void

/// An action with a title.
@MainActor
public final class UIAction: NSObject {
  /// The title.
  public var title: String
  private let handler: UIActionHandler

  /// An action that calls `handler`.
  public init(title: String = "", handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
  }

  /// Calls the handler.
  public func performWithSender(_ sender: Any?, target: Any?) { handler(self) }
}

/// A control, which sends its actions.
@MainActor
open class UIControl: UIView {
  /// What can happen to a control.
  public struct Event: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Events of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The value has changed by the user's hand.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// What the control is usually for has happened.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    /// The user edits the text.
    public static let editingChanged = Event(rawValue: 1 << 17)
  }
  /// Whether it can be used.
  open var isEnabled = true
  private var actions: [(action: UIAction, event: Event)] = []

  /// Adds an action. Kept by the control.
  public func addAction(_ action: UIAction, for event: UIControl.Event) { actions.append((action, event)) }
  /// Removes an action.
  public func removeAction(_ action: UIAction, for event: UIControl.Event) {
    actions.removeAll { $0.action === action && $0.event == event }
  }
  /// Sends the actions of an event.
  public func sendActions(for event: UIControl.Event) {
    for entry in actions where !entry.event.isDisjoint(with: event) {
      entry.action.performWithSender(self, target: nil)
    }
  }
}

/// A line of text that the user edits.
@MainActor
open class UITextField: UIControl {
  /// The text.
  public var text: String?
}

/// The control that is pulled to refresh.
@MainActor
open class UIRefreshControl: UIControl {
  /// Whether it turns.
  public private(set) var isRefreshing = false
  /// How often its end was called, for tests.
  public private(set) var ends = 0

  /// The refresh is over.
  public func endRefreshing() {
    isRefreshing = false
    ends += 1
  }

  /// The user pulls. Nothing of this exists in UIKit.
  public func pull() {
    isRefreshing = true
    sendActions(for: .valueChanged)
  }
}

/// A wheel that turns.
@MainActor
open class UIActivityIndicatorView: UIView {
  /// Whether it turns.
  public private(set) var isAnimating = false
  /// Begins to turn.
  public func startAnimating() { isAnimating = true }
  /// Stops.
  public func stopAnimating() { isAnimating = false }
}

/// A button.
@MainActor
open class UIButton: UIControl {
  /// The configuration of a button.
  public struct Configuration {
    /// What the button says.
    public var title: String?
    /// No looks of its own.
    nonisolated public init() {}
    /// A button without a background.
    @MainActor public static func plain() -> Configuration { Configuration() }
    /// A button with a border.
    @MainActor public static func bordered() -> Configuration { Configuration() }
    /// The image of the button.
    public var image: UIImage?
  }

  /// The looks.
  public var configuration: Configuration?

  /// A button that calls an action.
  public convenience init(configuration: Configuration, primaryAction: UIAction?) {
    self.init(frame: .zero)
    self.configuration = configuration
    if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
  }
}

/// An image.
public final class UIImage: NSObject {
  /// The name of the system's symbol.
  public let symbolName: String
  /// A symbol of the system; nil if there is none of this name.
  public init?(systemName: String) { symbolName = systemName }
}

/// What is displayed in the place of content.
public struct UIContentUnavailableConfiguration: UIContentConfiguration {
  /// The action of the button.
  public struct ButtonProperties {
    /// What the button calls.
    public var primaryAction: UIAction?
  }
  /// Which of the system's forms it has, for tests.
  public let kind: String
  /// The title.
  public var text: String?
  /// The image.
  public var image: UIImage?
  /// The looks of the button.
  public var button = UIButton.Configuration()
  /// What the button does.
  public var buttonProperties = ButtonProperties()

  /// A view of it; nothing is drawn.
  public func makeContentView() -> any UIView & UIContentView { PlainContentView(self) }
  /// The same in every state.
  public func updated(for state: any UIConfigurationState) -> Self { self }

  /// A wheel that turns.
  @MainActor public static func loading() -> Self { Self(kind: "loading") }
  /// For a screen without content.
  @MainActor public static func empty() -> Self { Self(kind: "empty") }
  /// For a search without results.
  @MainActor public static func search() -> Self { Self(kind: "search") }
}
