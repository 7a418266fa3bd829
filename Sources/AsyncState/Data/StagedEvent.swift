// SPDX-License-Identifier: MIT
// Changes of several data before the first of them is notified.

/// An event that has happened to data, and is still to be delivered.
class StagedEvent {
  private final let data: any StagedData
  private final var step: DataStep?

  fileprivate init(_ step: consuming DataStep, of data: any StagedData) {
    self.data = data
    self.step = consume step
  }

  final func deliver() {
    guard let step = step.take() else { return assertionFailure("An event is delivered once.") }
    data.deliverStaged(step)
  }
}

/// Data, without the type of its value.
private protocol StagedData: AnyObject {
  func deliverStaged(_ step: consuming DataStep)
}

extension AsyncData: StagedData {}

/// An event that has removed a value, and a seed. They are released when it is delivered: they may be the user's.
private final class StagedRemoval<Value>: StagedEvent {
  private let former: (Value?, Value?)

  init(_ step: consuming DataStep, of data: any StagedData, removing value: Value?, _ seed: Value?) {
    former = (value, seed)
    super.init(step, of: data)
  }
}

extension AsyncData {
  /// Applies the event. It is delivered when it has happened to all of several data.
  func stage(_ event: DataEvent) -> StagedEvent {
    let step = begin(event)
    state.stageSource?(self)
    return StagedEvent(step, of: self)
  }

  /// The same for data that is forgotten, also its seed, which may be made of data that is forgotten, too.
  ///
  /// - Parameter hasSeed: False if there is none, which takes long to find out.
  func stageForgotten(hasSeed: Bool) -> StagedEvent {
    let seed = hasSeed ? seed : nil
    if hasSeed { setSeed(nil) }
    let step = begin(.forgotten, hasValue: false)
    var exchanged: Value?
    swap(&exchanged, &latest)
    state.stageSource?(self)
    // Without a value its type need not be looked up.
    if exchanged == nil, seed == nil { return StagedEvent(step, of: self) }
    return StagedRemoval(step, of: self, removing: exchanged, seed)
  }
}
