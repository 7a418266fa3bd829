// SPDX-License-Identifier: MIT
// Changes of several data before the first of them is notified.

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
