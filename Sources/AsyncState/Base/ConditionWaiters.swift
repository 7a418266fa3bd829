// SPDX-License-Identifier: MIT
/// The calls that wait until a condition holds. A change that may have made it hold resumes them, and each checks again.
///
/// It belongs to the actor of the condition.
final class ConditionWaiters {
  private var calls = WaitingCalls<Never>()

  /// Suspends until the condition holds, or the calling task is cancelled.
  func wait(until condition: () -> Bool, isolation: isolated (any Actor)?) async {
    while !condition(), !Task.isCancelled, let home = isolation {
      // Reserved where the condition was found not to hold, so that no change is missed.
      let ticket = calls.reserve()
      let waiters = ActorBound(self, to: home)
      await untilResumed(isolation: isolation) {
        calls.wait($0, as: ticket)
      } onCancel: {
        waiters.send { $0.calls.remove(ticket)??.resume() }
      }
    }
  }

  /// Each call checks its condition again when its actor is free.
  func resume() {
    calls.takeAll().resume()
  }
}
