// SPDX-License-Identifier: MIT
/// A load that was started: a handle to await its end, to cancel it, and to answer it if it was begun by hand.
///
/// Releasing the handle of a load with an operation changes nothing. Copies are handles of the same load.
public struct LoadTask<Value> {
  /// Nil if it was cancelled before it began.
  @usableFromInline let load: Load<Value>?
  /// Released with the last copy.
  private let guardian: UnansweredGuard?

  @usableFromInline
  init(_ load: Load<Value>?) {
    self.load = load
    guardian = nil
  }

  /// The handle of a load that is answered by hand.
  init(_ load: Load<Value>, guardian: UnansweredGuard) {
    self.load = load
    self.guardian = guardian
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

  // MARK: Answering by hand

  /// Answers the load. Does nothing when it is not current: not yet, as it waits for another one to end, or not any more.
  ///
  /// - Parameter value: The value; nil: there is no data.
  public func succeed(with value: Value?) {
    guard let load = begun else { return }
    load.succeed(with: value)
    load.state.task?.cancel()
  }

  /// Fails the load; a `CancellationError` cancels it. Does nothing when it is not current.
  public func fail(with error: any Error) {
    guard let load = begun else { return }
    load.end(throwing: error)
    load.state.task?.cancel()
  }

  /// Publishes a provisional value before the answer. Does nothing when the load is not current.
  ///
  /// - Parameter value: The value so far; nil: there is no data so far.
  public func yield(_ value: Value?) {
    guard let load = begun else { return }
    load.writableData?.yield(value, by: load)
  }

  /// Reports how far the load is. Does nothing when it is not current.
  ///
  /// - Parameter progress: In 0...1; values outside are clamped, and NaN or nil means unknown.
  public func report(progress: Double?) {
    guard let load = begun else { return }
    load.writableData?.report(progress, by: load)
  }

  /// The load, unless it waits for another one to end: then it is not the one that the data would take an answer for.
  private var begun: Load<Value>? {
    guard let load, load.data?.state.core.order.isWaiting(load) != true else { return nil }
    return load
  }
}

/// Ends a load that was begun by hand when the last copy of its handle is released without an answer.
final class UnansweredGuard {
  private weak var load: LoadRun?
  private let home: WeakActor

  init(_ load: LoadRun, _ home: WeakActor) {
    self.load = load
    self.home = home
  }

  deinit {
    // When the actor is released no one is left who could see the load.
    guard let load, let home = home.actor else { return }
    perform(on: home) { load.cancel() }
  }
}
