// SPDX-License-Identifier: MIT
import Benchmark
import Workloads

/// How many operations an iteration is, and how many of them a figure stands for.
struct IterationSize {
  let count: Int
  /// What figures are divided by. There are only powers of a thousand.
  let scale: BenchmarkScalingFactor
  /// What has to be said of it.
  let note: String

  init(_ comparison: Comparison) {
    if let crowd = comparison.crowd {
      count = crowd
      scale = .one
      note = ", all \(crowd)"
    } else {
      scale = comparison.batch == BenchmarkScalingFactor.kilo.rawValue ? .kilo : .one
      count = scale.rawValue
      note = ""
    }
  }
}
