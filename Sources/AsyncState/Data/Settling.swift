// SPDX-License-Identifier: MIT
// For tests, and for whatever else waits until nothing is left to happen.

/// The calls that wait until something holds. Whatever may have made it hold resumes them, and each looks again.
///
/// It belongs to the actor of what is waited for.
final class ConditionWaiters {
  private var calls = WaitingCalls()

  /// Suspends until the condition holds, or the calling task is cancelled.
  func wait(until condition: () -> Bool, isolation: isolated any Actor) async {
    while !condition(), !Task.isCancelled {
      // Where the condition was found not to hold, so that no change is missed.
      let ticket = calls.reserve()
      let waiters = ActorBound(self, to: isolation)
      await untilResumed(isolation: isolation) {
        calls.wait($0, as: ticket)
      } onCancel: {
        waiters.send { $0.calls.remove(ticket)??.resume() }
      }
    }
  }

  /// The calls look again when their actor is free.
  func resume() {
    calls.takeAll().resume()
  }
}

extension AsyncData {
  /// Suspends until no load runs or waits, no page request and no commit is left, and every operation that was ever
  /// started has returned, those of superseded loads included. Returns early when the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor = #isolation) async {
    await waiters.wait(until: { isSettledCompletely }, isolation: isolation)
  }

  /// Suspends until so many calls wait for the load that runs, or for the one behind it. Returns early when the calling
  /// task is cancelled.
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
    state.core.order.isEmpty && state.core.operationCount == 0 && (state.extras?.commitCount ?? 0) == 0
      && state.extras?.keeper?.isBusy != true
  }

  func resumeIfSettled() {
    if let waiters = state.extras?.waiters, isSettledCompletely { waiters.resume() }
  }

  /// A call has joined a load, or begins one.
  func callDidJoin() {
    state.extras?.waiters?.resume()
  }
}
