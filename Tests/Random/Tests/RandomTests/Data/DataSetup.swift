// SPDX-License-Identifier: MIT
/// How data is created: fixed for one sequence.
struct DataSetup {
  var seed: [Int]?
  /// In ticks.
  var staleAfter: Int?
  /// A journal records what becomes of the data. It must not change it.
  var hasJournal = false

  static func random(using random: inout SeededGenerator) -> DataSetup {
    DataSetup(
      seed: .random(using: &random) ? [0] : nil,
      staleAfter: .random(using: &random) ? Int.random(in: 1...6, using: &random) : nil,
      hasJournal: .random(using: &random))
  }
}
