// SPDX-License-Identifier: MIT
/// A load that its owner answers, for callback APIs. ``AsyncData/begin(_:isolation:)`` returns it.
///
/// It is used on the actor of the data, and may be released on any thread. When it is released without an answer, the
/// load ends as cancelled, as soon as the actor is free. After the load has ended, however it ended, answers do nothing.
public final class PendingLoad<Value> {
  /// The load, to await its end or to cancel it. Keeping this handle alone does not keep the load from ending.
  public let task: LoadTask<Value>

  private let load: Load<Value>

  /// True if the release need not end the load. Apart from the load's own state, which may be read on its actor only.
  private var isAnswered = false

  init(_ load: Load<Value>) {
    self.load = load
    task = LoadTask(load)
  }

  deinit {
    // After the actor was released, no caller can see the load.
    guard !isAnswered, let home = load.begun?.actor else { return }
    perform(on: home) { [load] in load.cancel() }
  }

  /// Answers the load.
  ///
  /// - Parameter value: The value; nil: there is no data.
  public func succeed(with value: Value?) {
    isAnswered = true
    load.succeed(with: value)
  }

  /// Fails the load; a `CancellationError` cancels it.
  public func fail(with error: any Error) {
    isAnswered = true
    if error is CancellationError { load.cancel() } else { load.fail(with: error) }
  }

  /// Publishes a provisional value before the answer.
  ///
  /// - Parameter value: The value so far; nil: there is no data so far.
  public func yield(_ value: Value?) {
    load.writableData?.yield(value, by: load)
  }

  /// Reports the progress of the load.
  ///
  /// - Parameter progress: In 0...1; values outside are clamped, and NaN or nil means unknown.
  public func report(progress: Double?) {
    load.writableData?.report(progress, by: load)
  }
}
