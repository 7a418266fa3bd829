// How a family follows what becomes of its data, and how several data change before the first of them is notified.

/// Follows the requests, answers and changes of data. It is called on their actor, and is held weakly.
protocol DataKeeper<Value>: AnyObject {
  associatedtype Value

  /// A call is about to request the value, or to find it fresh enough.
  func willRequest(when condition: LoadCondition)

  /// A load is about to begin. Nothing has changed yet.
  func willBegin()

  /// The current load is about to answer. This is the keeper's chance to call user code.
  ///
  /// - Returns: Whether the answer is out of date already.
  func willSucceed(_ load: Load<Value>, with value: Value?) -> Bool

  /// The answer was written, or the load was not current any more.
  func didSucceed()

  /// The data have changed, and no observer has been notified. A change made in here is notified after the others.
  func didChange()

  /// All observers have been notified of all changes.
  func didNotify()

  /// Work is left that could change the data, or what is stored of them.
  var isBusy: Bool { get }

  /// What a caller has to do that waits for these data in the operation of others; nil outside of operations.
  var nestedWait: NestedWait? { get }
}

// MARK: - Stored values

extension AsyncData {
  /// Data of a family.
  convenience init(staleAfter: Duration?, timeline: Timeline, policy: RequestPolicy?) {
    self.init()
    state.extras = Extras(staleAfter: staleAfter, timeline: timeline, policy: policy)
  }

  func setKeeper(_ keeper: any DataKeeper<Value>) {
    requiredExtras.keeper = keeper
  }

  /// A stored value arrives: displayed and provisional, and as old as its answer.
  ///
  /// - Parameters:
  ///   - age: The time since the answer; nil or less than zero: unknown, so it is stale for every limit.
  ///   - isInvalidated: It was out of date when it was stored, or has become so since.
  package func restore(_ value: Value?, age: Duration?, isInvalidated: Bool) {
    let answeredAt = age.flatMap { $0 < .zero ? nil : now - $0.bounded }
    let confirmations = state.core.record.confirmations
    let (patches, shown) = editedPatches {
      $0.rebase(on: value, isStored: true)
      return $0.value
    }
    // A patch that set the value has made it newer than what was stored.
    guard confirmations == state.core.record.confirmations else { return }
    write(shown, storing: patches) {
      $0.context.restore(isInvalidated: isInvalidated)
      $0.isConfirmed = true
      $0.answeredAt = answeredAt
    }
  }

  /// The value without changes that are not confirmed; nil if there is none that was.
  var confirmed: Confirmed<Value>? {
    guard state.core.record.isConfirmed else { return nil }
    let value = hasPatches ? editedPatches { $0.confirmedValue }.result : state.value
    let record = state.core.record
    return Confirmed(value: value, answeredAt: record.answeredAt, isInvalidated: record.context.validity != .valid)
  }
}

/// A value that was confirmed, and the time of its answer.
struct Confirmed<Value> {
  let value: Value?
  let answeredAt: Duration?
  let isInvalidated: Bool
}

extension SnapshotContext {
  /// A stored value arrived. It does not stay hidden, and the load that runs is newer than what is said of it.
  mutating func restore(isInvalidated isOutdated: Bool) {
    isValueSet = true
    isProvisional = true
    isUntouched = false
    activity?.mode = .refresh
    if isOutdated, validity == .valid { validity = .invalidated }
  }
}

// MARK: - Several data at once

/// A change of data that has been made, and is to be delivered.
final class StagedChange<Value> {
  fileprivate var step: DataCore.Step?
  fileprivate let reported: AsyncDataParts.RawValue
  fileprivate let isForced: Bool
  /// Released when the change is delivered: it may be the user's.
  private let former: (((any Error)?, LoadActivity.Details?, PageStates?), Value?)

  fileprivate init(
    _ step: consuming DataCore.Step, _ reported: AsyncDataParts.RawValue, forced isForced: Bool,
    _ former: (((any Error)?, LoadActivity.Details?, PageStates?), Value?)
  ) {
    self.step = consume step
    self.reported = reported
    self.isForced = isForced
    self.former = former
  }
}

extension AsyncData {
  /// Reports to Observation that data are about to be invalidated, which has to be done before any of them is.
  ///
  /// - Returns: What the change is to report.
  func announceInvalidation() -> AsyncDataParts.RawValue { announce(hasValue: nil) { $0.context.invalidate() } }

  /// Marks the value stale. The change is to be delivered.
  func stageInvalidation(_ reported: AsyncDataParts.RawValue) -> StagedChange<Value> {
    let former = (state.core.record.context.objects, Value?.none)
    return stage(.nothing, reported, forced: true, hasValue: nil, former) { $0.context.invalidate() }
  }

  func announceForgetting() -> AsyncDataParts.RawValue { announce(hasValue: false) { $0.forget() } }

  /// Removes everything, where there is no seed, without a request that follows. The change is to be delivered.
  func stageForgetting(_ reported: AsyncDataParts.RawValue) -> StagedChange<Value> {
    let former = (state.core.record.context.objects, state.value)
    state.value = nil
    return stage(.everything, reported, forced: false, hasValue: false, former) { $0.forget() }
  }

  func deliver(_ change: StagedChange<Value>) {
    guard let step = change.step.take() else { return assertionFailure("A change is delivered once.") }
    deliverStaged(step, nil, forced: change.isForced)
    if change.reported != 0 { state.core.tracking.tracker?.didChange(change.reported) }
  }

  private func announce(hasValue: Bool?, _ apply: (inout DataRecord) -> Void) -> AsyncDataParts.RawValue {
    guard let tracker = state.core.tracking.tracker, tracker.read != 0 else { return 0 }
    return tracker.willChange {
      state.core.record.partsChanged(by: apply, hasValue: hasValue).rawValue
    }
  }

  private func stage(
    _ reach: DataCore.Reach, _ reported: AsyncDataParts.RawValue, forced isForced: Bool, hasValue: Bool?,
    _ former: (((any Error)?, LoadActivity.Details?, PageStates?), Value?), _ apply: (inout DataRecord) -> Void
  ) -> StagedChange<Value> {
    guard let step = take(reach, .ended(.cancelled), nil, nil, hasValue, {}, apply) else {
      preconditionFailure("A change that no load makes is always made.")
    }
    step.ended.close(.ended(.cancelled))
    state.stageSource?(self)
    return StagedChange(step, reported, forced: isForced, former)
  }
}
