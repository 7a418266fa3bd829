// SPDX-License-Identifier: MIT
// The rule of another value: what of data is a change for what is made of it.

/// The difference between data and what was last seen of it.
enum DataChange {
  /// What was seen holds. An equal value, a yielded one, progress, an error and the end of a stream are no change.
  case none
  /// It was out of date, had failed, or was not known, and its answer is what was seen.
  case confirmed
  /// It is out of date.
  case marked
  /// It has another value, or a change that is part of what was seen is decided: a server knows it only now.
  case changed
  /// It was removed: forgotten, reset, or left with its key.
  case removed
  /// It belongs to a former key from now on, and is still displayed. What is made of it is a former value, too.
  case left
  /// It belonged to a former key, and an error has taken its place.
  case failed(any Error)
}

/// What was last seen of data.
struct SeenData<Value> {
  private var value: Value?
  private var revision: DataRevision
  private var removals: UInt8
  private var invalidations: UInt8
  private var isMarked: Bool
  private var isConfirmed: Bool
  private var isGood: Bool
  private var isOfFormerKey: Bool
  /// True if the value contains changes that are not decided.
  private var hasUndecidedChanges: Bool

  init(_ data: AsyncData<Value>) {
    let record = data.state.core.record
    value = data.displayed
    revision = record.revision
    removals = record.removals
    invalidations = record.invalidations
    isMarked = record.isInvalidated
    isConfirmed = record.isConfirmed
    isGood = record.isGood
    isOfFormerKey = record.isOfFormerKey
    hasUndecidedChanges = record.hasUndecidedChanges
  }

  /// Compares the data with what was last seen of it, which from now on is what it is now.
  mutating func look(at data: AsyncData<Value>) -> DataChange {
    let record = data.state.core.record
    guard removals == record.removals else {
      let hadNothing = value == nil && !isConfirmed
      self = SeenData(data)
      // The next key is on its way, as that one was.
      return hadNothing && record.context.isRequestExpected ? .none : .removed
    }
    if record.isOfFormerKey, revision.key != record.revision.key {
      // What is displayed is no value of its key.
      revision.key = record.revision.key
      (invalidations, isMarked, isGood, isConfirmed) = (record.invalidations, record.isInvalidated, false, false)
      isOfFormerKey = true
      return .left
    }
    let wasOfFormerKey = isOfFormerKey
    isOfFormerKey = record.isOfFormerKey
    if wasOfFormerKey, !isOfFormerKey, let error = record.context.error {
      self = SeenData(data)
      return .failed(error)
    }
    // It may have been marked before, and accepted all the same.
    let (wasMarked, wasGood) = (isMarked && invalidations == record.invalidations, isGood)
    (invalidations, isMarked, isGood) = (record.invalidations, record.isInvalidated, record.isGood)
    isConfirmed = record.isConfirmed
    if isConfirmed, takeValue(of: data, record) { return .changed }
    if isMarked { return wasMarked ? .none : .marked }
    return isGood && !wasGood ? .confirmed : .none
  }

  /// - Returns: True if it is another value, or one whose changes are decided.
  private mutating func takeValue(of data: AsyncData<Value>, _ record: DataRecord) -> Bool {
    let isDecided = hasUndecidedChanges && !record.hasUndecidedChanges
    if isDecided { hasUndecidedChanges = false }
    // Read only if it was written, because changes may have to be applied to it.
    guard revision.display != record.revision.display else { return isDecided }
    let former = value
    (value, revision) = (data.displayed, record.revision)
    if data.isSame(former, value) { return isDecided }
    hasUndecidedChanges = record.hasUndecidedChanges
    return true
  }
}

extension DataRecord {
  /// True if there is an answer, which is not marked, and no failure since.
  fileprivate var isGood: Bool { isConfirmed && !hasFailed && !isInvalidated }
}
