// SPDX-License-Identifier: MIT
internal import Accessibility

/// What the system's assistive technologies are notified of.
@MainActor
public enum UIAccessibility {
  /// A kind of news.
  public struct Notification: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// A kind.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A text is to be spoken.
    public static let announcement = Notification(rawValue: "announcement")
    /// A part of the screen has changed; the focus stays unless an element is named.
    public static let layoutChanged = Notification(rawValue: "layoutChanged")
    /// Another screen is there; the focus moves.
    public static let screenChanged = Notification(rawValue: "screenChanged")
  }

  /// Notifies the assistive technologies. A change of the layout or the screen moves the focus, if it has to be moved or not.
  public static func post(notification: Notification, argument: Any?) {
    if notification == .announcement {
      VoiceOver.announce(argument as? String ?? "")
    } else {
      VoiceOver.moveFocus(argument.map { "\(notification.rawValue) \($0)" } ?? notification.rawValue)
    }
  }

  /// What was posted since the last reset, for tests.
  public static var posts: [String] { VoiceOver.posts }
}

/// What the focus can move to. Declared as documented: a protocol of the main actor.
@MainActor
public protocol UIFocusEnvironment: NSObjectProtocol {
  /// Where the focus is to go, the best first.
  var preferredFocusEnvironments: [any UIFocusEnvironment] { get }
  /// Says that the focus may belong elsewhere.
  func setNeedsFocusUpdate()
}

/// What has content of a preferred size. Declared as documented: a protocol of the main actor.
@MainActor
public protocol UIContentContainer: NSObjectProtocol {
  /// The size that the content prefers; zero for none.
  var preferredContentSize: CGSize { get }
  /// The size that a child prefers has changed.
  func preferredContentSizeDidChange(forChildContentContainer container: any UIContentContainer)
}
