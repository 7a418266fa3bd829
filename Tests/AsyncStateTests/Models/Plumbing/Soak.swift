// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// How long the models run: `ASYNCSTATE_SOAK=100` makes a hundred times as many sequences, with further seeds, and
/// `ASYNCSTATE_SOAK=0.25` a quarter. `ASYNCSTATE_FIRST_SEED=3861` begins with that seed: it repeats what a soak has found.
enum Soak {
  private static let factor = ProcessInfo.processInfo.environment["ASYNCSTATE_SOAK"].flatMap(Double.init) ?? 1

  private static let firstSeed =
    ProcessInfo.processInfo.environment["ASYNCSTATE_FIRST_SEED"].flatMap(UInt64.init) ?? 0

  static var isOn: Bool { factor > 1 }

  /// That many times as often, and at least once.
  static func times(_ count: Int) -> Int { max(Int(Double(count) * factor), 1) }

  /// A seed for each of that many sequences.
  static func seeds(_ count: Int) -> Range<UInt64> { firstSeed..<firstSeed + UInt64(times(count)) }

  /// When a test has taken too long, of that many sequences or, under a sanitizer, of many calls.
  static var limit: TimeLimitTrait.Duration { .minutes(max(Int(15 * factor), 15)) }

  /// Prints what was run, if it was a soak.
  static func report(_ name: String, steps: Int, seeds: Range<UInt64>, took duration: Duration) {
    guard isOn else { return }
    print("soak: \(name): \(steps) steps, seeds \(seeds.lowerBound)..<\(seeds.upperBound), \(duration)")
  }
}
