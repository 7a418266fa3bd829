// SPDX-License-Identifier: MIT
/// The error, the activity and the rest of a snapshot without its value, with the counts and times of its writes.
package struct DataRecord {
  // In this order they take the least room.
  var context: SnapshotContext
  /// True if an error was written, a load failed, or the stream ended, since the last answer.
  var hasFailed = false
  /// True if the data was marked only because it is not known whether the value contains a change. Meaningless while it is
  /// valid.
  var isOnlyInDoubt = false
  /// True if a value has arrived, or a change has ended, beside the running request, whose answer may be older. Meaningless while
  /// none runs.
  var isOvertaken = false
  /// True if a change is displayed and not decided.
  var hasUndecidedChanges = false
  /// The number of times that everything was removed, because the key was left, or the data was reset or forgotten. Only
  /// differences are meaningful.
  var removals: UInt8 = 0
  /// The number of invalidations. Only differences are meaningful.
  var invalidations: UInt8 = 0
  var revision = DataRevision()
  /// The number of times that the value without undecided changes was written or removed. Only differences are meaningful.
  var confirmations: UInt32 = 0
  /// The number of times that the value was written or dropped by an event after which it may or may not contain a change that
  /// is being sent. Only differences are meaningful.
  var writes: UInt32 = 0
  /// The time of the last answer, by the data's clock.
  var answeredAt: Duration?

  init(context: SnapshotContext) {
    self.context = context
  }

  var isConfirmed: Bool { context.origin.isConfirmed }
  var isOfFormerKey: Bool { context.origin.isFormer }
  var isLoading: Bool { context.isLoading }

  /// The time of the last answer; nil: there was none, or there is a reason to request again at any age. A yielded value may be
  /// a part, even after an answer.
  var timeOfGoodAnswer: Duration? { isInvalidated ? nil : timeOfUnfailedAnswer }

  /// The same, also if the data is marked.
  var timeOfUnfailedAnswer: Duration? { !hasFailed && isConfirmed ? answeredAt : nil }

  // The parts that a journal writes.

  package var mode: LoadMode? { context.load?.mode }
  /// True while the running load, or that of a further page, waits for its gate.
  package var isWaiting: Bool { context.activity?.isWaiting == true }
  package var isRunning: Bool { context.isRunning }
  package var isValueSet: Bool { context.isValueSet }
  package var hasError: Bool { context.error != nil }
  package var isInvalidated: Bool { context.validity != .valid }
  /// The edge that the running load extends by a page.
  package var page: PageEdge? { context.activity?.edge }

  /// Counts a write or removal of the displayed value.
  ///
  /// - Parameter isEqual: True if an equal value was written, so that it need not be displayed again.
  mutating func noteValue(isEqual: Bool) {
    revision.value &+= 1
    if !isEqual { revision.display &+= 1 }
  }
}

/// The numbers of writes of value and error, and of changes of the key that they belong to. Only differences are
/// meaningful.
package struct DataRevision: Equatable {
  var value: UInt32 = 0
  var error: UInt32 = 0
  var key: UInt32 = 0
  /// The number of times that the value was written, except by an equal answer.
  var display: UInt32 = 0
}

// MARK: - Observation

/// The parts of an ``AsyncData`` that Observation tracks separately. Parts that are often read together are a part, too:
/// Observation then notes one read instead of several.
struct AsyncDataParts: OptionSet, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  static let value = Self(rawValue: 1)
  static let error = Self(rawValue: 2)
  /// The running load, or none.
  static let running = Self(rawValue: 4)
  /// The details of the activity.
  static let details = Self(rawValue: 8)
  /// The presence of a value, an error, or a seed.
  static let settled = Self(rawValue: 16)
  /// The reasons for which the data is stale, and the flag of a provisional value.
  static let freshness = Self(rawValue: 32)
  /// The page requests.
  static let pages = Self(rawValue: 64)
  static let pendingChanges = Self(rawValue: 128)
  /// The mode of the activity, and the flags of a waiting load, of an answer, and of a request.
  static let mode = Self(rawValue: 256)
  /// The parts that a status depends on.
  static let status = Self(rawValue: 512)
  /// The parts of a snapshot.
  static let snapshot = Self(rawValue: 1024)

  /// These parts, and the larger parts that contain them.
  var withWholes: Self {
    var parts = self
    if !isDisjoint(with: [.value, .error]) { parts.insert(.status) }
    if !subtracting(.pendingChanges).isEmpty { parts.insert(.snapshot) }
    return parts
  }
}

extension DataRecord {
  /// True if the value alone decides the status, even if a refresh runs or waits.
  private var hasStatusOfValue: Bool {
    context.isValueSet && context.error == nil && (context.load?.mode != .reload || isWaiting)
  }

  /// The parts that have changed if this record was followed by another one.
  func partsChanged(to next: borrowing DataRecord) -> AsyncDataParts {
    var parts: AsyncDataParts = []
    if revision.display != next.revision.display { parts.insert(.value) }
    if revision.error != next.revision.error || (context.error == nil) != (next.context.error == nil) {
      parts.insert(.error)
    }
    if context.isRunning != next.context.isRunning { parts.insert(.running) }
    if context.load?.mode != next.context.load?.mode || context.load?.isWaiting != next.context.load?.isWaiting
      || context.isValueSet != next.context.isValueSet || context.isUntouched != next.context.isUntouched
    {
      parts.insert(.mode)
      if !hasStatusOfValue || !next.hasStatusOfValue { parts.insert(.status) }
    }
    if context.load?.details !== next.context.load?.details { parts.insert(.details) }
    if isLoading != next.isLoading || context.isSettled != next.context.isSettled { parts.insert(.settled) }
    if (context.validity == .valid) != (next.context.validity == .valid)
      || context.isProvisional != next.context.isProvisional || answeredAt != next.answeredAt
      || hasFailed != next.hasFailed || isConfirmed != next.isConfirmed
    {
      parts.insert(.freshness)
    }
    if context.pageErrors !== next.context.pageErrors || context.activity?.edge != next.context.activity?.edge
      || context.activity?.isWaiting != next.context.activity?.isWaiting
    {
      parts.insert(.pages)
    }
    if hasUndecidedChanges != next.hasUndecidedChanges { parts.insert(.pendingChanges) }
    return parts.withWholes
  }
}
