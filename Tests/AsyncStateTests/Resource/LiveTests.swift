// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LiveTests {
    private let stage = LiveStage()

    private func resource(_ options: LoadOptions? = nil) -> AsyncResource<Int> {
      let stage = stage
      return AsyncResource(options: options ?? LoadOptions(clock: stage.clock), .live { stage.connect() })
    }

    /// A resource that displays 1, whose stream is open.
    private func opened(_ options: LoadOptions? = nil) async -> AsyncResource<Int> {
      let resource = resource(options)
      resource.start()
      stage.send(1)
      await resource.settled()
      return resource
    }

    @Test("19.1 the first element answers the request, and each further one is one change")
    func elements() async {
      let resource = resource()
      let log = Log()
      let token = resource.observed.observe { log("\($0.value ?? 0) \($0.isRunning)") }
      let load = resource.start()
      stage.send(1)
      await expectEqual(load.outcome().word, "value 1")
      stage.send(2)
      await reaches(resource) { $0.value == 2 }
      stage.send(3)
      await reaches(resource) { $0.value == 3 }
      expectEqual(log.entries, ["0 false", "0 true", "1 false", "2 false", "3 false"])
      expect(!resource.snapshot.isProvisional)
      expect(!resource.isStale)
      withExtendedLifetime(token) {}
    }

    /// Has the next element always ready; at the end it was not stopped.
    private struct Counting: AsyncSequence {
      let end: Int
      func makeAsyncIterator() -> Iterator { Iterator(end: end) }

      struct Iterator: AsyncIteratorProtocol {
        let end: Int
        var count = 0

        mutating func next() async -> Int? {
          count += 1
          return count <= end ? count : nil
        }

        mutating func next(isolation: isolated (any Actor)?) async -> Int? { await next() }
      }
    }

    @Test("19.1 a sequence that never suspends leaves the actor to others between its elements")
    func turns() async {
      let resource = AsyncResource<Int>(.live { Counting(end: 100_000) })
      await resource.load()
      let displayed = resource.value ?? 0
      resource.cancel()
      await resource.settled()
      expect(displayed < 1_000)
      expectEqual(resource.value, displayed)
    }

    @Test(
      "19.2 while the stream is open every request finds the value fresh: of other screens, a call, a poll, a limit of age"
    )
    func fresh() async throws {
      let resource = await opened(LoadOptions(staleAfter: .seconds(1), clock: stage.clock))
      await stage.clock.advance(by: .seconds(100))
      expect(!resource.isStale)
      await expectEqual(resource.load().word, "fresh 1")
      await expectEqual(resource.load(when: .stale).word, "fresh 1")
      await expectEqual(resource.start().outcome().word, "fresh 1")
      try await expectEqual(resource.get(), 1)
      let host = AsyncHost(resource)
      host.start()
      expectEqual(stage.connectionCount, 1)
      expect(!stage.isCancelled())
    }

    @Test(
      "19.3 a cancel ends the stream at once: nothing changes any more, and the value is stale",
      arguments: [false, true])
    func cancel(resets: Bool) async {
      let resource = await opened()
      if resets { resource.reset() } else { resource.cancel() }
      await stage.cancellation(of: 1)
      expect(resource.isStale)
      expect(!resource.isRunning)
      stage.send(2)
      await resource.settled()
      expectEqual(resource.value, (resets ? nil : 1))
      let load = resource.start(when: .stale)
      await stage.connected(2)
      stage.send(3, on: 2)
      await expectEqual(load.outcome().word, "value 3")
    }

    @Test("19.3 the release of the resource ends its stream", arguments: [false, true])
    func release(isOpen: Bool) async {
      var resource: AsyncResource<Int>? = resource()
      resource?.start()
      await stage.connected(1)
      if isOpen {
        stage.send(1)
        await resource?.settled()
      }
      let dropped = Weak(resource?.data)
      resource = nil
      expectNil(dropped.object)
      // A stream that is open ends inside the release.
      expect(!isOpen || stage.isCancelled())
      await stage.cancellation(of: 1)
    }

    @Test("19.3 an observer that cancels at the first element: it is the last one")
    func cancelAtFirst() async {
      let resource = resource()
      let token = resource.observed.observe { if $0.value == 1 { resource.cancel() } }
      resource.start()
      await stage.connected(1)
      for element in 1...3 { stage.send(element) }
      await resource.settled()
      expectEqual(resource.value, 1)
      await stage.cancellation(of: 1)
      withExtendedLifetime(token) {}
    }

    @Test("3.10, 19.8 each connection of a stream has the whole time limit")
    func timeLimit() async {
      let retry = RetryPolicy { _ in .zero }
      let resource = resource(LoadOptions(retry: retry, timeout: .seconds(10), clock: stage.clock))
      let load = resource.start()
      await stage.connected(1)
      await stage.clock.advance(by: .seconds(6), sleepersAtLeast: 1)
      stage.end(1, throwing: Failure())
      await stage.connected(2)
      await stage.clock.advance(by: .seconds(6), sleepersAtLeast: 1)
      stage.send(1, on: 2)
      await expectEqual(load.outcome().word, "value 1")
    }

    @Test(
      "19.8 failures count on, unless the stream was open for as long as the pause before it, and for a second",
      arguments: [(10_000, 9_999, "2"), (10_000, 10_000, "1"), (0, 999, "2"), (0, 1_000, "1")])
    func countedOn(pause: Int, open: Int, count: String) async {
      let counts = Tally()
      let retry = RetryPolicy { failures in
        counts.note("\(failures.count)")
        return .milliseconds(pause)
      }
      let resource = await opened(LoadOptions(retry: retry, clock: stage.clock))
      for (connection, time) in [(1, 0), (2, open)] {
        await stage.clock.advance(by: .milliseconds(time))
        stage.end(connection, throwing: Failure())
        if pause > 0 { await stage.clock.advance(by: .milliseconds(pause), sleepersAtLeast: 1) }
        await stage.connected(connection + 1)
        stage.send(connection + 1, on: connection + 1)
        await reaches(resource) { $0.value == connection + 1 }
      }
      expectEqual(counts.entries, ["1", count])
    }

    @Test("19.4 a stream that ends by itself leaves the value, which is stale, and nothing connects again")
    func end() async {
      let resource = await opened(LoadOptions(retry: .exponential(), clock: stage.clock))
      stage.end()
      for await _ in resource.observed.values where resource.isStale { break }
      await resource.settled()
      expectEqual(resource.value, 1)
      expectNil(resource.error)
      expectEqual(stage.connectionCount, 1)
    }

    @Test(
      "9.8, 19.4 a stream that ends, or throws NoDataError, without an element has no data", arguments: [false, true])
    func endWithoutElement(throwsNoData: Bool) async {
      let resource = resource()
      let load = resource.start()
      await stage.connected(1)
      stage.end(1, throwing: throwsNoData ? NoDataError() : nil)
      await expectEqual(load.outcome().word, "nothing")
      await resource.settled()
      expectNil(resource.error)
      expectEqual(resource.status, .noData)
      expect(resource.isStale || throwsNoData)
    }

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
      await stage.cancellation(of: 1)
      expect(resource.isRunning)
      expectNil(resource.value)
      await stage.clock.advance(by: .seconds(1))
      await resource.settled()
      expectEqual(resource.value, 2)
      expect(!stage.isCancelled(2))
    }

    @Test("9.7 a stream follows the key: that of the former one ends before an observer is notified of the other")
    func key() async {
      let key = Input<Int?>(1)
      let stage = stage
      let resource = AsyncResource<Int>(following: key, options: LoadOptions(clock: stage.clock)) { (key: Int) in
        .live { stage.connect(key) }
      }
      resource.start()
      stage.send(10)
      await resource.settled()
      key.write(2)
      expectNil(resource.value)
      expect(resource.isRunning)
      await stage.cancellation(of: 1)
      await stage.connected(2)
      stage.send(11, on: 1)
      stage.send(20, on: 2)
      await resource.settled()
      expectEqual(resource.value, 20)
      expectEqual(stage.keys, [1, 2])
      key.write(nil)
      expectNil(resource.value)
      await stage.cancellation(of: 2)
      expect(!resource.isRunning)
    }
  }
}
