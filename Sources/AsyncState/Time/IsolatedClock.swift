/// A clock whose sleeps begin and end on the actor of whoever sleeps.
///
/// An ordinary clock sleeps elsewhere: for a moment after it has woken a sleeper, nobody can say whether the sleeper
/// has gone on. With a clock like this one it has: what the library does when time is up has happened, on the same
/// actor, when whoever moved the clock goes on. The `ManualClock` of AsyncStateTesting is one; that is what makes tests
/// with it repeatable.
public protocol IsolatedClock<Duration>: Clock {
  /// Suspends until `deadline`, and resumes on the caller's actor without going elsewhere in between.
  ///
  /// - Throws: `CancellationError` if the task is or was cancelled.
  func sleepOnCaller(until deadline: Instant) async throws
}
