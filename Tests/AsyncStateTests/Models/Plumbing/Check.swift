// SPDX-License-Identifier: MIT
import Testing

/// A sequence on which a system and its model disagree.
struct Disagreement<Command> {
  /// The commands up to the one that shows it.
  let commands: [Command]
  let reason: String
}

/// Expects that a system and its model agree, as `search(_:seeds:steps:)` does.
@ModelActor
func check<System: Comparison>(
  _ system: System.Type, seeds count: Int, steps: Int, sourceLocation: SourceLocation = #_sourceLocation
) async {
  if let finding = await search(system, seeds: count, steps: steps) {
    Issue.record(Comment(rawValue: finding), sourceLocation: sourceLocation)
  }
}

/// Gives random sequences of commands to a system and its model, one for each seed, until they disagree.
///
/// - Parameters:
///   - count: The number of sequences. A soak runs a multiple of it.
///   - steps: The number of commands in each.
/// - Returns: The seed of the first sequence on which they disagree, and that sequence, made as short as it can be.
@ModelActor
func search<System: Comparison>(_ system: System.Type, seeds count: Int, steps: Int) async -> String? {
  let seeds = Soak.seeds(count)
  // How long it takes is reported, and decides nothing.
  let start = ContinuousClock.now
  var performed = 0
  for seed in seeds {
    var random = SeededGenerator(seed: seed)
    let setup = system.setup(using: &random)
    let commands = (0..<steps).map { _ in system.command(using: &random) }
    performed += steps
    guard let failure = await disagreement(system, setup, commands) else { continue }
    // What the time limit has cancelled is not made shorter: nothing can be awaited any more.
    let shortest = Task.isCancelled ? failure : await shortest(system, setup, failure)
    let lines = ["\(system.name), seed \(seed): \(shortest.reason)", "\(setup)"]
    return (lines + shortest.commands.map { "  \($0)" }).joined(separator: "\n")
  }
  Soak.report(system.name, steps: performed, seeds: seeds, took: ContinuousClock.now - start)
  return nil
}

/// Gives a sequence of commands to a system and its model.
@ModelActor
func disagreement<System: Comparison>(
  _ system: System.Type, _ setup: System.Setup, _ commands: [System.Command]
) async -> Disagreement<System.Command>? {
  let pair = system.init(setup)
  return await ModelActor.stay {
    for (index, command) in commands.enumerated() {
      if let reason = await pair.perform(command) {
        return Disagreement(commands: Array(commands[...index]), reason: reason)
      }
    }
    return await pair.finish().map { Disagreement(commands: commands, reason: $0) }
  }
}

/// The shortest sequence that shows a disagreement, though perhaps another one.
@ModelActor
func shortest<System: Comparison>(
  _ system: System.Type, _ setup: System.Setup, _ failure: Disagreement<System.Command>
) async -> Disagreement<System.Command> {
  var last = failure
  _ = await shrink(failure.commands, simpler: system.simpler) { candidate in
    guard let failure = await disagreement(system, setup, candidate) else { return false }
    last = failure
    return true
  }
  return last
}
