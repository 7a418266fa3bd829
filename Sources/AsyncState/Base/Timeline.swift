// SPDX-License-Identifier: MIT
/// A clock without its type: times are durations since the line was begun.
package struct Timeline: Sendable {
  /// The present length of the line; nil for the clock of the standard library, which is read without a closure.
  private let elapsed: (@Sendable () -> Duration)?
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  /// A line by the clock of the standard library, for everything that was given no clock.
  static let continuous = Timeline()

  /// The beginning of `continuous`.
  private static let origin = ContinuousClock.now

  private init() {
    elapsed = nil
    sleepUntil = { try await Task.sleep(until: Self.origin + $0, tolerance: nil, clock: .continuous) }
  }

  /// Begins a line now.
  package init(_ clock: any Clock<Duration>) {
    if clock is ContinuousClock {
      self = .continuous
    } else if let clock = clock as? any IsolatedClock<Duration> {
      self.init(isolated: clock)
    } else {
      self.init(ordinary: clock)
    }
  }

  private init<C: Clock<Duration>>(ordinary clock: C) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleepUntil = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }

  private init<C: IsolatedClock<Duration>>(isolated clock: C) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleepUntil = { try await clock.sleepOnCaller(until: origin.advanced(by: $0)) }
  }

  package var now: Duration { elapsed?() ?? Self.origin.duration(to: .now) }

  /// The longest sleep that is requested of a clock: a hundred years. Those of the standard library stop the process
  /// when they are to sleep for 2⁶³ seconds, which is how one may write "for ever".
  private static let longestSleep = Duration.seconds(100 * 365 * 86_400 as Int64)

  /// Suspends until `time`; not at all if that is past, and not longer than until the task is cancelled.
  ///
  // With an isolation, as each function that is called directly, may throw, and is followed by a look at what belongs to
  // the caller's actor: without one, the compiler may leave the caller elsewhere after an error (Swift 6.3.1, optimised;
  // https://github.com/swiftlang/swift/pull/88687). `Tests/Compiler/run` finds such calls.
  /// - Throws: `CancellationError` if the task is or was cancelled.
  package func sleep(until time: Duration, isolation: isolated (any Actor)? = #isolation) async throws {
    try Task.checkCancellation()
    while time - now > Self.longestSleep { try await sleepUntil(now + Self.longestSleep) }
    if now < time { try await sleepUntil(time) }
  }
}
