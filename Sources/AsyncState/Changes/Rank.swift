// SPDX-License-Identifier: MIT
/// The place of an input among those of its command, for all its changes.
struct Rank {
  /// The same object for all inputs of a command.
  let command: AnyObject
  /// Inputs of one lane are sent one after another.
  var lane: AnyHashable?
  /// Another one when the store of an outbox was read.
  var position: Int
}

/// An input of a command, for its changes.
protocol RankedInput: AnyObject {
  /// Nil: its command displays no changes.
  var rank: Rank? { get }

  /// False while it waits for its turn, also once more.
  var hasTurn: Bool { get }
}
