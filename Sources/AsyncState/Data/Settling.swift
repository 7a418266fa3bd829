// SPDX-License-Identifier: MIT
// For tests that wait until nothing is left to happen.

extension AsyncData {
  /// Suspends until no load runs or waits, no page request and no commit is left, and every operation that was ever
  /// started has returned, those of superseded loads included. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    while !isSettledCompletely, !Task.isCancelled {
      await wait(as: requiredExtras.settledWaiters.reserve(), in: \.settledWaiters, isolation: isolation)
    }
  }

  /// Suspends until so many calls wait for the load that runs, or for the one behind it. Returns early when the calling
  /// task is cancelled.
  package func untilAwaited(by count: Int, isolation: isolated any Actor) async {
    while state.core.order.callCount < count, !Task.isCancelled {
      await wait(as: requiredExtras.joinWaiters.reserve(), in: \.joinWaiters, isolation: isolation)
    }
  }

  /// - Parameter ticket: Reserved where the condition was found not to hold, so that no change is missed.
  private func wait(
    as ticket: Int, in waiters: any ReferenceWritableKeyPath<Extras, LoadWaiters> & Sendable,
    isolation: isolated any Actor
  ) async {
    let extras = requiredExtras
    let bound = ActorBound(extras, to: isolation)
    await withTaskCancellationHandler(
      operation: {
        _ = isolation
        await unsafe withUnsafeContinuation { unsafe extras[keyPath: waiters].wait(SuspendedCall($0), as: ticket) }
      },
      onCancel: { bound.send { $0[keyPath: waiters].remove(ticket)??.resume() } },
      isolation: isolation)
  }

  var isSettledCompletely: Bool {
    state.core.order.isEmpty && state.core.operationCount == 0 && (state.extras?.commitCount ?? 0) == 0
      && state.extras?.keeper?.isBusy != true
  }

  func resumeIfSettled() {
    guard let extras = state.extras, isSettledCompletely else { return }
    extras.settledWaiters.takeAll().resume()
  }

  /// A call has joined a load, or begins one. Callers that wait for so many look again when this actor is free.
  func callDidJoin() {
    state.extras?.joinWaiters.takeAll().resume()
  }
}
