// SPDX-License-Identifier: MIT
/// The place of an input among those of its command, for all its changes.
final class Rank {
  private let command: AnyObject
  /// Another one when the store of an outbox was read.
  var position: Int

  /// - Parameter command: The same object for all inputs of a command.
  init(in command: AnyObject, _ position: Int) { (self.command, self.position) = (command, position) }

  /// True if it is of the same command, and sent before the other one.
  func precedes(_ other: Rank) -> Bool { command === other.command && position < other.position }
}
