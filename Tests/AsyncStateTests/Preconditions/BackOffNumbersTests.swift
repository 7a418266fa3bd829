// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct BackOffNumbersTests {
    /// The delays after the first six failures, in seconds.
    private func delays(
      first: Duration = .seconds(1), factor: Double = 2, ceiling: Duration = .seconds(30), retries: Int = 5
    ) -> [Double?] {
      let policy = RetryPolicy.exponential(
        first: first, factor: factor, ceiling: ceiling, retries: retries, jitter: { $0 })
      return (1...6).map { failures in policy.pause(failures, Failure()).map { $0 / .seconds(1) } }
    }

    @Test("3.9 a factor that is infinite or no number leads to the ceiling", arguments: [Double.nan, .infinity, 1e300])
    func endlessFactor(factor: Double) {
      expectEqual(delays(factor: factor), [1, 30, 30, 30, 30, nil])
      expectEqual(delays(factor: factor, ceiling: .seconds(Int64.max))[1], Double(Int64.max))
    }

    @Test("3.9 a factor of zero or less leads to zero", arguments: [0.0, -0.5, -2, -1e300, -Double.infinity])
    func smallFactor(factor: Double) {
      expectEqual(delays(factor: factor), [1, 0, 0, 0, 0, nil])
    }

    @Test("3.9 a first delay of less than zero is zero, and stays zero", arguments: [Duration.zero, .seconds(-1)])
    func negativeFirst(first: Duration) {
      expectEqual(delays(first: first), [0, 0, 0, 0, 0, nil])
      expectEqual(RetryPolicy.exponential(first: first, retries: .max).pause(10_000, Failure()), .zero)
    }

    @Test("3.9 a ceiling of less than zero is zero", arguments: [Duration.zero, .seconds(-1)])
    func negativeCeiling(ceiling: Duration) {
      expectEqual(delays(ceiling: ceiling), [0, 0, 0, 0, 0, nil])
    }

    @Test("3.9 fewer retries than none are none", arguments: [0, -1, Int.min])
    func negativeRetries(retries: Int) {
      expectEqual(delays(retries: retries), [nil, nil, nil, nil, nil, nil])
    }

    @Test("3.9 delays longer than can be waited for end at the ceiling")
    func hugeDelays() {
      let first = Duration.seconds(Int64.max) * 18
      expectEqual(delays(first: first), [30, 30, 30, 30, 30, nil])
      #expect(delays(first: first, ceiling: first).prefix(5).allSatisfy { $0 == Double(Int64.max) })
    }
  }
}
