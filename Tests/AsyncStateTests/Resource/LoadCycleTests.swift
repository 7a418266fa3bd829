// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Operations that await their own load.
  @MainActor
  struct LoadCycleTests {
    @MainActor
    private final class Two {
      var first: AsyncResource<Int>?
      var second: AsyncResource<Int>?
    }

    private func cycleWarnings(_ said: SaidWarnings) -> Int {
      said.all.count { $0.contains("awaits its own load") }
    }

    @Test(
      "9.13 an operation that awaits its own load ends by its timeout, and debug builds say so",
      arguments: ["itself", "get", "of"])
    func cycle(way: String) async {
      let two = Two()
      let clock = ManualClock()
      let said = SaidWarnings()
      two.first = AsyncResource(options: LoadOptions(timeout: .seconds(30), clock: clock)) { [weak two] in
        way == "itself" ? try await two?.first?.get() : try await two?.second?.get()
      }
      two.second =
        way == "of"
        ? AsyncResource(.of(two.first!) { $0 })
        : AsyncResource { [weak two] in try await two?.first?.get() }
      let call = AsyncStateWarnings.$local.withValue(AsyncStateWarnings { said.add($0) }) {
        Waiting { [first = two.first!] in await first.load().word }
      }
      await clock.sleepers(atLeast: 1)
      await two.first!.awaited(by: 2)
      #if DEBUG
        expectEqual(cycleWarnings(said), 1)
      #endif
      await clock.advance(by: .seconds(30))
      expect(await call.end().hasPrefix("failure"))
      expect(two.first?.error is LoadTimeoutError)
      await two.second?.settled()
    }

    @Test("9.13 what is awaited twice, or by a task that outlives its operation, is no cycle")
    func noCycle() async throws {
      let (two, gate, said) = (Two(), ManualServer<Void>(), SaidWarnings())
      var leftover: Task<Int?, any Error>?
      let first = AsyncResource { [weak two] in
        leftover =
          leftover
          ?? Task {
            try await gate.wait()
            return try await two?.second?.load().get()
          }
        return 1
      }
      two.second = AsyncResource { (try await first.load().get() ?? 0) + (try await first.load().get() ?? 0) }
      try await AsyncStateWarnings.$local.withValue(AsyncStateWarnings { said.add($0) }) {
        try await expectEqual(two.second?.load().get(), 2)
        gate.answer(call: 1, with: .success(()))
        try await expectEqual(leftover?.value, 2)
      }
      expectEqual(cycleWarnings(said), 0)
    }

    @Test(
      "9.13 what an observer begins is no part of the operation", arguments: ["answer", "yield", "progress", "retry"])
    func observers(of change: String) async throws {
      let said = SaidWarnings()
      try await AsyncStateWarnings.$local.withValue(AsyncStateWarnings { said.add($0) }) { try await observe(change) }
      expectEqual(cycleWarnings(said), 0)
    }

    private func observe(_ change: String) async throws {
      struct Failure: Error {}
      let gate = ManualServer<Int>()
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
      await gate.answer(arriving: 1, with: .success(2))
      try await expectEqual(load.outcome().get(), 2)
      if change == "answer" { await gate.answer(arriving: 2, with: .success(3)) }
      let again = try #require(reload)
      try await expectEqual(again.value.get(), (change == "answer" ? 3 : 2))
      token.cancel()
    }
  }
}
