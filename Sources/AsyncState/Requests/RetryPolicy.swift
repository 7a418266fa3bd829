// SPDX-License-Identifier: MIT
/// A policy that decides after a failure whether to try again, and when.
///
/// A policy that always returns a delay retries until the load is cancelled. A ``NoKeyError`` is never retried.
public struct RetryPolicy: Sendable {
  /// An attempt that has failed.
  public struct FailedAttempt: Sendable {
    /// The number of failures so far, this one included.
    public let count: Int
    /// The error of this attempt.
    public let error: any Error
  }

  /// Nil: never retries.
  let delay: (@Sendable (FailedAttempt) -> Duration?)?

  /// Creates a policy from a closure.
  ///
  /// ```swift
  /// let retry = RetryPolicy { failed in failed.error is Unavailable && failed.count < 5 ? .seconds(failed.count) : nil }
  /// ```
  ///
  /// - Parameter delay: Called on the actor of the data or command after each failure. It returns the time to wait before the
  ///   next attempt; less than zero is zero, and nil ends the load with the error.
  public init(delay: @escaping @Sendable (_ failed: FailedAttempt) -> Duration?) {
    self.delay = delay
  }

  init() {
    delay = nil
  }

  /// Never retries: the default.
  public static var never: RetryPolicy { RetryPolicy() }

  /// Waits longer after each failure: `first` × `factor`ⁿ, at most `ceiling`, and by default a random time between half of
  /// that and all of it.
  ///
  /// - Parameters:
  ///   - first: The delay after the first failure. Less than zero is zero.
  ///   - factor: Each delay is the previous one times this. Less than zero is zero; after NaN or infinity the next delay
  ///     is the ceiling.
  ///   - ceiling: The longest delay before jitter. Less than zero is zero.
  ///   - retries: The number of attempts after the first one. Less than zero is zero.
  ///   - jitter: Applied last, so that many clients do not retry at the same moment. Random by default; a test that needs
  ///     exact times says `jitter: { $0 }`.
  public static func exponential(
    first: Duration = .milliseconds(200), factor: Double = 2, ceiling: Duration = .seconds(30), retries: Int = 3,
    jitter: @escaping @Sendable (Duration) -> Duration = { $0 * Double.random(in: 0.5...1) }
  ) -> RetryPolicy {
    RetryPolicy { failed in
      guard failed.count <= retries else { return nil }
      let ceiling = ceiling.bounded
      let factor = factor < 0 ? 0 : factor
      var delay = min(first.bounded, ceiling)
      // Step by step instead of by a power: it stops at the ceiling, so no number of failures overflows a duration.
      // Compared as a fraction of the ceiling first: the product may overflow, too, or be NaN.
      for _ in 1..<max(failed.count, 1) where delay < ceiling {
        delay = delay / ceiling * factor < 1 ? delay * factor : ceiling
      }
      return jitter(delay)
    }
  }

  /// Waits for the time that an error demands, such as an answer with a `Retry-After`, and then for the delay of this policy.
  ///
  /// ```swift
  /// let retry = RetryPolicy.exponential().honouring { error in (error as? TooManyRequests)?.retryAfter }
  /// ```
  ///
  /// Both, because a server names one time to all its clients: the jitter of the delay keeps them from returning at the same
  /// moment. This policy alone decides whether there is another attempt. The timeout of the options passes during this: what takes
  /// longer ends with ``LoadTimeoutError``.
  ///
  /// - Parameter demand: Called on the actor of the data or command after a failure that will be retried, with its error; nil:
  ///   no demand.
  public func honouring(_ demand: @escaping @Sendable (any Error) -> Duration?) -> RetryPolicy {
    guard let own = self.delay else { return self }
    return RetryPolicy { failed in
      own(failed).map { (demand(failed.error) ?? .zero).bounded + $0.bounded }
    }
  }
}

extension RetryPolicy: ExpressibleByIntegerLiteral {
  /// So many attempts after the first one, with the pauses of ``exponential(first:factor:ceiling:retries:jitter:)``:
  /// `LoadOptions(retry: 3)`.
  public init(integerLiteral retries: Int) {
    self = .exponential(retries: retries)
  }
}
