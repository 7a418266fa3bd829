// SPDX-License-Identifier: MIT
import Testing

/// Runs a world that makes its steps itself, for each seed, until one says what is wrong.
@ModelActor
func check(
  _ name: String, seeds count: Int, steps: Int, sourceLocation: SourceLocation = #_sourceLocation,
  _ run: (UInt64) async -> String?
) async {
  let seeds = Soak.seeds(count)
  let start = ContinuousClock.now
  for seed in seeds {
    guard let fault = await ModelActor.stay({ await run(seed) }) else { continue }
    Issue.record("\(name), seed \(seed): \(fault)", sourceLocation: sourceLocation)
    return
  }
  Soak.report(name, steps: seeds.count * steps, seeds: seeds, took: ContinuousClock.now - start)
}
