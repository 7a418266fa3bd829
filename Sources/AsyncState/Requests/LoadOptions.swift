// SPDX-License-Identifier: MIT
/// The options of requests, and the time for which values are fresh: given once, as a constant of the app.
///
/// ```swift
/// extension LoadOptions {
///   static let app = LoadOptions(staleAfter: .seconds(60), retry: .exponential())
/// }
/// ```
///
/// ```swift
/// let articles = AsyncResource(options: .app) { try await service.articles() }
/// ```
///
/// Data, resources, families, rows and mutations take them when they are created. A test replaces the clock there, and
/// nowhere else. Mutations and outboxes have no use for the age.
public struct LoadOptions: Sendable {
  /// The age at which an answer is stale; nil: never by age. Less than zero is zero.
  public var staleAfter: Duration?
  /// The retry policy: it decides after a failure whether to try again, and when.
  public var retry: RetryPolicy
  /// The longest time that all attempts of a request may take together, with the pauses between them; nil: no limit. It begins with
  /// the first call of the operation, and no wait at a gate counts. After it the request ends with ``LoadTimeoutError``, even if the
  /// operation ignores its cancellation. For a stream it is the limit of each attempt to connect, until the first element.
  public var timeout: Duration?
  /// The clock that measures ages, delays, back-offs, timeouts and polling intervals.
  public var clock: any Clock<Duration>
  /// The interceptors that are called around each attempt of an operation. The first one is the outermost.
  public var interceptors: [any LoadInterceptor]
  /// The gate: while it is closed, nothing begins; one with a width limits how many begin. Nil: nothing waits.
  public var gate: LoadGate?

  /// Options; each has a default.
  public init(
    staleAfter: Duration? = nil, retry: RetryPolicy = .never, timeout: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    interceptors: [any LoadInterceptor] = [], gate: LoadGate? = nil
  ) {
    self.staleAfter = staleAfter
    self.retry = retry
    self.timeout = timeout
    self.clock = clock
    self.interceptors = interceptors
    self.gate = gate
  }
}

extension LoadOptions {
  /// True if there is one attempt without limit, and no interceptor.
  fileprivate var arePlain: Bool { retry.delay == nil && timeout == nil && interceptors.isEmpty }

  /// True if a request is plain and has no gate, as most are.
  fileprivate var needsNoPolicy: Bool { arePlain && gate == nil }
}

/// The options in the form in which data keeps them. The entries of a family have one object.
final class DataOptions: Sendable {
  /// The age at which an answer is stale; nil: never by age.
  let staleAfter: Duration?
  let timeline: Timeline
  /// The policy of its requests; nil: one attempt without limit.
  let policy: RequestPolicy?

  convenience init(_ options: LoadOptions) {
    self.init(Timeline(options.clock), staleAfter: options.staleAfter, RequestPolicy(options))
  }

  /// Those of most data are one object, as nothing was chosen.
  static func of(_ options: LoadOptions) -> DataOptions {
    let isPlain = options.staleAfter == nil && options.needsNoPolicy && options.clock is ContinuousClock
    return isPlain ? none : DataOptions(options)
  }

  /// By default no options but a clock.
  init(_ timeline: Timeline, staleAfter: Duration? = nil, _ policy: RequestPolicy? = nil) {
    self.timeline = timeline
    self.staleAfter = staleAfter
    self.policy = policy
  }

  static let none = DataOptions(.continuous)
}

/// The part of the options that concerns requests, shared by all data that was created with them.
@usableFromInline
final class RequestPolicy: Sendable {
  let retry: RetryPolicy
  let timeout: Duration?
  private let interceptors: [any LoadInterceptor]
  let gate: LoadGate?
  /// True if there is one attempt without limit, and no interceptor.
  let isPlain: Bool

  /// One attempt without limit.
  static let plain = RequestPolicy(all: LoadOptions())

  /// Nil if none is needed.
  convenience init?(_ options: LoadOptions) {
    if options.needsNoPolicy { return nil }
    self.init(all: options)
  }

  private init(all options: LoadOptions) {
    isPlain = options.arePlain
    retry = options.retry
    timeout = options.timeout
    interceptors = options.interceptors
    gate = options.gate
  }

  /// The pause before another attempt; nil: there is none. A key that is missing is not tried again.
  func pause(after failures: Int, _ error: any Error) -> Duration? {
    if error is NoKeyError { return nil }
    return retry.delay?(RetryPolicy.FailedAttempt(count: failures, error: error))?.bounded
  }

  /// Wraps an operation with the interceptors.
  func intercepting<Answer>(_ operation: @escaping () async throws -> Answer) -> () async throws -> Answer {
    var operation = operation
    for interceptor in interceptors.reversed() { operation = Self.intercepting(operation, by: interceptor) }
    return operation
  }

  private static func intercepting<Answer>(
    _ operation: @escaping () async throws -> Answer, by interceptor: any LoadInterceptor
  ) -> () async throws -> Answer {
    { try await interceptor.intercept(LoadAttempt(operation), isolation: #isolation) }
  }
}
