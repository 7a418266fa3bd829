// SPDX-License-Identifier: MIT
// Changes of several data before the first of them is notified.

/// An event that has happened to data, and is still to be delivered.
final class StagedEvent {
  fileprivate var step: DataStep?
  /// The replaced value and seed. Released when the event is delivered: they may be the user's.
  private let former: AnyObject?

  fileprivate init(_ step: consuming DataStep, replacing former: AnyObject? = nil) {
    self.step = consume step
    self.former = former
  }
}

/// A replaced value and a seed, as an object.
private final class FormerValues<Value> {
  private let values: (Value?, Value?)

  init(_ value: Value?, _ seed: Value?) {
    values = (value, seed)
  }
}

extension AsyncData {
  /// Applies the event. It is delivered when it has happened to all of several data.
  func stage(_ event: DataEvent) -> StagedEvent {
    let step = begin(event)
    state.stageSource?(self)
    return StagedEvent(step)
  }

  /// The same for data that is forgotten, also its seed, which may be made of data that is forgotten, too.
  ///
  /// - Parameter hasSeed: False if there is none, which takes long to find out.
  func stageForgotten(hasSeed: Bool) -> StagedEvent {
    let seed = hasSeed ? seed : nil
    if hasSeed { setSeed(nil) }
    let step = begin(.forgotten, hasValue: false)
    guard state.value != nil || seed != nil else {
      state.stageSource?(self)
      return StagedEvent(step)
    }
    var exchanged: Value?
    swap(&exchanged, &state.value)
    state.stageSource?(self)
    return StagedEvent(step, replacing: FormerValues(exchanged, seed))
  }

  func deliver(_ event: StagedEvent) {
    guard let step = event.step.take() else { return assertionFailure("An event is delivered once.") }
    deliverStaged(step)
  }
}
