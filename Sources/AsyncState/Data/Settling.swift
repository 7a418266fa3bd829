// SPDX-License-Identifier: MIT
// For tests that wait until nothing is left to happen.

extension AsyncData {
  /// Suspends until no load runs or waits, no page request and no commit is left, and every operation that was ever
  /// started has returned, those of superseded loads included. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    while !isSettledCompletely, !Task.isCancelled {
      let extras = requiredExtras
      let ticket = extras.settledWaiters.reserve()
      let waiters = ActorBound(extras, to: isolation)
      await withTaskCancellationHandler(
        operation: {
          _ = isolation
          await unsafe withUnsafeContinuation { unsafe extras.settledWaiters.wait(SuspendedCall($0), as: ticket) }
        },
        onCancel: { waiters.send { $0.settledWaiters.remove(ticket)??.resume() } },
        isolation: isolation)
    }
  }

  var isSettledCompletely: Bool {
    state.core.order.isEmpty && state.core.operationCount == 0 && (state.extras?.commitCount ?? 0) == 0
      && state.extras?.keeper?.isBusy != true
  }

  func resumeIfSettled() {
    guard let extras = state.extras, isSettledCompletely else { return }
    extras.settledWaiters.takeAll().resume()
  }
}
