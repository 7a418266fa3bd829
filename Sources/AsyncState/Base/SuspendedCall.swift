// SPDX-License-Identifier: MIT
/// A call that waits.
// Justified: a checked continuation allocates. A type that stores one takes it out to resume it, so that it is resumed once,
// and ends every wait. Breaks: resuming twice, or never. Noticed: the data model, `MutationTests`, `AsyncTagBoardTests` (14.2),
// `OutboxTests` (17), by a crash or a test that does not end.
@safe
@usableFromInline
struct SuspendedCall: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  @usableFromInline
  init(_ continuation: UnsafeContinuation<Void, Never>) {
    unsafe self.continuation = continuation
  }

  /// Lets the call continue when its actor is free.
  func resume() {
    unsafe continuation.resume()
  }
}

/// Suspends the caller until the call that `begin` receives is resumed.
///
/// - Parameters:
///   - begin: Keeps the call, or resumes it at once if there is nothing to wait for. It is called on the caller's actor, on
///     which others may have had a turn since this was called: in a task that prefers an executor, each call of an
///     asynchronous function is a suspension.
///   - onCancel: Called on any thread when the calling task is cancelled, or was before. It must lead to the call being
///     resumed.
@inlinable
func untilResumed(
  isolation: isolated (any Actor)?, _ begin: (SuspendedCall) -> Void, onCancel: @Sendable () -> Void
) async {
  await withTaskCancellationHandler(
    operation: {
      // Captured, so that the closure is isolated to the actor, too.
      _ = isolation
      await unsafe withUnsafeContinuation { unsafe begin(SuspendedCall($0)) }
    }, onCancel: onCancel, isolation: isolation)
}

/// Suspends the caller until all calls that now wait for its actor have run, in their order.
///
/// `Task.yield()` passes through the global pool, so the order would be left to chance.
func letOthersRun(isolation: isolated any Actor) async {
  await unsafe withUnsafeContinuation {
    let call = unsafe SuspendedCall($0)
    perform(on: isolation) { call.resume() }
  }
}
