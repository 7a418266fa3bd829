// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct JoinTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    @Test("3.5 a load with the id of the one that runs joins it: one operation, one outcome")
    func join() async {
      var calls = 0
      let first = data.start(.reload, id: "a", operation: stage.waits())
      let second = data.start(
        .refresh, id: "a",
        operation: stage.operation {
          calls += 1
          return 9
        })
      expectEqual(stage.recorder.takeFlags(), "f")
      expectEqual(data.snapshot.activity?.mode, .reload)
      stage.gate.answer(call: 1, with: .success(1))
      await expectEqual(first.outcome().word, "value 1")
      await expectEqual(second.outcome().word, "value 1")
      expectEqual(calls, 0)
      await stage.nothingIsLeft()
    }

    @Test("3.4 a structured load that others have joined continues until the last of them leaves")
    func interest() async {
      let operation = stage.waits(at: stage.deaf)
      let waiting = (1...3).map { _ in Waiting { [data] in await data.load(id: "a", operation: operation).word } }
      await stage.deaf.arrived(1)
      for one in waiting { await one.begun() }
      for (number, one) in waiting.enumerated() {
        one.cancel()
        await expectEqual(one.end(), "cancelled")
        expectEqual(data.isRunning, number < 2)
      }
      stage.deaf.answer(call: 1, with: .success(1))
      await stage.deaf.ended(1)
      expectNil(data.value)
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

    @Test("3.5, 9.13 what a superseded operation still waits for is no part of a circle")
    func supersededWaits() async {
      let (a, b) = (AsyncData<Int>(), AsyncData<Int>())
      let gate = ManualServer<Void>()
      let first = a.start(id: "a") { () async throws -> Int? in
        try await gate.wait()
        // Replaces the load of `b`, whose operation awaits this one.
        return try await b.load(id: "new") { 5 }.get()
      }
      await gate.arrived(1)
      let second = Waiting { await b.load(id: "old") { try await a.load(id: "a") { 1 }.get() } }
      await a.awaited(by: 1)
      gate.answer(call: 1, with: .success(()))
      _ = await first.outcome()
      _ = await second.end()
      expectEqual(a.value, 5)
      expectNil(a.error)
      expectEqual(b.value, 5)
    }
  }
}
