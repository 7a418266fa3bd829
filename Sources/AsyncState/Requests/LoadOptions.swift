// SPDX-License-Identifier: MIT
/// How values are requested, and how long they are fresh: given once, as a constant of the app.
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
/// nowhere else.
public struct LoadOptions: Sendable {
  /// The age at which an answer is stale; nil: never by age. Less than zero is zero.
  public var staleAfter: Duration?
  /// Whether to try again after a failure, and when.
  public var retry: RetryPolicy
  /// How long what has failed is not requested again by `when: .stale` and `.olderThan`, as by each cell that is displayed;
  /// nil: not at all. A person's refresh or reload is made.
  public var pauseAfterFailure: Duration?
  /// The longest time that all attempts of a request may take together, with the pauses between them; nil: without limit.
  /// Then the request ends with ``LoadTimeoutError``, even if the operation ignores its cancellation. A stream answers with its
  /// first element: for those that follow see ``silence``. Where it is connected again this is the limit of each connection,
  /// without the pauses and the wait at the gate.
  public var timeout: Duration?
  /// The longest time between two elements of a stream, after which it counts as broken by a ``LoadTimeoutError``; nil: a stream
  /// may be silent. For connections that are known to send something, if only a heartbeat.
  public var silence: Duration?
  /// Measures ages, delays, back-offs, timeouts and polling intervals.
  public var clock: any Clock<Duration>
  /// The interceptors that are called around each attempt of an operation. The first one is the outermost.
  public var interceptors: [any LoadInterceptor]
  /// While it is closed, nothing begins; nil: nothing waits.
  public var gate: LoadGate?

  /// Options; each has a default.
  public init(
    staleAfter: Duration? = nil, retry: RetryPolicy = .never, pauseAfterFailure: Duration? = nil,
    timeout: Duration? = nil, silence: Duration? = nil, clock: any Clock<Duration> = ContinuousClock(),
    interceptors: [any LoadInterceptor] = [], gate: LoadGate? = nil
  ) {
    self.staleAfter = staleAfter
    self.retry = retry
    self.pauseAfterFailure = pauseAfterFailure
    self.timeout = timeout
    self.silence = silence
    self.clock = clock
    self.interceptors = interceptors
    self.gate = gate
  }
}

/// The options as data has them.
struct DataOptions {
  /// The age at which an answer is stale; nil: never by age.
  let staleAfter: Duration?
  let pauseAfterFailure: Duration?
  /// The longest time between two elements of a stream; nil: any.
  let silence: Duration?
  let timeline: Timeline
  /// How requests are made; nil: one attempt without limit.
  let policy: RequestPolicy?

  init(_ options: LoadOptions) {
    staleAfter = options.staleAfter
    pauseAfterFailure = options.pauseAfterFailure?.bounded
    silence = options.silence
    timeline = Timeline(options.clock)
    policy = RequestPolicy(options)
  }

  /// No options but a clock.
  init(_ timeline: Timeline) {
    self.timeline = timeline
    (staleAfter, pauseAfterFailure, silence, policy) = (nil, nil, nil, nil)
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
  /// One attempt without limit, and nothing is called around it.
  let isPlain: Bool
  /// The gate that each request passes by itself; nil: the operation does that, or there is none.
  let ownGate: LoadGate?

  /// Nil if a request is plain and waits for nothing: so most are.
  init?(_ options: LoadOptions) {
    isPlain = options.retry.delay == nil && options.timeout == nil && options.interceptors.isEmpty
    guard !isPlain || options.gate != nil else { return nil }
    retry = options.retry
    timeout = options.timeout
    interceptors = options.interceptors
    gate = options.gate
    ownGate = gate
  }

  /// For an operation that shares a request with others. That passes the gate, is tried again, and is intercepted; the timeout
  /// is that of each.
  init(sharing options: LoadOptions) {
    isPlain = options.timeout == nil
    retry = .never
    timeout = options.timeout
    interceptors = []
    gate = options.gate
    ownGate = nil
  }

  /// The pause before another attempt; nil: there is none. A cancel, and a key that is missing, are not tried again.
  func pause(after failures: Int, _ error: any Error) -> Duration? {
    if error is CancellationError || error is NoKeyError { return nil }
    return retry.delay?(failures, error)?.bounded
  }

  /// An operation with everything that is called around its attempts.
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
