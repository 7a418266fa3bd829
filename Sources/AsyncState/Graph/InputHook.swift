// SPDX-License-Identifier: MIT
// The connection from writes to a journal. Inputs use this protocol, and do not depend on the journal.

/// Is notified of each write to an input, on its actor. The input holds it.
package protocol InputHook: AnyObject {
  /// Called when the input was written, before any observer is notified.
  ///
  /// - Parameters:
  ///   - version: The number of writes so far.
  ///   - waitingCount: The number of values before this one that are not delivered.
  func inputWasWritten(version: Int, waitingCount: Int)

  /// Calls `body`, which delivers a value.
  ///
  /// - Parameter waitingCount: The number of values after that one that are not delivered.
  func notifying(waitingCount: Int, _ body: () -> Void)

  /// Called when another journal takes its place.
  func retire()
}
