import Foundation

/// How long the models run: `ASYNCSTATE_SOAK=100` makes a hundred times as many sequences, with further seeds.
enum Soak {
  /// One, if nobody has asked for more.
  static let factor = max(ProcessInfo.processInfo.environment["ASYNCSTATE_SOAK"].flatMap(Int.init) ?? 1, 1)

  static var isOn: Bool { factor > 1 }

  /// Tells what was run, if it was a soak.
  static func report(_ name: String, steps: Int, seeds: Range<UInt64>, took duration: Duration) {
    guard isOn else { return }
    print("soak: \(name): \(steps) steps, seeds \(seeds.lowerBound)..<\(seeds.upperBound), \(duration)")
  }
}
