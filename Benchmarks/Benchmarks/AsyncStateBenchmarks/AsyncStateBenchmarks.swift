// SPDX-License-Identifier: MIT
import Benchmark
import HeapCounter
import Workloads

/// Every work, each contender's way, with percentiles. The ratios between them are what `Benchmarks/report` is for, which
/// also checks that what is compared does the same.
let benchmarks: @Sendable () -> Void = {
  for comparison in Comparison.all {
    for contender in comparison.contenders { register(contender, of: comparison) }
  }
}

private let allocations = BenchmarkMetric.custom("Allocations", polarity: .prefersSmaller, useScalingFactor: true)

private func register(_ contender: Contender, of comparison: Comparison) {
  let size = IterationSize(comparison)
  let home = Home(contender)
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, allocations], scalingFactor: size.scale, maxDuration: .milliseconds(500))
  Benchmark("\(comparison.name)\(size.note): \(contender.side.rawValue)", configuration: configuration) { benchmark in
    benchmark.startMeasurement()
    await home.run(size.count)
    benchmark.stopMeasurement()
    // Counted apart, because counting takes time.
    heapCounterStart()
    await home.run(size.count)
    benchmark.measurement(allocations, heapCounterStop().allocations)
  }
}
