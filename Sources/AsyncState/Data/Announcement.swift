// SPDX-License-Identifier: MIT
/// What was reported to Observation before an event, and whose the data was then: readers, who are notified, may change that.
struct Announcement {
  /// Nothing, where no one reads.
  var parts: AsyncDataParts.RawValue = 0
  private var removals: UInt8
  private var key: UInt32

  init(of record: DataRecord) {
    removals = record.removals
    key = record.revision.key
  }

  var isEmpty: Bool { parts == 0 }

  /// Neither was the key changed since, nor all forgotten.
  func hasOwner(of record: DataRecord) -> Bool { key == record.revision.key && removals == record.removals }

  /// The event is of whose the data is by now.
  mutating func renewOwner(of record: DataRecord) {
    let renewed = Announcement(of: record)
    (removals, key) = (renewed.removals, renewed.key)
  }
}
