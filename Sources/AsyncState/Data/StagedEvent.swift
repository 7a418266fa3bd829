// SPDX-License-Identifier: MIT
// Changes of several data before the first of them is notified.

/// An event that has happened to data, and is still to be delivered.
final class StagedEvent<Value> {
  fileprivate var step: DataStep?
  /// The replaced value. Released when the event is delivered: it may be the user's.
  private let former: Value?

  fileprivate init(_ step: consuming DataStep, replacing former: Value?) {
    self.step = consume step
    self.former = former
  }
}

extension AsyncData {
  /// Reports to Observation that an event is about to happen. Of several data this is done for all of them before the event
  /// happens to the first.
  ///
  /// - Parameter removesValue: True if the seed is displayed from then on.
  /// - Returns: The report.
  func announce(_ event: DataEvent, removesValue: Bool) -> Announcement {
    announce(event, hasValue: removesValue ? seed != nil : nil)
  }

  /// Applies the event. It is delivered when it has happened to all of several data.
  ///
  /// - Returns: Nil if it does not happen, because a reader has changed the key, or has forgotten all.
  func stage(_ event: DataEvent, removesValue: Bool, announced: Announcement) -> StagedEvent<Value>? {
    if removesValue { return stage(event, writing: seed, announced: announced) }
    guard let step = take(event, for: nil, hasValue: nil, announced: announced) else { return nil }
    state.stageSource?(self)
    return StagedEvent(step, replacing: nil)
  }

  /// The same for an event that writes the value.
  func stage(_ event: DataEvent, writing value: Value?, announced: Announcement) -> StagedEvent<Value>? {
    guard let step = take(event, for: nil, hasValue: value != nil, announced: announced) else { return nil }
    var exchanged = value
    swap(&exchanged, &state.value)
    state.stageSource?(self)
    return StagedEvent(step, replacing: exchanged)
  }

  func deliver(_ event: StagedEvent<Value>?) {
    guard let event else { return }
    guard let step = event.step.take() else { return assertionFailure("An event is delivered once.") }
    deliverStaged(step)
  }
}
