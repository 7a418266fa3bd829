// SPDX-License-Identifier: MIT
extension Comparison {
  /// A value is read under `withObservationTracking`, changes, and notifies of it.
  public static let tracked = Comparison(
    "tracked",
    [
      Contender(.asyncState) { TrackedData() },
      Contender(.observation) { TrackedProperty() },
    ])

  /// A value is read where nothing is tracked, and changes.
  public static let untracked = Comparison(
    "untracked",
    [
      Contender(.asyncState) { UntrackedData() },
      Contender(.observation) { UntrackedProperty() },
    ])
}
