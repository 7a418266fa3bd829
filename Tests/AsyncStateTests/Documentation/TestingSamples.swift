// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// The samples of AsyncStateTesting: its landing page, and the comments of its types.
  @MainActor
  struct TestingSampleTests {
    private struct NoConnection: Error {}

    @Test("both together: a request that fails, and is tried again a second later")
    func both() async {
      let clock = ManualClock()
      let server = ManualServer<String>()
      let data = AsyncData<String>(options: LoadOptions(retry: .exponential(first: .seconds(1)), clock: clock))
      let load = data.start { try await server.wait() }

      await server.arrived(1)
      server.answer(call: 1, with: .failure(NoConnection()))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))

      await server.arrived(2)
      server.answer(call: 2, with: .success("here you are"))
      _ = await load.outcome()
      #expect(data.value == "here you are")
    }

    @Test("a request is answered by hand")
    func gate() async throws {
      let data = AsyncData<Int>()
      let server = ManualServer<Int>()
      let load = data.start { try await server.wait() }
      await server.arrived(1)
      server.answer(call: 1, with: .success(7))
      let value = try await load.outcome().get()
      #expect(value == 7)
    }

    @Test("time is moved by hand")
    func clock() async {
      let server = ManualServer<Int>()
      let clock = ManualClock()
      let data = AsyncData<Int>(options: LoadOptions(timeout: .seconds(3), clock: clock))
      let load = data.start { try await server.wait() }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(3))
      _ = await load.outcome()  // .failure(LoadTimeoutError())
      #expect(data.error is LoadTimeoutError)
    }

    @Test("14.2 after settled() a late answer has had its effect, so that a screen that displays it is noticed")
    func brokenScreen() async {
      let server = ManualServer<String>(ignoresCancellation: true)
      let data = AsyncData<String>()
      var line = ""
      func request() {
        data.start {
          let answer = try await server.wait()
          line = answer  // The fault: whichever answer arrives last is displayed.
          return answer
        }
      }
      request()
      await server.arrived(1)
      request()
      await server.arrived(2)
      server.answer(call: 2, with: .success("new"))
      await data.loadEnded()
      server.answer(call: 1, with: .success("old"))
      await data.settled()
      #expect(line == "old")
      #expect(data.value == "new")
    }
  }
}
