// SPDX-License-Identifier: MIT
/// A load that was started: a handle to await its end, and to cancel it.
///
/// Releasing the handle changes nothing. Copies are handles of the same load.
public struct LoadTask<Value> {
  /// Nil if it was cancelled before it began.
  @usableFromInline let load: Load<Value>?

  @inlinable
  init(_ load: Load<Value>?) {
    self.load = load
  }

  /// The handle of a load that was cancelled before it began.
  static var cancelled: LoadTask { LoadTask(nil) }

  /// The handle of a load that ended before it began.
  @inlinable
  init(endedWith ending: LoadEnding, answer: Value? = nil) {
    self.init(Load(endedWith: ending, answer: answer))
  }

  /// Suspends until the load ends, however it ends. Cancelling the waiting task does not end the load.
  ///
  /// - Parameter isolation: The actor of the data.
  /// - Returns: The outcome of the load. The data has changed before this returns.
  @inlinable
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> AsyncOutcome<Value?> {
    guard let load else { return .cancelled }
    await load.wait(isolation: isolation)
    return load.outcome
  }

  /// Cancels this load, for every call that waits for it. The activity is removed before this returns, and everything else
  /// stays as it is. Does nothing when the load has ended.
  public func cancel() {
    load?.cancel()
  }
}

extension AsyncData {
  /// The handle of the running load; without one, of a load that has ended with the present value or error.
  var currentLoad: LoadTask<Value> {
    if let running = state.core.order.whole { return LoadTask(typed(running)) }
    if let error = context.error { return LoadTask(endedWith: .failed(error)) }
    return context.isValueSet ? answeredLoad : .cancelled
  }

  // By itself: it looks up the type of an optional value, which most callers of the above do without.
  @inline(never)
  private var answeredLoad: LoadTask<Value> { LoadTask(endedWith: .answered, answer: displayed) }
}

extension LoadTask: CustomStringConvertible {
  /// The type, and the state of the load, as in `LoadTask<Int>: running` or `LoadTask<Int>: value: 7`.
  ///
  /// Call it on the actor of the data.
  public var description: String {
    "\(Self.self): \(load?.isCurrent == true ? "running" : "\(load?.outcome ?? .cancelled)")"
  }
}
