// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct FreshnessTests {
    @Test("2.4, 9.8 a value that was yielded over a fresh one is not fresh: get waits for the answer, or requests it")
    func yieldedOverFresh() async throws {
      let gate = ManualServer<Void>()
      let list = AsyncResource(
        .value { (reporter: LoadReporter<[Int]>) in
          try reporter.yield([1])
          try await gate.wait()
          return [1, 2]
        })
      list.data.value = [1, 2]
      expect(!list.isStale)
      let refresh = list.refresh()
      await gate.arrived(1)
      try #require(list.value == [1] && list.isStale)
      let joined = Waiting { try? await list.get() }
      await list.awaited(by: 1)
      gate.answer(call: 1, with: .success(()))
      await expectEqual(joined.end(), [1, 2])
      try await expectEqual(refresh.outcome().get(), [1, 2])
      expect(!list.isStale)

      list.refresh()
      await gate.arrived(2)
      list.cancel()
      try #require(list.value == [1] && list.isStale)
      gate.answer(call: 3, with: .success(()))
      try await expectEqual(list.get(), [1, 2])
    }

    @Test("2.4 data is stale at exactly the age, counted from the last success")
    func staleByAge() async {
      let clock = ManualClock()
      let data = AsyncData<Int>(options: LoadOptions(staleAfter: .seconds(60), clock: clock))
      await data.load { 1 }
      await clock.advance(by: .seconds(59))
      expect(!data.isStale)
      await clock.advance(by: .seconds(1))
      expect(data.isStale)
      data.value = 2
      expect(!data.isStale)
      await clock.advance(by: .seconds(30))
      data.start { 1 }
      data.cancel()
      await clock.advance(by: .seconds(30))
      expect(data.isStale)
      expectEqual(clock.sleeperCount, 0)
      let ageless = AsyncData<Int>(options: LoadOptions(staleAfter: .zero, clock: clock))
      ageless.value = 1
      expect(ageless.isStale)
    }

    @Test("3.6 on fresh data a load that is wanted only if stale is not made")
    func fresh() async {
      var calls = 0
      let resource = AsyncResource<Int> {
        calls += 1
        return 2
      }
      resource.value = 1
      var changes = 0
      let token = resource.observe { _ in changes += 1 }
      (changes, calls) = (0, 0)
      await expectEqual(resource.start(when: .stale).outcome().word, "fresh 1")
      await expectEqual(resource.load(when: .stale).word, "fresh 1")
      expectEqual(calls, 0)
      expectEqual(changes, 0)
      resource.invalidate()
      await expectEqual(resource.load(when: .stale).word, "value 2")
      expectEqual(calls, 1)
      token.cancel()
    }
  }
}
