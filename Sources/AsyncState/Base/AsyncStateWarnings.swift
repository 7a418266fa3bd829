// SPDX-License-Identifier: MIT
import Synchronization

/// What the library says about a mistake after which it continues, such as a life-cycle call that a container ignores. Debug builds
/// print it, unless an app sets a ``handler`` that writes it to its log; a release build says nothing.
///
/// A mistake after which nothing can be done right stops the process with its message instead.
public enum AsyncStateWarnings {
  // Justified: set by any thread, read by any. The handler is called outside of the lock. Noticed: `LifecycleMisuseTests` (5.17).
  private static let shared = Mutex<@Sendable (String) -> Void> { print($0) }

  /// Is called with each message, in debug builds, on the actor of the object that it is about. By default it prints the message.
  public static var handler: @Sendable (String) -> Void {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  /// The handler of one test, or of one task; nil: that of the process.
  @TaskLocal static var local: (@Sendable (String) -> Void)?

  /// Gives a message to the handler, in debug builds.
  package static func warn(_ message: @autoclosure () -> String) {
    #if DEBUG
      (local ?? handler)(message())
    #endif
  }
}
