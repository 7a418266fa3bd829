// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreFailureTests: StoreSuite {
    // MARK: Writes

    @Test(
      "12.4 a cache: the value changes, then it is written; a write that fails leaves it unsaved until one succeeds")
    func cacheWriteFails() async {
      let stage = stage().hold(1)
      stage.store?.writeError = Failure()
      await expectEqual(stage.family[1].start().word(after: { stage.answer(1, 7) }), "value 7")
      await stage.family.settled()
      expectEqual(stage.family[1].value, 7)
      expectNil(stage.family[1].error)
      expectEqual(stage.entry(1)?.isUnsaved, true)
      stage.store?.writeError = nil
      await stage.load(1, 7)
      await stage.family.settled()
      expectEqual(stage.entry(1)?.isUnsaved, false)
      expectEqual(stage.store?[1]?.value, 7)
    }

    // MARK: Reads

    @Test("12.4 a cache that cannot be read is as if nothing were stored, and nothing is removed")
    func cacheReadFails() async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      stage.fail(1)
      await expectEqual(stage.family[1].load(when: .stale).word, "failure failure")
      expectEqual(stage.store?[1]?.value, 7)
      stage.store?.readError = nil
      // It may be read another time.
      let load = stage.family[1].start(when: .stale)
      await stage.gate.arrived(2)
      expectEqual(stage.family[1].value, 7)
      stage.answer(1, 8)
      await expectEqual(load.outcome().word, "value 8")
    }

    // MARK: Removals

    @Test("12.4 a key whose removal failed reads as not stored until a write succeeds", arguments: [false, true])
    func removalFails(isAll: Bool) async throws {
      let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
      stage.store?.put(7, for: 1)
      stage.store?.removalError = Failure()
      await #expect(throws: Failure.self) {
        if isAll { try await stage.family.forgetAll() } else { try await stage.family.forget(1) }
      }
      stage.store?.canPeek = true
      expectNil(stage.family[1].value)
      stage.store?.canPeek = false
      stage.answer(1, 8)
      await expectEqual(stage.family[1].load(when: .stale).word, "value 8")
      await stage.family.settled()
      await expectEqual(stage.family[1].load(when: .stale).word, "fresh 8")
    }

    // MARK: Stores that always fail, or never return

    @Test("12.4 a store that always fails, or never returns, does not keep a cache's family from loading")
    func hopeless() async {
      let stage = stage().hold(1)
      stage.store?.readError = Failure()
      stage.store?.writeError = Failure()
      await stage.load(1, 7)
      expectEqual(stage.family[1].value, 7)
      let never = ManualServer<Void>(ignoresCancellation: true)
      stage.store?.reads = never
      stage.store?.writes = never
      await stage.load(2, 8)
      expectEqual(stage.family[2].value, 8)
      stage.release()
      expectEqual(stage.held[1]?.value, 7)
      for call in 1...2 { never.answer(call: call, with: .success(())) }
    }

  }
}

extension LoadTask where Value == Int {
  @MainActor
  fileprivate func word(after body: () -> Void) async -> String {
    body()
    return await outcome().word
  }
}
