// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadCycleTests {
    /// Holds the resource that an operation awaits, which can be created only after it.
    @MainActor
    final class Holder<Value> {
      var resource: AsyncResource<Value>?

      func get() async throws -> Value? { try await resource?.get() }
    }

    private func path<Value>(_ outcome: AsyncOutcome<Value?>) -> [String]? {
      guard case .failure(let error as LoadCycleError) = outcome else { return nil }
      return error.path
    }

    @Test("9.13 a resource that awaits itself fails with its path")
    func itself() async {
      let holder = Holder<Int>()
      let resource = AsyncResource<Int> { try await holder.get() }
      holder.resource = resource
      #expect(path(await resource.load()) == ["Int", "Int"])
      #expect(resource.error is LoadCycleError)
      holder.resource = nil
    }

    @Test("9.13 two resources that await each other fail with their path")
    func eachOther() async {
      let holder = Holder<String>()
      let number = AsyncResource<Int> { try await holder.get()?.count }
      let text = AsyncResource<String> { "\(try await number.get())" }
      holder.resource = text
      #expect(path(await text.load()) == ["Int", "String", "Int"])
      await number.settled()
      #expect(number.error is LoadCycleError)
      holder.resource = nil
    }

    @Test("9.13 a request beside a running one that it awaits is answered by it")
    func withoutCycle() async throws {
      let gate = Gate<Int>()
      let token = AsyncResource<Int> { try await gate.wait() }
      let first = AsyncResource { try await token.get() + 1 }
      let second = AsyncResource { try await token.get() + first.get() }
      let load = second.start()
      await gate.arrived(1)
      gate.answer(call: 1, with: .success(1))
      #expect(try await load.outcome().get() == 3)
    }

    struct Authorized: LoadInterceptor {
      let token: Holder<String>

      func intercept<Value>(_ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?) async throws -> Value {
        _ = try await token.get()
        return try await attempt()
      }
    }

    @Test("9.13 a token whose interceptor awaits it fails, and so does what needs it")
    func interceptor() async {
      let holder = Holder<String>()
      let options = LoadOptions(interceptors: [Authorized(token: holder)])
      let token = AsyncResource(options: options) { "token" }
      holder.resource = token
      let news = AsyncResource(options: options) { 1 }
      #expect(path(await news.load()) == ["String", "String"])
      #expect(token.error is LoadCycleError && news.error is LoadCycleError)
      holder.resource = nil
    }

    @Test(
      "9.13 what an observer begins is no part of the operation", arguments: ["answer", "yield", "progress", "retry"])
    func observers(of change: String) async throws {
      struct Failure: Error {}
      let gate = Gate<Int>()
      let clock = ManualClock()
      var attempts = 0
      let options = LoadOptions(retry: .exponential(jitter: { $0 }), clock: clock)
      let resource = AsyncResource(
        options: options,
        .value { (reporter: LoadReporter<Int>) in
          attempts += 1
          if change == "retry", attempts == 1 { throw Failure() }
          if change == "yield" { try reporter.yield(1) }
          if change == "progress" { reporter.report(progress: 0.5) }
          return try await gate.wait()
        })
      var reload: Task<AsyncOutcome<Int?>, Never>?
      let token = resource.observe { data in
        let isDue =
          switch change {
          case "answer": data.isValueSet && !data.isRunning
          case "yield": data.value == 1
          case "progress": data.activity?.progress == 0.5
          default: data.activity?.failures == 1
          }
        if isDue, reload == nil { reload = Task { await resource.load() } }
      }
      let load = resource.start()
      if change == "retry" {
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(60))
      }
      await gate.arrived(1)
      gate.answer(call: 1, with: .success(2))
      #expect(try await load.outcome().get() == 2)
      if change == "answer" {
        await gate.arrived(2)
        gate.answer(call: 2, with: .success(3))
      }
      let again = try #require(reload)
      #expect(try await again.value.get() == (change == "answer" ? 3 : 2))
      token.cancel()
    }

    @Test("9.13 what a person performs behind an input of an operation is no part of that")
    func performedBehind() async throws {
      let server = Gate<Int>()
      let holder = Holder<Int>()
      let send = AsyncMutation(overlap: .queue) { (input: String) -> Int in
        if input == "b" { return try await holder.get() ?? 0 }
        return try await server.wait(for: input)
      }
      let list = AsyncResource<Int> {
        send.perform("a")
        return try await server.wait(for: "list")
      }
      holder.resource = list
      list.start()
      await server.arrived(for: "a")
      await server.arrived(for: "list")
      let tap = send.perform("b")
      server.answer(for: "a", with: .success(1))
      for _ in 0..<20 { await afterReleases() }
      server.answer(for: "list", with: .success(7))
      #expect(try await tap.get() == 7)
      holder.resource = nil
    }
  }
}
