// SPDX-License-Identifier: MIT
// The way of writes into a journal. Inputs know this class, and nothing of the journal.

/// Is notified of what is written to an input, on its actor. The input holds it.
package protocol InputHook: AnyObject {
  /// The input was written, and no observer has been notified.
  ///
  /// - Parameters:
  ///   - version: Counts what was written.
  ///   - waitingCount: How many values before this one are not delivered.
  func inputWasWritten(version: Int, waitingCount: Int)

  /// Calls `body`, which delivers a value.
  ///
  /// - Parameter waitingCount: How many values after that one are not delivered.
  func notifying(waitingCount: Int, _ body: () -> Void)

  /// Another journal records from now on.
  func retire()
}

extension Input {
  /// From now on this one is notified, in the place of another.
  ///
  /// - Parameter makeHook: Takes the version of the value that there is.
  package func attach(_ makeHook: (Int) -> any InputHook) {
    let node: GraphNode = inputNode
    node.state.delivery.hook?.retire()
    node.state.delivery.hook = makeHook(node.state.version)
  }
}
