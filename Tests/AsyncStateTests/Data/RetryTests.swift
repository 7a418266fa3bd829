// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RetryTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    @Test("3.9 during back-off the load runs, the error is untouched, and the activity has the failure")
    func backOff() async {
      data.error = Failure(name: "old")
      var calls = 0
      let load = data.start(
        options: LoadOptions(retry: .exponential(jitter: { $0 })),
        operation: stage.operation {
          calls += 1
          if calls <= 2 { throw Failure(name: "failure \(calls)") }
          return 7
        })
      _ = stage.recorder.takeFlags()
      await stage.clock.sleepers(atLeast: 1)
      expect(data.isRunning)
      expectEqual(data.error as? Failure, Failure(name: "old"))
      expectEqual(data.snapshot.activity?.failures, 1)
      expectEqual(data.snapshot.activity?.lastFailure as? Failure, Failure(name: "failure 1"))
      expectEqual(stage.recorder.takeFlags(), "f")
      await stage.clock.advance(by: .milliseconds(200))
      await stage.clock.sleepers(atLeast: 1)
      expectEqual(calls, 2)
      expectEqual(data.snapshot.activity?.failures, 2)
      await stage.clock.advance(by: .milliseconds(399))
      expectEqual(calls, 2)
      await stage.clock.advance(by: .milliseconds(1))
      await expectEqual(load.outcome().word, "value 7")
      expectEqual(calls, 3)
      await stage.nothingIsLeft()
    }

    @Test("3.9 exponential: first × factorⁿ, at most the ceiling, jitter last; honouring: what the error says on top")
    func pauses() {
      let plain = RetryPolicy.exponential(first: .seconds(2), retries: 2, jitter: { $0 })
      let honouring = plain.honouring { error in (error as? Busy)?.delay }
      let busy = Busy(delay: .seconds(3))
      let rows: [(policy: RetryPolicy, failures: [Int], error: any Error, pauses: [Duration?])] = [
        (
          .exponential(first: .seconds(1), factor: 3, ceiling: .seconds(20), retries: 5, jitter: { $0 }),
          Array(1...6), Failure(), [.seconds(1), .seconds(3), .seconds(9), .seconds(20), .seconds(20), nil]
        ),
        (
          .exponential(first: .seconds(1), ceiling: .seconds(1), jitter: { $0 * 2 }),
          [1, 3, 4], Failure(), [.seconds(2), .seconds(2), nil]
        ),
        (
          .exponential(first: .seconds(1), factor: 10, retries: .max, jitter: { $0 }),
          [1_000_000], Failure(), [.seconds(30)]
        ),
        (.exponential(first: .seconds(60), jitter: { $0 }), [1], Failure(), [.seconds(30)]),
        (.exponential(retries: 0), [1], Failure(), [nil]),
        (.exponential(first: .seconds(1), factor: 0.5, jitter: { $0 }), [3], Failure(), [.milliseconds(250)]),
        (honouring, [1, 2, 3], busy, [.seconds(5), .seconds(7), nil]),
        (honouring, [2], Failure(), [.seconds(4)]),
        (honouring, [2], Busy(delay: .seconds(-3)), [.seconds(4)]),
      ]
      for (number, row) in rows.enumerated() {
        expectEqual(row.failures.map { row.policy.pause($0, row.error) }, row.pauses, "row \(number)")
      }
      expectNil(RetryPolicy.never.honouring { _ in .zero }.delay)
    }

    @Test(
      "3.9 exponential: by default a delay is a random one between the half and the whole, on top of what a server says to all clients"
    )
    func jitter() {
      let policy = RetryPolicy.exponential(first: .seconds(2), retries: .max)
      for failures in 1...3 {
        let whole = Duration.seconds(1 << failures)
        let delays = (0..<200).map { _ in policy.pause(failures, Failure())! }
        expect(delays.allSatisfy { whole / 2 <= $0 && $0 <= whole })
        expect(Set(delays).count > 100)
        expect(delays.max()! - delays.min()! > whole / 4)
      }
      let honouring = RetryPolicy.exponential(first: .seconds(2)).honouring { _ in .seconds(60) }
      let pauses = (0..<200).map { _ in honouring.pause(1, Failure())! }
      expect(pauses.allSatisfy { .seconds(61) <= $0 && $0 <= .seconds(62) })
      expect(Set(pauses).count > 100)
      let forever = RetryPolicy { _ in .seconds(Int64.max) }.honouring { _ in .seconds(Int64.max) }
      expect(forever.pause(1, Failure())! > .seconds(Int64.max))
    }

    private struct Busy: Error { let delay: Duration }

    /// The delays after the first six failures, in seconds.
    private func delays(
      first: Duration = .seconds(1), factor: Double = 2, ceiling: Duration = .seconds(30), retries: Int = 5
    ) -> [Double?] {
      let policy = RetryPolicy.exponential(
        first: first, factor: factor, ceiling: ceiling, retries: retries, jitter: { $0 })
      return (1...6).map { failures in policy.pause(failures, Failure()).map { $0 / .seconds(1) } }
    }

    @Test("3.9 a number that makes no sense leads to the ceiling, to zero, or to no retry")
    func numbers() {
      for factor in [Double.nan, .infinity, 1e300] {
        expectEqual(delays(factor: factor), [1, 30, 30, 30, 30, nil], "\(factor)")
        expectEqual(delays(factor: factor, ceiling: .seconds(Int64.max))[1], Double(Int64.max), "\(factor)")
      }
      for factor in [0.0, -0.5, -2, -1e300, -Double.infinity] {
        expectEqual(delays(factor: factor), [1, 0, 0, 0, 0, nil], "\(factor)")
      }
      for duration in [Duration.zero, .seconds(-1)] {
        expectEqual(delays(first: duration), [0, 0, 0, 0, 0, nil])
        expectEqual(RetryPolicy.exponential(first: duration, retries: .max).pause(10_000, Failure()), .zero)
        expectEqual(delays(ceiling: duration), [0, 0, 0, 0, 0, nil])
      }
      for retries in [0, -1, Int.min] { expectEqual(delays(retries: retries), [nil, nil, nil, nil, nil, nil]) }
      let huge = Duration.seconds(Int64.max) * 18
      expectEqual(delays(first: huge), [30, 30, 30, 30, 30, nil])
      expectEqual(delays(first: huge, ceiling: huge), Array(repeating: Double(Int64.max), count: 5) + [nil])
    }
  }
}

extension RetryPolicy {
  /// The pause after so many failures, in tests that need no load.
  func pause(_ failures: Int, _ error: any Error) -> Duration? {
    delay!(FailedAttempt(count: failures, error: error))
  }
}
