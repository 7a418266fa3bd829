// SPDX-License-Identifier: MIT
/// A system beside its model: both get the same commands, and must give the same results.
///
/// A command means something in every situation, if only nothing: so any part of a sequence is a sequence.
@ModelActor
protocol Comparison {
  /// What is fixed for one sequence.
  associatedtype Setup
  associatedtype Command

  /// What a soak reports it as.
  static var name: String { get }

  static func setup(using random: inout SeededGenerator) -> Setup
  static func command(using random: inout SeededGenerator) -> Command
  /// Commands that do less, and may fail just as well.
  static func simpler(than command: Command) -> [Command]

  init(_ setup: Setup)

  /// Gives a command to both.
  ///
  /// - Returns: What they disagree about.
  func perform(_ command: Command) async -> String?

  /// Brings both to rest.
  ///
  /// - Returns: What they disagree about, or what is left that should not be.
  func finish() async -> String?
}

extension Comparison {
  static func simpler(than command: Command) -> [Command] { [] }
}
