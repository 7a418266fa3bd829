// SPDX-License-Identifier: MIT
/// An input: a row is created or edited.
struct Edit: Hashable, Sendable, CustomStringConvertible {
  /// No other input has it.
  let number: Int
  /// A row that the server has made is above 100; until it has, its creation gives it a temporary identity below zero.
  var row: Int
  let isCreation: Bool

  var lane: String { "\(row)" }

  /// The one identity of a row that has two.
  static func root(of row: Int) -> Int { row > 100 ? 100 - row : row }

  /// The row that the server makes for a temporary identity.
  static func answer(to row: Int) -> Int { row < 0 ? 100 - row : row }

  var description: String { "\(isCreation ? "creation" : "edit") \(number) of \(row)" }
}
