// SPDX-License-Identifier: MIT
/// A performed input: a handle to wait for its end, or to cancel it. Copies are handles of the same input.
public struct MutationTask<Output> {
  private let run: PerformedInput<Output>
  private let cancelRun: () -> Void
  private let pass: ([LoadGate]) -> Void

  /// - Parameter pass: Lets what a caller of `outcome` awaits pass the width of gates: the run, and those before it in its lane.
  init(
    _ run: PerformedInput<Output>, cancel: @escaping () -> Void,
    passing pass: @escaping ([LoadGate]) -> Void = { _ in }
  ) {
    self.run = run
    cancelRun = cancel
    self.pass = pass
  }

  /// Suspends until the request ends. Cancelling the waiting task does not end the request.
  ///
  /// With an outbox it ends when there is an answer, or a permanent failure, however long that takes: see
  /// ``accepted(isolation:)``.
  ///
  /// - Parameter isolation: The actor of the mutation.
  /// - Returns: The outcome.
  @discardableResult
  public func outcome(isolation: isolated any Actor = #isolation) async -> AsyncOutcome<Output> {
    let gates = LetIn.gates
    if !gates.isEmpty { pass(gates) }
    return await run.untilEnded(isolation: isolation)
  }

  /// Suspends until the request ends. Cancelling the waiting task does not end the request.
  ///
  /// - Parameter isolation: The actor of the mutation.
  /// - Returns: The output.
  /// - Throws: The error; `CancellationError` if the request was cancelled or superseded.
  @discardableResult
  public func get(isolation: isolated any Actor = #isolation) async throws -> Output {
    try await outcome(isolation: isolation).get()
  }

  /// Suspends until the input is stored in the outbox: from then on it is not lost, and a form may be closed. Returns at
  /// once for a mutation without an outbox.
  ///
  /// - Parameter isolation: The actor of the mutation.
  /// - Throws: ``OutboxError`` if it could not be stored; `CancellationError` if it was cancelled before.
  public func accepted(isolation: isolated any Actor = #isolation) async throws {
    try await run.untilAccepted(isolation: isolation)
  }

  /// Cancels the request, for every handle of it.
  ///
  /// An input that has not been sent never is. If it is being sent, its task is cancelled, its answer is ignored, and its tags
  /// are invalidated, because the server may have done it. After its end this does nothing.
  public func cancel() {
    cancelRun()
  }
}
