// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RetryTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    /// A request that fails so many times, then answers with 7.
    @MainActor final class Failing {
      let times: Int
      private(set) var calls = 0
      init(_ times: Int) { self.times = times }

      func answer() throws -> Int? {
        calls += 1
        if calls <= times { throw Failure(name: "failure \(calls)") }
        return 7
      }
    }

    @Test("3.9 during back-off the load runs, the error is untouched, and the activity has the failure")
    func backOff() async {
      data.error = Failure(name: "old")
      let failing = Failing(2)
      let load = data.start(
        options: LoadOptions(retry: .exponential(jitter: { $0 })), operation: stage.operation { try failing.answer() })
      _ = stage.recorder.takeFlags()
      await stage.clock.sleepers(atLeast: 1)
      #expect(data.isRunning)
      expectEqual(data.error as? Failure, Failure(name: "old"))
      expectEqual(data.snapshot.activity?.failures, 1)
      expectEqual(data.snapshot.activity?.lastFailure as? Failure, Failure(name: "failure 1"))
      expectEqual(stage.recorder.takeFlags(), "f")
      await stage.clock.advance(by: .milliseconds(200))
      await stage.clock.sleepers(atLeast: 1)
      expectEqual(failing.calls, 2)
      expectEqual(data.snapshot.activity?.failures, 2)
      await stage.clock.advance(by: .milliseconds(399))
      expectEqual(failing.calls, 2)
      await stage.clock.advance(by: .milliseconds(1))
      await expectEqual(load.outcome().word, "value 7")
      expectEqual(failing.calls, 3)
      await stage.nothingIsLeft()
    }

    @Test("3.9 the policy is called with the failures so far and the last error")
    func asked() async {
      let asked = Tally()
      let failing = Failing(2)
      await data.load(
        options: LoadOptions(
          retry: RetryPolicy { failed in
            asked.note("\(failed.count) \(failed.error)")
            return .zero
          }), operation: stage.operation { try failing.answer() })
      expectEqual(asked.entries, ["1 failure 1", "2 failure 2"])
      await stage.nothingIsLeft()
    }

    enum End: CaseIterable { case cancel, supersede, write, reset, release }

    @Test("3.9 whatever ends the load ends the back-off at once, and leaves no sleeper", arguments: End.allCases)
    func endsDuringBackOff(end: End) async {
      let failing = Failing(9)
      // A policy that never stops continues until the load is ended.
      let load = data.start(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }),
        operation: stage.operation { try failing.answer() })
      for attempt in 1...3 {
        await stage.clock.sleepers(atLeast: 1)
        expectEqual(failing.calls, attempt)
        if attempt < 3 { await stage.clock.advance(by: .seconds(1)) }
      }
      switch end {
      case .cancel: data.cancel()
      case .supersede: data.start(.reload, operation: stage.operation { 1 })
      case .write: data.value = 1
      case .reset: data.reset()
      case .release: stage.release()
      }
      expectEqual(stage.clock.sleeperCount, 0)
      let expected = [.supersede, .write].contains(end) ? "superseded" : "cancelled"
      await expectEqual(load.outcome().word, expected)
      await stage.nothingIsLeft()
      expectEqual(failing.calls, 3)
    }

    @Test("3.9 exponential: first × factorⁿ, at most the ceiling, jitter last")
    func exponential() {
      let policy = RetryPolicy.exponential(
        first: .seconds(1), factor: 3, ceiling: .seconds(20), retries: 5, jitter: { $0 })
      let delays = (1...6).map { policy.pause($0, Failure()) }
      expectEqual(delays, [.seconds(1), .seconds(3), .seconds(9), .seconds(20), .seconds(20), nil])
      let jittered = RetryPolicy.exponential(first: .seconds(1), ceiling: .seconds(1), jitter: { $0 * 2 })
      expectEqual(jittered.pause(1, Failure()), .seconds(2))
      expectEqual(jittered.pause(3, Failure()), .seconds(2))
      expectNil(jittered.pause(4, Failure()))
    }

    @Test("3.9 exponential: by default a delay is a random one between the half and the whole")
    func jitter() {
      let policy = RetryPolicy.exponential(first: .seconds(2), retries: .max)
      for failures in 1...3 {
        let whole = Duration.seconds(1 << failures)
        let delays = (0..<200).map { _ in policy.pause(failures, Failure())! }
        #expect(delays.allSatisfy { whole / 2 <= $0 && $0 <= whole })
        #expect(Set(delays).count > 100 && delays.max()! - delays.min()! > whole / 4)
      }
    }

    @Test("3.9 honouring: the time that the error says, then the policy's delay, and no further attempt for it")
    func honouring() {
      let plain = RetryPolicy.exponential(first: .seconds(2), retries: 2, jitter: { $0 })
      let policy = plain.honouring { error in (error as? Busy)?.delay }
      expectEqual(policy.pause(1, Busy(delay: .seconds(3))), .seconds(5))
      expectEqual(policy.pause(2, Busy(delay: .seconds(3))), .seconds(7))
      expectEqual(policy.pause(2, Failure()), .seconds(4))
      expectEqual(policy.pause(2, Busy(delay: .seconds(-3))), .seconds(4))
      expectNil(policy.pause(3, Busy(delay: .seconds(3))))
      expectNil(RetryPolicy.never.honouring { _ in .zero }.delay)
    }

    @Test("3.9 honouring: the clients of a server that says one time to all do not return at the same moment")
    func honouringSpreads() {
      let policy = RetryPolicy.exponential(first: .seconds(2)).honouring { _ in .seconds(60) }
      let pauses = (0..<200).map { _ in policy.pause(1, Failure())! }
      #expect(pauses.allSatisfy { .seconds(61) <= $0 && $0 <= .seconds(62) } && Set(pauses).count > 100)
      let forever = RetryPolicy { _ in .seconds(Int64.max) }.honouring { _ in .seconds(Int64.max) }
      #expect(forever.pause(1, Failure())! > .seconds(Int64.max))
    }

    @Test("3.9, 3.10 honouring: the timeout passes while a demand is waited for, and a cancel ends the wait")
    func honouringInTime() async {
      let retry = RetryPolicy.exponential(first: .seconds(2), jitter: { $0 }).honouring { _ in .seconds(60) }
      for isCancelled in [false, true] {
        let failing = Failing(1)
        let load = data.start(
          options: LoadOptions(retry: retry, timeout: .seconds(20)), operation: stage.operation { try failing.answer() }
        )
        await stage.clock.sleepers(atLeast: 2)
        if isCancelled { load.cancel() } else { await stage.clock.advance(by: .seconds(20)) }
        let outcome = await load.outcome()
        expectEqual(failing.calls, 1)
        switch outcome {
        case .failure(let error): #expect(error is LoadTimeoutError && !isCancelled)
        case .cancelled: #expect(isCancelled)
        case .success, .superseded, .notRequested: #expect(Bool(false))
        }
      }
      await stage.nothingIsLeft()
    }

    private struct Busy: Error { let delay: Duration }

    @Test("3.9 exponential: however many failures, no delay overflows")
    func exponentialForever() {
      let policy = RetryPolicy.exponential(first: .seconds(1), factor: 10, retries: .max, jitter: { $0 })
      expectEqual(policy.pause(1_000_000, Failure()), .seconds(30))
      expectEqual(RetryPolicy.exponential(first: .seconds(60), jitter: { $0 }).pause(1, Failure()), .seconds(30))
      expectNil(RetryPolicy.exponential(retries: 0).pause(1, Failure()))
      expectEqual(
        RetryPolicy.exponential(first: .seconds(1), factor: 0.5, jitter: { $0 }).pause(3, Failure()), .milliseconds(250)
      )
    }
  }
}

extension RetryPolicy {
  /// The pause after so many failures, in tests that need no load.
  func pause(_ failures: Int, _ error: any Error) -> Duration? {
    delay!(FailedAttempt(count: failures, error: error))
  }
}
