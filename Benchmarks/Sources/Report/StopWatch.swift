// SPDX-License-Identifier: MIT
import Workloads

/// Measures the contenders of a comparison side by side: in turns and many times over, so that whatever else the
/// machine does meanwhile is the same for all.
enum StopWatch {
  /// Who is measured, and on how many operations a round.
  private struct Entry {
    let side: Contender.Side
    let home: Home
    var count: Int
    var rounds: [Double] = []
  }

  /// A round takes about as long as this: long beside the reading of a clock, and short beside the turns that a busy
  /// machine gives to others. So most rounds are not disturbed, and the median is one of those.
  private static let roundLength = Duration.microseconds(250)
  private static let rounds = 301
  private static let roundsOfCrowds = 5

  static func measureAll() async -> [String: [Contender.Side: Reading]] {
    var readings: [String: [Contender.Side: Reading]] = [:]
    for comparison in Comparison.all { readings[comparison.name] = await measure(comparison) }
    return readings
  }

  private static func measure(_ comparison: Comparison) async -> [Contender.Side: Reading] {
    var entries: [Entry] = []
    for contender in comparison.contenders {
      let home = Home(contender)
      let count = await warmUp(home, comparison)
      entries.append(Entry(side: contender.side, home: home, count: count))
    }
    for _ in 0..<(comparison.crowd == nil ? rounds : roundsOfCrowds) {
      for index in entries.indices {
        let duration = await entries[index].home.time(entries[index].count)
        entries[index].rounds.append(duration / .nanoseconds(1) / Double(entries[index].count))
      }
    }
    var readings: [Contender.Side: Reading] = [:]
    for entry in entries {
      readings[entry.side] = Reading(nanoseconds: median(entry.rounds), allocations: await allocations(entry))
    }
    return readings
  }

  /// Brings a work into its steady state.
  ///
  /// - Returns: How many operations make a round.
  private static func warmUp(_ home: Home, _ comparison: Comparison) async -> Int {
    await home.run(comparison.batch)
    if let crowd = comparison.crowd { return crowd }
    var count = 2
    while await home.time(count) < roundLength { count *= 2 }
    return count
  }

  private static func allocations(_ entry: Entry) async -> Double {
    let heap = await HeapUse.counted { await entry.home.run(entry.count) }
    return heap.allocations / Double(entry.count)
  }

  private static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}
