// SPDX-License-Identifier: MIT
/// A request of a resource that was made, to be awaited.
package struct ResourceCall<Value> {
  enum State {
    /// It was over at once.
    case ended(AsyncOutcome<Value?>)
    case waiting(FollowingCall)
    /// Those of several resources together, for what they are then.
    case several([FollowingCall])
  }

  private let data: AsyncData<Value>
  private let state: State
  /// The number of the key that the value is requested for.
  let key: UInt32

  /// - Parameter key: Nil: the present one.
  init(_ data: AsyncData<Value>, _ state: State, forKey key: UInt32? = nil) {
    self.data = data
    self.state = state
    self.key = key ?? data.revision.key
  }

  /// True if it has ended because a part of the value has no key.
  var lackedKey: Bool {
    switch state {
    case .ended, .several: false
    case .waiting(let call): call.load.state.lackedKey
    }
  }

  /// The calls that wait.
  var calls: [FollowingCall] {
    switch state {
    case .ended: []
    case .waiting(let call): [call]
    case .several(let calls): calls
    }
  }

  /// Suspends until the request ends.
  package func outcome(isolation: isolated (any Actor)?) async -> AsyncOutcome<Value?> {
    switch state {
    case .ended(let outcome):
      return outcome
    case .waiting(let call):
      await call.wait(isolation: isolation)
      return data.outcome(of: call, forKey: key)
    case .several(let calls):
      for call in calls { await call.wait(isolation: isolation) }
      return calls.contains(where: \.hasLeft) ? .cancelled : data.presentOutcome
    }
  }
}

extension AsyncData {
  /// Requests the value for a call that follows it.
  func followingCall(
    _ call: LoadCall, isolation: isolated any Actor, operation: @escaping (LoadReporter<Value>) async throws -> Value?
  ) -> FollowingCall {
    let (load, ticket) = request(call, isPinned: false, isolation: isolation, reporting: operation)
    return FollowingCall(load, ticket)
  }

  /// The answer to a call that follows the value: that of the last load that it waited for, or the value or error that was
  /// written in its place.
  ///
  /// - Parameter key: The number of the key that the call was made for.
  func outcome(of call: FollowingCall, forKey key: UInt32) -> AsyncOutcome<Value?> {
    let outcome = typed(call.load).outcome
    switch outcome {
    // The call left before the load ended.
    case .superseded where call.hasLeft: return .cancelled
    // No load has taken its place, so a value or an error was written.
    case .superseded where revision.key == key: return presentOutcome
    case .success, .failure, .cancelled, .superseded, .notRequested:
      return outcome
    }
  }

  /// What there is, as an outcome. Value and error may have been removed.
  fileprivate var presentOutcome: AsyncOutcome<Value?> {
    if let error = context.error { return .failure(error) }
    return context.isValueSet ? .success(displayed) : .cancelled
  }
}
