/// How requests are made: given once, as a constant of the app.
///
/// ```swift
/// extension LoadOptions {
///   static let app = LoadOptions(retry: .exponential(), timeout: .seconds(20))
/// }
/// ```
public struct LoadOptions: Sendable {
  /// Whether to try again after a failure, and when.
  public var retry: RetryPolicy
  /// The longest time that all attempts of a request may take together; nil: without limit.
  public var timeout: Duration?
  /// Measures back-offs and timeouts.
  public var clock: any Clock<Duration>

  /// Options; each has a default.
  public init(
    retry: RetryPolicy = .never, timeout: Duration? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.retry = retry
    self.timeout = timeout
    self.clock = clock
  }
}
