// SPDX-License-Identifier: MIT
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

  /// A value may be stored that was not looked for.
  var hasUnreadValue: Bool { get }

  /// Displays what is stored.
  func displayStored(isolation: isolated (any Actor)?) async

  /// Displays what is stored before a value is requested.
  ///
  /// - Returns: Whether what is stored is fresh enough for each call. The load has ended then.
  func findFresh(for load: Load<Value>, isolation: isolated (any Actor)?) async throws -> Bool

  /// The answer was written, or the load was not current any more.
  func didSucceed()

  /// The data has changed, and no observer has been notified. A change made in here is notified after the others.
  func didChange()

  /// The data is about to be forgotten: nothing is requested again by the keeper.
  func forget()

  /// All observers have been notified of all changes.
  func didNotify()

  /// Anyone but the keeper holds what the data belongs to.
  var isHeld: Bool { get }

  /// The data was marked because of what its value was made of: it is requested again where it is in use.
  ///
  /// - Returns: Whether the keeper does that; false: it keeps the data no more.
  func requestAgain() -> Bool

  /// A stream was opened that the data follows.
  func streamDidOpen()

  /// Work is left that could change the data, or what is stored of them.
  var isBusy: Bool { get }

  /// The name of the data where operations await each other.
  var label: String { get }
}

// MARK: - Stored values

extension AsyncData {
  /// Data of a family.
  convenience init(seed: Value?, staleAfter: Duration?, timeline: Timeline, policy: RequestPolicy?) {
    self.init()
    let extras = Extras(seed: seed, staleAfter: staleAfter, timeline: timeline, policy: policy)
    state = State(SnapshotContext(isProvisional: seed != nil), seed, extras)
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
    let event = DataEvent.restored(answeredAt: answeredAt, isOutdated: isInvalidated)
    let announced = announce(event, hasValue: value != nil)
    let (patches, shown) = editedPatches {
      $0.rebase(on: value, isStored: true)
      return $0.value
    }
    // A reader, or a patch, that set the value has made it newer than what was stored.
    guard confirmations == state.core.record.confirmations else { return withdraw(announced) }
    guard let step = take(event, for: nil, hasValue: value != nil, announced: announced) else { return }
    deliver(step, storing: patches, displaying: shown)
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

// MARK: - Several data at once

/// An event that has happened to data, and is to be delivered.
final class StagedEvent<Value> {
  fileprivate var step: DataStep?
  /// Released when the event is delivered: it may be the user's.
  private let former: Value?

  fileprivate init(_ step: consuming DataStep, replacing former: Value?) {
    self.step = consume step
    self.former = former
  }
}

extension AsyncData {
  /// Reports to Observation that an event is about to happen, which has to be done before it happens to any of several
  /// data.
  ///
  /// - Parameter removesValue: The seed is displayed from then on.
  /// - Returns: What is announced.
  func announce(_ event: DataEvent, removesValue: Bool) -> AsyncDataParts.RawValue {
    announce(event, hasValue: removesValue ? seed != nil : nil)
  }

  /// The event happens. It is to be delivered when it has happened to all of several data.
  func stage(_ event: DataEvent, removesValue: Bool, announced: AsyncDataParts.RawValue) -> StagedEvent<Value> {
    if removesValue { return stage(event, writing: seed, announced: announced) }
    let step = takeByHand(event, hasValue: nil, announced)
    state.stageSource?(self)
    return StagedEvent(step, replacing: nil)
  }

  /// The same for an event that writes the value.
  func stage(_ event: DataEvent, writing value: Value?, announced: AsyncDataParts.RawValue) -> StagedEvent<Value> {
    var exchanged = value
    let step = takeByHand(event, hasValue: value != nil, announced)
    swap(&exchanged, &state.value)
    state.stageSource?(self)
    return StagedEvent(step, replacing: exchanged)
  }

  private func takeByHand(_ event: DataEvent, hasValue: Bool?, _ announced: AsyncDataParts.RawValue) -> DataStep {
    guard let step = take(event, for: nil, hasValue: hasValue, announced: announced) else {
      preconditionFailure("AsyncState: only an event that is about a request can be refused. Report this as a fault.")
    }
    return step
  }

  func deliver(_ event: StagedEvent<Value>) {
    guard let step = event.step.take() else { return assertionFailure("An event is delivered once.") }
    deliverStaged(step)
  }
}
