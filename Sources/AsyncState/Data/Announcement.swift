// SPDX-License-Identifier: MIT
/// The report to Observation before an event, and the owner of the data at that time: readers, who are notified, may change it.
struct Announcement {
  /// The reported parts; zero if there are no readers.
  var parts: AsyncDataParts.RawValue = 0
  private var removals: UInt8
  private var key: UInt32

  init(of record: DataRecord) {
    removals = record.removals
    key = record.revision.key
  }

  var isEmpty: Bool { parts == 0 }

  /// True if the key has not changed since, and the data was not forgotten.
  func hasOwner(of record: DataRecord) -> Bool { key == record.revision.key && removals == record.removals }

  /// Makes the present owner that of the event.
  mutating func renewOwner(of record: DataRecord) {
    let renewed = Announcement(of: record)
    (removals, key) = (renewed.removals, renewed.key)
  }
}
