// SPDX-License-Identifier: MIT
import Workloads

/// Everything that was measured in one run.
struct Findings {
  let chains: [ChainReading]
  let crowd: CrowdReading
  let family: FamilyReading
  let journal: JournalReading
  /// Bytes of heap, by the name of the specimen.
  let weights: [String: Double]
  /// By the name of the work.
  let times: [String: [Contender.Side: Reading]]

  func time(_ comparison: Comparison, _ side: Contender.Side = .asyncState) -> Double {
    times[comparison.name]?[side]?.nanoseconds ?? .nan
  }

  func allocations(_ comparison: Comparison) -> Double {
    times[comparison.name]?[.asyncState]?.allocations ?? .nan
  }

  /// How many times longer than `side` the library takes.
  func ratio(_ comparison: Comparison, to side: Contender.Side) -> Double {
    time(comparison) / time(comparison, side)
  }

  /// How many times longer than the library `side` takes.
  func advantage(_ comparison: Comparison, over side: Contender.Side) -> Double {
    1 / ratio(comparison, to: side)
  }

  /// How many nanoseconds longer the library takes than in the simpler case.
  func surplus(_ comparison: Comparison) -> Double {
    time(comparison) - time(comparison, .simplerCase)
  }

  /// What each observer more costs, in nanoseconds.
  func growth(from few: Int, to many: Int, _ side: Contender.Side = .asyncState) -> Double {
    (time(.observers(many), side) - time(.observers(few), side)) / Double(many - few)
  }

  func weight(_ specimen: Specimen) -> Double {
    weights[specimen.name] ?? .nan
  }
}
