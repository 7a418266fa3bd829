// SPDX-License-Identifier: MIT
/// Finds a short sequence that fails among the parts of one that does.
///
/// First whole stretches are taken out, then single commands, then each is replaced by simpler ones; again and again, until
/// nothing that is left can be done without.
///
/// - Parameters:
///   - commands: A sequence that fails.
///   - simpler: Commands that may stand for one.
///   - fails: Whether a sequence fails.
@ModelActor
func shrink<Command>(
  _ commands: [Command], simpler: (Command) -> [Command], fails: ([Command]) async -> Bool
) async -> [Command] {
  var best = commands
  var stretch = max(best.count / 2, 1)
  while true {
    let before = best.count
    var start = 0
    while start < best.count {
      let candidate = Array(best[..<start] + best[min(start + stretch, best.count)...])
      if await fails(candidate) { best = candidate } else { start += stretch }
    }
    if stretch > 1 {
      stretch /= 2
    } else if best.count == before {
      guard let simplified = await simplified(best, simpler, fails) else { return best }
      best = simplified
    }
  }
}

/// The sequence with one command made simpler, if it still fails then.
@ModelActor
private func simplified<Command>(
  _ commands: [Command], _ simpler: (Command) -> [Command], _ fails: ([Command]) async -> Bool
) async -> [Command]? {
  for index in commands.indices {
    for command in simpler(commands[index]) {
      var candidate = commands
      candidate[index] = command
      if await fails(candidate) { return candidate }
    }
  }
  return nil
}
