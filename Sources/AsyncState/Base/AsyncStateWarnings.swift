// SPDX-License-Identifier: MIT
import Synchronization

/// What the library says about a mistake after which it continues, such as a life-cycle call that a container ignores. Debug builds
/// print it, unless an app sets a ``handler`` that writes it to its log; a release build says nothing.
///
/// A mistake after which nothing can be done right stops the process with its message instead.
public struct AsyncStateWarnings: Sendable {
  private let handle: @Sendable (String) -> Void

  /// - Parameter handle: Called with each message, in debug builds, on the actor of the object that it is about.
  public init(_ handle: @escaping @Sendable (String) -> Void) {
    self.handle = handle
  }

  // Justified: set by any thread, read by any. The handler is called outside of the lock. Noticed: `LifecycleMisuseTests` (5.17).
  private static let shared = Mutex(AsyncStateWarnings { print($0) })

  /// What is done with each message of the process. By default it is printed.
  public static var handler: AsyncStateWarnings {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  /// The handler of one test, or of one task; nil: that of the process.
  @TaskLocal static var local: AsyncStateWarnings?

  /// Gives a message to the handler, in debug builds.
  package static func warn(_ message: @autoclosure () -> String) {
    #if DEBUG
      (local ?? handler).handle(message())
    #endif
  }
}
