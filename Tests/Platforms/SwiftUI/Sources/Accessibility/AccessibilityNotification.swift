// SPDX-License-Identifier: MIT
public import Foundation

/// What the system's assistive technologies are notified of.
@MainActor
public enum AccessibilityNotification {
  /// A text that is to be spoken.
  public struct Announcement {
    let text: AttributedString
    /// An announcement.
    public init(_ announcement: String) { text = AttributedString(announcement) }
    /// An announcement with attributes of speech, such as a priority.
    public init(_ announcement: AttributedString) { text = announcement }
    /// Speaks it.
    @MainActor public func post() {
      VoiceOver.announce(String(text.characters), text.accessibilitySpeechAnnouncementPriority ?? .default)
    }
  }
}

extension AccessibilityNotification {
  /// The announcements that were posted, for tests.
  public static var posts: [String] {
    get { VoiceOver.posts.compactMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil } }
    set { VoiceOver.posts = newValue.map { prefix + $0 } }
  }
  static let prefix = "announcement "
}

/// The attributes of a text that belong to speech.
public enum AnnouncementPriorityAttribute: AttributedStringKey {
  /// How an announcement stands to other speech.
  public enum AnnouncementPriority: Hashable, Sendable {
    /// Queued: "spoken when other speech utterances have completed".
    case low
    /// "Interruptible if a new speech utterance is started."
    case `default`
    /// "Cannot be interrupted once started."
    case high
  }
  /// The value of the attribute.
  public typealias Value = AnnouncementPriority
  /// The name of the attribute.
  public static let name = "accessibilitySpeechAnnouncementPriority"
}

extension AttributedString {
  /// How an announcement stands to other speech.
  public var accessibilitySpeechAnnouncementPriority: AnnouncementPriorityAttribute.AnnouncementPriority? {
    get { self[AnnouncementPriorityAttribute.self] }
    set { self[AnnouncementPriorityAttribute.self] = newValue }
  }
}

/// What is spoken, for tests. Nothing of this exists in the system.
@MainActor
public enum VoiceOver {
  /// What was posted since the last reset, in order.
  public static var posts: [String] = []
  /// What was begun to be spoken, and was not interrupted.
  public private(set) static var spoken: [String] = []
  private static var isInterruptible = false
  private static var movesFocus = false

  static func announce(_ text: String, _ priority: AnnouncementPriorityAttribute.AnnouncementPriority) {
    posts.append(AccessibilityNotification.prefix + text)
    // A low one is spoken after what is being spoken.
    if priority != .low { interrupt() }
    spoken.append(text)
    isInterruptible = priority != .high
  }

  /// What is announced as a plain text.
  public static func announce(_ text: String) { announce(text, .default) }

  /// What has the focus may have gone. It moves in the next turn of the run loop.
  public static func moveFocus(_ notification: String) {
    posts.append(notification)
    movesFocus = true
  }

  /// A turn of the run loop: the focus moves, and VoiceOver reads the element that gets it, which is new speech.
  public static func turn() {
    if movesFocus { interrupt() }
    movesFocus = false
  }

  private static func interrupt() {
    if isInterruptible { spoken.removeLast() }
    isInterruptible = false
  }

  /// Forgets everything, for the next test.
  public static func reset() { (posts, spoken, isInterruptible, movesFocus) = ([], [], false, false) }
}
