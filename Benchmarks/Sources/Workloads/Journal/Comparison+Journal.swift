// SPDX-License-Identifier: MIT
extension Comparison {
  /// A value is set, and a journal records it; beside data without a journal.
  public static let recordedChange = Comparison(
    "a recorded change",
    [
      Contender(.asyncState) { RecordedChange(isRecorded: true) },
      Contender(.simplerCase) { RecordedChange(isRecorded: false) },
    ])

  /// A flip that a journal records, beside one without.
  public static let recordedFlip = Comparison(
    "a recorded flip",
    [Contender(.asyncState) { RecordedScreen(.counting()) }, Contender(.simplerCase) { HostScreen(.counting()) }])

  static let journals = [recordedChange, recordedFlip]
}
