// SPDX-License-Identifier: MIT
/// The app.
@MainActor
open class NSApplication: NSResponder {
  /// Something of the app is visible, or nothing is any more. Posted on the main thread.
  public nonisolated static let didChangeOcclusionStateNotification = Notification.Name("didChangeOcclusionState")
  /// How much of the app is visible.
  public struct OcclusionState: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// A state of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A part of a window is.
    public static let visible = OcclusionState(rawValue: 2)
  }
  /// The app.
  public static let shared = NSApplication()
  /// How much of it is visible.
  open private(set) var occlusionState: OcclusionState = .visible
  /// What a test does: the windows are covered, or visible again. Nothing of this exists in AppKit.
  public func setVisible(_ isVisible: Bool) {
    occlusionState = isVisible ? .visible : []
    NotificationCenter.default.post(name: Self.didChangeOcclusionStateNotification, object: self)
  }
}
