// SPDX-License-Identifier: MIT
extension Comparison {
  /// A value is read under `withObservationTracking`, changes, and that is told.
  public static let tracked = Comparison(
    "tracked",
    [
      Contender(.asyncState) { TrackedFacts() },
      Contender(.observation) { TrackedProperty() },
    ])

  /// A value is read where nothing is tracked, and changes.
  public static let untracked = Comparison(
    "untracked",
    [
      Contender(.asyncState) { UntrackedFacts() },
      Contender(.observation) { UntrackedProperty() },
    ])
}
