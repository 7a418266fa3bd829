// The table of causes, one row a method: what each cause makes of the facts. All of it is pure; `AsyncData` decides
// when a cause counts and tells about it. The contract, section 2, has the same rows in the same order.

extension AsyncSnapshot {
  /// A value was set: an answer by hand.
  @inlinable
  mutating func set(_ newValue: Value?) {
    value = newValue
    isValueSet = true
    isProvisional = false
    error = nil
    activity = nil
    validity = .valid
  }

  /// An error was set by hand, or taken away. Only an error ends the load that runs.
  @inlinable
  mutating func set(_ newError: (any Error)?) {
    error = newError
    if newError != nil { end() }
  }

  /// Everything is forgotten but the seed.
  @inlinable
  mutating func reset(to seed: Value?) {
    self = AsyncSnapshot(value: seed, isValueSet: false)
  }

  /// The facts are out of date from now on.
  @inlinable
  mutating func invalidate() {
    validity = activity == nil ? .invalidated : .invalidatedDuringLoad
  }

  /// A load starts. It is as new as any doubt that came before.
  @inlinable
  mutating func begin(_ newActivity: LoadActivity) {
    activity = newActivity
    if validity == .invalidatedDuringLoad { validity = .invalidated }
  }

  /// The load that runs has a first or a partial answer. From here on there is something that must not be hidden.
  @inlinable
  mutating func yield(_ newValue: Value?) {
    value = newValue
    isValueSet = true
    isProvisional = true
    error = nil
    activity?.mode = .refresh
  }

  /// The load that runs has answered.
  @inlinable
  mutating func succeed(with newValue: Value?) {
    let answersTheDoubt = validity != .invalidatedDuringLoad
    set(newValue)
    if !answersTheDoubt { validity = .invalidated }
  }

  /// The load that runs has failed.
  @inlinable
  mutating func fail(with newError: any Error) {
    error = newError
    end()
  }

  /// The load that runs is over, and all that it owned is gone with it.
  @inlinable
  mutating func end() {
    activity = nil
    if validity == .invalidatedDuringLoad { validity = .invalidated }
  }
}
