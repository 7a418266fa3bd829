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
