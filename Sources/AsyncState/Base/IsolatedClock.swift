// SPDX-License-Identifier: MIT
/// A clock whose sleeps begin and end on the caller's actor.
///
/// An ordinary clock sleeps elsewhere: for a moment after it has woken a sleeper, it is unknown whether the sleeper has
/// resumed. With a clock like this one it has: what the library does when time is up has happened, on the same actor,
/// when the caller that moved the clock continues. The `ManualClock` of AsyncStateTesting is one; that is what makes
/// tests with it repeatable.
package protocol IsolatedClock<Duration>: Clock {
  /// Suspends until `deadline`, and resumes on the caller's actor without going elsewhere in between.
  ///
  /// - Throws: `CancellationError` if the task is or was cancelled.
  func sleepOnCaller(until deadline: Instant) async throws
}
