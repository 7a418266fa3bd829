// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LiveBreaksTests {
    private let stage = LiveStage()

    private func resource(_ options: LoadOptions) -> AsyncResource<Int> {
      let stage = stage
      return AsyncResource(options: options, .live { stage.connect() })
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
      await stage.cancellation(of: 1)
      expect(resource.isRunning)
      expectNil(resource.value)
      await stage.clock.advance(by: .seconds(1))
      await resource.settled()
      expectEqual(resource.value, 2)
      expect(!stage.isCancelled(2))
    }
  }
}
