// SPDX-License-Identifier: MIT
// For tests, and for other code that waits until the data cannot change by itself any more.

extension AsyncData {
  /// Suspends until no load runs or waits, no page request and no commit is left, and every operation that was ever started has
  /// returned, also those of superseded loads. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    if let combination { return await combination.untilSettled(isolation: isolation) }
    await waiters.wait(until: { isSettledCompletely }, isolation: isolation)
  }

  /// Suspends until so many calls wait for the running load, or for the one behind it. Returns early when the calling task is
  /// cancelled.
  package func untilAwaited(by count: Int, isolation: isolated any Actor) async {
    await waiters.wait(until: { state.core.order.callCount >= count }, isolation: isolation)
  }

  private var waiters: ConditionWaiters {
    let extras = requiredExtras
    let waiters = extras.waiters ?? ConditionWaiters()
    extras.waiters = waiters
    return waiters
  }

  var isSettledCompletely: Bool {
    state.core.order.isEmpty && state.core.operationCount == 0 && !features.isBusy
  }

  func resumeIfSettled() {
    if let waiters = state.extras?.waiters, isSettledCompletely { waiters.resume() }
  }

  /// Notes that a call has joined a load, or begins one.
  func callDidJoin() {
    state.extras?.waiters?.resume()
  }
}
