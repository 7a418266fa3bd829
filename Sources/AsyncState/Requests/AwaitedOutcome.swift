// SPDX-License-Identifier: MIT
/// An outcome that is not known yet, for the calls that await it.
class AwaitedOutcome<Output> {
  /// The outcome; nil until it is known.
  private(set) final var outcome: AsyncOutcome<Output>?
  /// The calls that await it, or another event of a subclass.
  private var waiters = WaitingCalls<Never>()

  /// Does nothing the second time.
  final func end(_ outcome: AsyncOutcome<Output>) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    resumeCalls()
  }

  /// Suspends until the outcome is known.
  final func untilEnded(isolation: isolated (any Actor)?) async -> AsyncOutcome<Output> {
    while true {
      if let outcome { return outcome }
      await untilNextEvent(reserve(), isolation: isolation)
    }
  }

  /// Lets all calls look again.
  final func resumeCalls() { waiters.takeAll().resume() }

  final func reserve() -> Int { waiters.reserve() }

  /// - Parameter ticket: Reserved by the caller when it checked the state: the call of this method is itself a suspension in a
  ///   task that prefers an executor.
  final func untilNextEvent(_ ticket: Int, isolation: isolated (any Actor)?) async {
    await unsafe withUnsafeContinuation { unsafe waiters.wait(SuspendedCall($0), as: ticket) }
  }
}
