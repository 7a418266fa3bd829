// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Something real, made slow and unreliable.
///
/// Each request waits for its lag, may fail, and then reads the real source. Lag and fault of a request follow from
/// the seed, the request's name and how often it was made: not from what else is running.
@MainActor
final class LaggyBackend {
  /// How slow, and how unreliable.
  struct Conduct: Equatable {
    /// How many requests fail where faults are switched on.
    static let usualFaultRate = 0.3

    /// The shortest and the longest lag of a request.
    var lag: ClosedRange<Duration>
    /// How many requests meet a fault, in 0...1.
    var faultRate = 0.0
    /// Whether a request that is cancelled ends at once. Otherwise it continues, and its answer is not used.
    var heedsCancellation = true
  }

  private let conduct: Observed<Conduct>
  private let clock: any Clock<Duration>
  private let seed: UInt64
  private var requestCounts: [String: Int] = [:]

  /// A backend that behaves as `conduct` says by then.
  init(_ conduct: Observed<Conduct>, seed: UInt64, clock: any Clock<Duration>) {
    self.conduct = conduct
    self.seed = seed
    self.clock = clock
  }

  /// Gets an answer from `source`, late or not at all.
  ///
  /// - Throws: ``ConnectionLost``, what `source` throws, or `CancellationError`.
  func answer<Answer: Sendable>(
    _ request: String, from source: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let conduct = conduct.current
    let fate = nextFate(of: request, under: conduct)
    let work = { @Sendable [clock] in
      try await clock.sleep(for: fate.lag)
      if fate.isFault { throw ConnectionLost() }
      return try await source()
    }
    if conduct.heedsCancellation { return try await work() }
    // A task of its own is not cancelled with this one.
    return try await Task(operation: work).value
  }

  private func nextFate(of request: String, under conduct: Conduct) -> (lag: Duration, isFault: Bool) {
    requestCounts[request, default: 0] += 1
    var random = SplitMix64(seed: seed, stream: "\(request) \(requestCounts[request, default: 0])")
    let lag = Duration.milliseconds(Int.random(in: conduct.lag.wholeMilliseconds, using: &random))
    return (lag, .random(in: 0..<1, using: &random) < conduct.faultRate)
  }
}

/// The fault that a ``LaggyBackend`` meets.
struct ConnectionLost: Error, CustomStringConvertible {
  var description: String { "The connection was lost" }
}

extension LaggyBackend.Conduct {
  /// Lags from half of `meanLag` to one and a half of it.
  init(meanLag: Duration) {
    self.init(lag: .zero ... .zero)
    self.meanLag = meanLag
  }

  /// The lag that requests have on average. Less than zero is zero.
  var meanLag: Duration {
    get { (lag.lowerBound + lag.upperBound) / 2 }
    set {
      let mean = max(newValue, .zero)
      lag = (mean / 2)...(mean * 3 / 2)
    }
  }
}

extension ClosedRange<Duration> {
  fileprivate var wholeMilliseconds: ClosedRange<Int> {
    let millisecond = Duration.milliseconds(1)
    return Int(lowerBound / millisecond)...Int(upperBound / millisecond)
  }
}
#endif
