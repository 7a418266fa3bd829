// SPDX-License-Identifier: MIT
/// The app. Its notifications are posted on the main thread; with scenes, when the last one leaves, or the first returns.
@MainActor
open class UIApplication: UIResponder {
  /// Nothing of the app is visible any more.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
  /// The app is about to be visible again.
  public nonisolated static let willEnterForegroundNotification = Notification.Name("willEnterForeground")
}
