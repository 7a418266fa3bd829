// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@Suite("19 live values: connections that do not last, and silence", .timeLimit(.minutes(5)))
@MainActor
struct LiveBreaksTests {
  private let stage = LiveStage()
  private let broken = Failure(name: "broken")

  private func resource(_ options: LoadOptions) -> AsyncResource<Int> {
    let stage = stage
    return AsyncResource(options: options, live: { stage.connect() })
  }

  private func options(_ retry: RetryPolicy, silence: Duration? = nil) -> LoadOptions {
    LoadOptions(retry: retry, silence: silence, clock: stage.clock)
  }

  private func isTimeout(_ error: (any Error)?) -> Bool { error is LoadTimeoutError }

  // MARK: 19.8

  @Test(
    "19.8 a stream that answers and breaks at once is connected as often as the policy allows, until a person requests")
  func breaksAtOnce() async throws {
    var connections = 0
    let resource = AsyncResource<Int>(
      options: options(.exponential(first: .seconds(1), retries: 5, jitter: { $0 })),
      live: { [broken] in
        connections += 1
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        continuation.yield(connections)
        continuation.finish(throwing: broken)
        return stream
      })
    resource.start()
    for (failures, backOff) in [1, 2, 4, 8, 16].enumerated() {
      await stage.clock.sleepers(atLeast: 1)
      try #require(resource.snapshot.activity?.failures == failures + 1)
      await stage.clock.advance(by: .seconds(backOff))
    }
    await reaches(resource) { $0.error != nil }
    await resource.settled()
    await stage.clock.advance(by: .seconds(120))
    #expect(connections == 6 && stage.clock.sleeperCount == 0)
    #expect(resource.value == 6 && resource.isStale && resource.snapshot.failedMode == .refresh)

    resource.refresh()
    await stage.clock.sleepers(atLeast: 1)
    #expect(connections == 7 && resource.snapshot.activity?.failures == 1)
    resource.cancel()
    await resource.settled()
  }

  @Test(
    "19.8 the count begins anew after a connection that was open for as long as the back-off before it, and for a second",
    arguments: [(5, 4, 2), (5, 5, 1), (0, 0, 2), (0, 1, 1)])
  func lasts(backOff: Int, isOpenFor lasted: Int, failures: Int) async {
    let resource = resource(options(RetryPolicy { _, _ in .seconds(backOff) }))
    resource.start()
    stage.send(1)
    stage.send(2, on: 2)
    await resource.settled()
    stage.end(1, throwing: broken)
    if backOff > 0 { await stage.clock.sleepers(atLeast: 1) }
    await stage.clock.advance(by: .seconds(backOff))
    await reaches(resource) { $0.value == 2 && !$0.isRunning }
    await stage.clock.advance(by: .seconds(lasted))
    var counts: [Int] = []
    let token = resource.observed.observe { if let activity = $0.activity { counts.append(activity.failures) } }
    stage.end(2, throwing: broken)
    await stage.connected(backOff > 0 ? 2 : 3)
    if backOff > 0 { await stage.clock.sleepers(atLeast: 1) }
    #expect(counts.last == failures)
    resource.cancel()
    await resource.settled()
    withExtendedLifetime(token) {}
  }

  @Test("19.8 connections that are refused, and streams that break at once, are counted together")
  func refused() async throws {
    let (stage, broken) = (stage, broken)
    var attempts = 0
    let resource = AsyncResource<Int>(
      options: options(RetryPolicy { failures, _ in failures < 5 ? .seconds(1) : nil }),
      live: {
        attempts += 1
        if attempts.isMultiple(of: 2) { throw broken }
        return stage.connect()
      })
    resource.start()
    for connection in 1...3 { stage.send(connection, on: connection) }
    await resource.settled()
    stage.end(1, throwing: broken)
    for failures in 1...2 {
      await stage.clock.sleepers(atLeast: 1)
      try #require(resource.snapshot.activity?.failures == failures)
      await stage.clock.advance(by: .seconds(1))
    }
    await reaches(resource) { $0.value == 2 && !$0.isRunning }
    stage.end(2, throwing: broken)
    for failures in 3...4 {
      await stage.clock.sleepers(atLeast: 1)
      try #require(resource.snapshot.activity?.failures == failures)
      await stage.clock.advance(by: .seconds(1))
    }
    await reaches(resource) { $0.value == 3 && !$0.isRunning }
    stage.end(3, throwing: broken)
    await reaches(resource) { $0.error != nil }
    #expect(attempts == 5 && stage.clock.sleeperCount == 0)
  }

  // MARK: 19.9

  @Test("19.9 a stream that is silent for too long breaks with a timeout, counted from its last element")
  func silence() async {
    let resource = resource(options(.never, silence: .seconds(10)))
    resource.start()
    stage.send(1)
    await resource.settled()
    await stage.clock.advance(by: .seconds(6))
    stage.send(2)
    await reaches(resource) { $0.value == 2 }
    await stage.clock.advance(by: .seconds(9))
    #expect(!resource.isStale && resource.error == nil && !stage.isCancelled())
    await stage.clock.advance(by: .seconds(1))
    await resource.settled()
    #expect(isTimeout(resource.error) && resource.isStale && resource.value == 2 && stage.isCancelled())
    await resource.settled()
    #expect(stage.clock.sleeperCount == 0 && stage.connectionCount == 1)
    stage.send(3)
    await resource.settled()
    #expect(resource.value == 2)
  }

  @Test("19.9 a silent stream is connected again by the policy, and its silence counts anew")
  func silenceAndRetry() async throws {
    let resource = resource(options(RetryPolicy { _, _ in .seconds(1) }, silence: .seconds(10)))
    resource.start()
    stage.send(1)
    stage.send(2, on: 2)
    await resource.settled()
    await stage.clock.advance(by: .seconds(10))
    try #require(resource.isRunning)
    await reaches(resource) { $0.activity?.lastFailure is LoadTimeoutError }
    await stage.clock.sleepers(atLeast: 1)
    await stage.clock.advance(by: .seconds(1))
    await reaches(resource) { $0.value == 2 && !$0.isRunning }
    await resource.settled()
    await stage.clock.advance(by: .seconds(9))
    #expect(!resource.isStale && stage.connectionCount == 2)
  }

  @Test("19.9 no sleeper is left when a stream ends by itself, is cancelled, or is released", arguments: 0..<3)
  func silenceEnds(how: Int) async throws {
    var resource: AsyncResource<Int>? = resource(options(.never, silence: .seconds(10)))
    resource?.start()
    stage.send(1)
    await resource?.settled()
    await stage.clock.advance(by: .zero)
    try #require(stage.clock.sleeperCount == 1)
    switch how {
    case 0:
      stage.end()
      if let resource { for await _ in resource.observed.values where resource.isStale { break } }
    case 1: resource?.cancel()
    default:
      resource = nil
      await stage.cancellation(of: 1)
    }
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test("19.9 without a limit a stream may be silent, whatever the timeout of its first element")
  func quiet() async {
    let resource = resource(LoadOptions(timeout: .seconds(5), clock: stage.clock))
    resource.start()
    stage.send(1)
    await resource.settled()
    await stage.clock.advance(by: .seconds(1_000))
    #expect(!resource.isStale && stage.clock.sleeperCount == 0)
  }
}
