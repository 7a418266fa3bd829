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
  }
}
