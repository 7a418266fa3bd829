// SPDX-License-Identifier: MIT
/// What the library says about a mistake after which it continues, such as a life-cycle call that a container ignores. Debug builds
/// print it; a release build says nothing.
///
/// A mistake after which nothing can be done right stops the process with its message instead.
package enum AsyncStateWarnings {
  /// Is called with the messages of one test in the place of printing them.
  @TaskLocal static var handler: (@Sendable (String) -> Void)?

  /// Says a message, in debug builds.
  package static func warn(_ message: @autoclosure () -> String) {
    #if DEBUG
      if let handler { handler(message()) } else { print(message()) }
    #endif
  }
}
