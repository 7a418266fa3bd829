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
