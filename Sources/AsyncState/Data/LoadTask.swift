// SPDX-License-Identifier: MIT
/// A load that was started: a handle to await its end, and to cancel it.
///
/// Releasing the handle changes nothing. Copies are handles of the same load.
public struct LoadTask<Value> {
  /// Nil if it was cancelled before it began.
  @usableFromInline let load: Load<Value>?

  @usableFromInline
  init(_ load: Load<Value>?) {
    self.load = load
  }

  /// The handle of a load that was cancelled before it began.
  static var cancelled: LoadTask { LoadTask(nil) }

  /// The handle of a load that ended before it began.
  @usableFromInline
  init(endedWith ending: LoadEnding, answer: Value? = nil) {
    self.init(Load(endedWith: ending, answer: answer))
  }

  /// Suspends until the load ends, however it ends. Cancelling the waiting task does not end the load.
  @inlinable
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> LoadOutcome<Value> {
    guard let load else { return .cancelled }
    if let cycle = await load.untilEnded(isolation: isolation) { return .failure(cycle) }
    return load.outcome
  }

  /// Cancels this load, for every call that waits for it. The activity is removed before this returns, and everything
  /// else stays as it is. Does nothing when the load has ended.
  public func cancel() {
    load?.cancel()
  }
}
