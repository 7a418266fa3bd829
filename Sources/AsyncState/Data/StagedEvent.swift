// SPDX-License-Identifier: MIT
// Changes of several data before the first of them is notified.

/// An event that has happened to data, and is still to be delivered.
final class StagedEvent<Value> {
  fileprivate var step: DataStep?
  /// The replaced value and seed. Released when the event is delivered: they may be the user's.
  private let former: (value: Value?, seed: Value?)

  fileprivate init(_ step: consuming DataStep, replacing value: Value? = nil, _ seed: Value? = nil) {
    self.step = consume step
    former = (value, seed)
  }
}

extension AsyncData {
  /// Applies the event. It is delivered when it has happened to all of several data.
  func stage(_ event: DataEvent) -> StagedEvent<Value> {
    let step = begin(event)
    state.stageSource?(self)
    return StagedEvent(step)
  }

  /// The same for data that is forgotten, also its seed, which may be made of data that is forgotten, too.
  func stageForgotten() -> StagedEvent<Value> {
    let seed = seed
    setSeed(nil)
    let step = begin(.forgotten, hasValue: false)
    var exchanged: Value?
    swap(&exchanged, &state.value)
    state.stageSource?(self)
    return StagedEvent(step, replacing: exchanged, seed)
  }

  func deliver(_ event: StagedEvent<Value>) {
    guard let step = event.step.take() else { return assertionFailure("An event is delivered once.") }
    deliverStaged(step)
  }
}
