// SPDX-License-Identifier: MIT
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Measures each work at four sizes, each twice the one before, and prints how its time grows.
///
/// Arguments are parts of the names of works; without any, all are measured.
@main
@MainActor
struct Growth {
  /// A work whose time grows with a higher power of its size has a fault.
  private static let limit = 1.15
  private static let factors = [1, 2, 4, 8]
  /// The shortest of so many times is what counts: whatever else the machine does only adds to it.
  private static let rounds = 9
  /// One that takes longer is not repeated so often.
  private static let patience = Duration.seconds(1)

  static func main() async {
    let wanted = CommandLine.arguments.dropFirst()
    show("| work | n | time | exponent | by hand | reached |")
    show("|---|---|---|---|---|---|")
    for work in Work.all where wanted.isEmpty || wanted.contains(where: { work.name.contains($0) }) {
      let library = await measure(work.library, work.size)
      let byHand = if let way = work.byHand { await measure(way, work.size) } else { Reading?.none }
      let cells = [
        work.name, "\(work.size * (factors.last ?? 1))", library.time, library.exponentText,
        byHand?.time ?? "", library.exponent <= limit ? "yes" : "**no**",
      ]
      show("| \(cells.joined(separator: " | ")) |")
    }
  }

  /// A line at once, because the next one may take a while.
  private static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static func measure(_ way: Work.Way, _ size: Int) async -> Reading {
    var durations = factors.map { _ in Duration.seconds(3_600) }
    let beginning = processorTime
    for round in 0..<rounds where round < 2 || processorTime - beginning < patience {
      for (index, factor) in factors.enumerated() {
        let work = await way(size * factor)
        // What an earlier one has begun.
        await settle()
        let start = processorTime
        await work()
        durations[index] = min(durations[index], processorTime - start)
        withExtendedLifetime(work) {}
      }
    }
    return Reading(durations: durations, factors: factors)
  }
}

/// What the process has used of the processors: what others use does not count.
private var processorTime: Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// What a work took at each size.
private struct Reading {
  let durations: [Duration]
  let factors: [Int]

  /// The slope of the logarithm of the time over that of the size, by least squares.
  var exponent: Double {
    let points = zip(factors, durations).map { (x: log(Double($0)), y: log($1 / .nanoseconds(1))) }
    let count = Double(points.count)
    let mean = (x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    let covariance = points.reduce(0) { $0 + ($1.x - mean.x) * ($1.y - mean.y) }
    return covariance / points.reduce(0) { $0 + ($1.x - mean.x) * ($1.x - mean.x) }
  }

  var exponentText: String { String(format: "%.2f", exponent) }

  /// The time at the largest size.
  var time: String { String(format: "%.2f ms", (durations.last ?? .zero) / .milliseconds(1)) }
}
