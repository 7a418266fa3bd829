/// Whether to try again after a failure, and when.
///
/// A policy that always gives a delay goes on until the load is cancelled. A `CancellationError` is never retried.
public struct RetryPolicy: Sendable {
  /// Nil where nothing is ever retried.
  @usableFromInline let delay: (@Sendable (_ failures: Int, _ error: any Error) -> Duration?)?

  /// A policy of one's own.
  ///
  /// - Parameter delay: Asked after each failure, with the number of failures so far, the first being 1, and the last
  ///   error. It gives the time to wait before the next attempt, less than zero being zero, or nil to give up.
  public init(delay: @escaping @Sendable (_ failures: Int, _ error: any Error) -> Duration?) {
    self.delay = delay
  }

  @inlinable
  init() {
    delay = nil
  }

  /// The default: the first failure is the end.
  @inlinable
  public static var never: RetryPolicy { RetryPolicy() }

  /// Waits longer after each failure: `first` × `factor`ⁿ, at most `ceiling`.
  ///
  /// - Parameters:
  ///   - first: The delay after the first failure. Less than zero is zero.
  ///   - factor: What each delay is multiplied by to give the next. Less than zero is zero; with what is not a number,
  ///     as with infinity, the next is the ceiling.
  ///   - ceiling: No delay is longer, before jitter. Less than zero is zero.
  ///   - retries: How many attempts are made after the first one. Less than zero is zero.
  ///   - jitter: Applied last, so that many clients do not come back at the same moment.
  public static func exponential(
    first: Duration = .milliseconds(200), factor: Double = 2, ceiling: Duration = .seconds(30), retries: Int = 3,
    jitter: @escaping @Sendable (Duration) -> Duration = { $0 }
  ) -> RetryPolicy {
    RetryPolicy { failures, _ in
      guard failures <= retries else { return nil }
      let ceiling = ceiling.bounded
      let factor = factor < 0 ? 0 : factor
      var delay = min(first.bounded, ceiling)
      // Step by step and not by a power: at the ceiling it stops, so that no number of failures overflows a duration.
      // And measured in ceilings first: the product, too, may be more than a duration can be, or not a number.
      for _ in 1..<max(failures, 1) where delay < ceiling {
        delay = delay / ceiling * factor < 1 ? delay * factor : ceiling
      }
      return jitter(delay)
    }
  }
}
