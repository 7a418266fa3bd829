// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LiveBreaksTests {
    private let stage = LiveStage()
    private let broken = Failure(name: "broken")

    private func resource(_ options: LoadOptions) -> AsyncResource<Int> {
      let stage = stage
      return AsyncResource(options: options, .live { stage.connect() })
    }

    /// A resource with an open stream, and whether its server is down. A second connection has the element 2.
    private func openResource(_ options: LoadOptions) async -> (resource: AsyncResource<Int>, isDown: Input<Bool>) {
      let (stage, broken, isDown) = (stage, broken, Input(false))
      let resource = AsyncResource<Int>(
        options: options,
        .live {
          if isDown.current { throw broken }
          return stage.connect()
        })
      resource.start()
      stage.send(1)
      stage.send(2, on: 2)
      await resource.settled()
      return (resource, isDown)
    }

    private func options(_ retry: RetryPolicy) -> LoadOptions { LoadOptions(retry: retry, clock: stage.clock) }

    private func isTimeout(_ error: (any Error)?) -> Bool { error is LoadTimeoutError }

    // MARK: 19.8

    @Test(
      "19.8 a stream that answers and breaks at once is connected as often as the policy allows, until a person requests"
    )
    func breaksAtOnce() async throws {
      var connections = 0
      let resource = AsyncResource<Int>(
        options: options(.exponential(first: .seconds(1), retries: 5, jitter: { $0 })),
        .live { [broken] in
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
      let resource = resource(options(RetryPolicy { _ in .seconds(backOff) }))
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
      expectEqual(counts.last, failures)
      resource.cancel()
      await resource.settled()
      withExtendedLifetime(token) {}
    }

    @Test(
      "3.10, 19.8 a connection whose time was over returns later: it is left, and the one in its place has one reader"
    )
    func returnsLate() async {
      let (stage, server) = (stage, ManualServer<Void>(ignoresCancellation: true))
      var count = 0
      let resource = AsyncResource<Int>(
        options: LoadOptions(retry: RetryPolicy { _ in .zero }, timeout: .seconds(3), clock: stage.clock),
        .live {
          count += 1
          if count == 1 { try await server.wait() }
          return stage.connect()
        })
      resource.start()
      await server.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .seconds(3))
      stage.send(1)
      await reaches(resource) { $0.value == 1 }
      stage.send(7, on: 2)
      server.answer(call: 1, with: .success(()))
      await resource.settled()
      stage.send(2)
      await reaches(resource) { $0.value == 2 }
      #expect(count == 2 && !resource.isStale && !resource.isRunning)
      resource.cancel()
      await resource.settled()
    }

    @Test("19.8 connections that are refused, and streams that break at once, are counted together")
    func refused() async throws {
      let (stage, broken) = (stage, broken)
      var attempts = 0
      let resource = AsyncResource<Int>(
        options: options(RetryPolicy { failed in failed.count < 5 ? .seconds(1) : nil }),
        .live {
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

    @Test(
      "3.9, 19.8 a policy knows for how long the stream was open that has broken, and of a refused connection that none was"
    )
    func isToldHowLong() async {
      let told = Tally()
      let retry = RetryPolicy { failed in
        told.note("\(failed.count) \(failed.error) \(failed.streamLasted.map { "\($0)" } ?? "-")")
        return .seconds(2)
      }
      let (resource, isDown) = await openResource(options(retry))
      await stage.clock.advance(by: .seconds(7))
      isDown.write(true)
      stage.end(1, throwing: broken)
      await stage.clock.sleepers(atLeast: 1)
      expectEqual(told.entries, ["1 \(broken) \(Duration.seconds(7))"])
      await stage.clock.advance(by: .seconds(2))
      await stage.clock.sleepers(atLeast: 1)
      expectEqual(told.entries.last, "2 \(broken) -")
      resource.cancel()
      await resource.settled()
    }

    // MARK: 19.8, the timeout

    @Test(
      "3.10, 19.4, 19.8 an outage that is longer than the timeout of a connection: it is connected again when that is over",
      arguments: [false, true])
    func outage(hasGate: Bool) async throws {
      let online = LoadGate()
      let (resource, isDown) = await openResource(
        LoadOptions(
          retry: RetryPolicy { _ in .seconds(1) }, timeout: .seconds(10), clock: stage.clock,
          gate: hasGate ? online : nil))
      isDown.write(true)
      if hasGate { online.close() }
      stage.end(1, throwing: broken)
      await reaches(resource) { $0.isRunning }
      for second in 0..<30 {
        // Behind the gate there is one pause.
        if !hasGate || second == 0 { await stage.clock.sleepers(atLeast: 1, dueWithin: .seconds(1)) }
        await stage.clock.advance(by: .seconds(1))
        try #require(resource.isRunning && resource.error == nil)
      }
      // The last attempt of the outage has failed. Behind the gate the pause is over already.
      if !hasGate { await stage.clock.sleepers(atLeast: 1, dueWithin: .seconds(1)) }
      isDown.write(false)
      online.open()
      if !hasGate { await stage.clock.advance(by: .seconds(1)) }
      await reaches(resource) { $0.value == 2 && !$0.isRunning }
      await resource.settled()
      #expect(resource.error == nil && !resource.isStale && stage.clock.sleeperCount == 0)
    }

    @Test("19.8 a connection without an element for the timeout is one more failure, by which the policy decides")
    func hangs() async throws {
      let retry = RetryPolicy { failed in failed.count < 3 ? .seconds(1) : nil }
      let resource = resource(LoadOptions(retry: retry, timeout: .seconds(10), clock: stage.clock))
      resource.start()
      stage.send(1)
      await resource.settled()
      let call = Waiting { await resource.load().word }
      await expectEqual(call.end(), "fresh 1")
      stage.end(1, throwing: broken)
      await stage.clock.sleepers(atLeast: 1, dueWithin: .seconds(1))
      let other = Waiting { await resource.load().word }
      await other.begun()
      await stage.clock.advance(by: .seconds(1))
      await stage.connected(2)
      await stage.clock.advance(by: .seconds(10))
      try #require(resource.isRunning && stage.isCancelled(2))
      await reaches(resource) { $0.activity?.failures == 2 }
      #expect(isTimeout(resource.snapshot.activity?.lastFailure))
      await stage.clock.sleepers(atLeast: 1, dueWithin: .seconds(1))
      await stage.clock.advance(by: .seconds(1))
      await stage.connected(3)
      await stage.clock.advance(by: .seconds(10))
      await reaches(resource) { $0.error != nil }
      await resource.settled()
      #expect(isTimeout(resource.error) && resource.value == 1 && stage.connectionCount == 3)
      #expect(await other.end() == "failure LoadTimeoutError()" && stage.clock.sleeperCount == 0)
    }

    @Test(
      "3.10, 19.8 a connection whose gate has closed when its time is over has not failed",
      arguments: [1, nil] as [Int?])
    func hangsBehindGate(width: Int?) async {
      let online = LoadGate(width: width)
      let resource = resource(LoadOptions(timeout: .seconds(10), clock: stage.clock, gate: online))
      resource.start()
      await stage.connected(1)
      online.close()
      await stage.clock.advance(by: .seconds(10))
      await reaches(resource) { $0.isWaiting }
      #expect(stage.isCancelled(1) && resource.snapshot.activity?.failures == 0)
      online.open()
      await stage.connected(2)
      stage.send(2, on: 2)
      await resource.settled()
      #expect(resource.value == 2 && resource.error == nil && online.roomCount == 0)
    }

    // MARK: 19.2, by hand

    @Test(
      "19.2 what is set by hand while it is connected again ends that, as it does any load: a value, an error, a cancel",
      arguments: 0..<3)
    func byHand(how: Int) async throws {
      let resource = resource(options(RetryPolicy { _ in .seconds(1) }))
      resource.start()
      stage.send(1)
      await resource.settled()
      stage.end(1, throwing: broken)
      await stage.clock.sleepers(atLeast: 1)
      let call = Waiting { await resource.load().word }
      await call.begun()
      switch how {
      case 0: resource.data.value = 7
      case 1: resource.data.error = Failure(name: "by hand")
      default: resource.cancel()
      }
      await expectEqual(call.end(), ["value 7", "failure by hand", "cancelled"][how])
      await resource.settled()
      await stage.clock.advance(by: .seconds(10))
      #expect(resource.value == (how == 0 ? 7 : 1) && (resource.error != nil) == (how == 1) && resource.isStale)
      #expect(!resource.isRunning && stage.connectionCount == 1 && stage.clock.sleeperCount == 0)
    }

    // MARK: 19.1, attempts that fail

    /// Fails the first attempt after its operation has answered.
    private struct FailingOnce: LoadInterceptor {
      let tally = Tally()

      func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
        let answer = try await attempt()
        guard !tally.entries.isEmpty else {
          tally.note("failed")
          throw Failure(name: "refused")
        }
        return answer
      }
    }

    @Test("19.8 an attempt that fails after its first element leaves no connection")
    func failsAfterFirstElement() async {
      let options = LoadOptions(
        retry: RetryPolicy { _ in .seconds(1) }, clock: stage.clock, interceptors: [FailingOnce()])
      let resource = resource(options)
      resource.start()
      stage.send(1)
      stage.send(2, on: 2)
      await stage.clock.sleepers(atLeast: 1)
      #expect(stage.isCancelled(1) && resource.isRunning && resource.value == nil)
      await stage.clock.advance(by: .seconds(1))
      await resource.settled()
      #expect(resource.value == 2 && !stage.isCancelled(2))
    }

    @Test("19.1 a stream may be silent, whatever the timeout of its first element")
    func quiet() async {
      let resource = resource(LoadOptions(timeout: .seconds(5), clock: stage.clock))
      resource.start()
      stage.send(1)
      await resource.settled()
      await stage.clock.advance(by: .seconds(1_000))
      #expect(!resource.isStale && stage.clock.sleeperCount == 0)
    }
  }
}
