// SPDX-License-Identifier: MIT
/// A request of a resource that was made, to be awaited.
package struct ResourceCall<Value> {
  enum State {
    /// It was over at once.
    case ended(AsyncOutcome<Value?>)
    case waiting(FollowingCall)
    /// It is not made, and ends when the stored value is displayed.
    case refused(Load<Value>, ticket: Int)
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

  /// A request that is not made.
  init(_ data: AsyncData<Value>, refusedAs load: Load<Value>, ticket: Int) {
    self.init(data, load.isCurrent ? .refused(load, ticket: ticket) : .ended(load.outcome))
  }

  /// True if it has ended because a part of the value has no key.
  var lackedKey: Bool {
    switch state {
    case .ended, .refused: false
    case .waiting(let call): call.load.state.lackedKey
    }
  }

  /// Suspends until the request ends.
  package func outcome(isolation: isolated (any Actor)?) async -> AsyncOutcome<Value?> {
    switch state {
    case .ended(let outcome):
      return outcome
    case .refused(let load, let ticket):
      await load.wait(as: ticket, isolation: isolation)
      return load.outcome
    case .waiting(let call):
      await call.wait(isolation: isolation)
      return data.outcome(of: call, forKey: key)
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
    case .superseded where revision.key == key:
      // No load has taken its place, so a value or an error was written. Both may have been removed since.
      if let error = context.error { return .failure(error) }
      return context.isValueSet ? .success(displayed) : .cancelled
    case .success, .failure, .cancelled, .superseded, .notRequested:
      return outcome
    }
  }
}
