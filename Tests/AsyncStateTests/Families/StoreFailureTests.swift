// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreFailureTests: StoreSuite {
    // MARK: Writes

    @Test("12.4, 12.5 a source of truth that throws NoDataError has failed: it has answered nothing")
    func storeThrowsNoValue() async {
      for isRead in [true, false] {
        let store = MemoryStore<Int, Int>()
        if isRead { store.readError = NoDataError() } else { store.writeError = NoDataError() }
        let family = AsyncFamily<Int, Int>(store: .truth(store)) { _ in 1 }
        #expect(await family[1].load(when: .stale).word == "failure NoDataError()")
      }
    }

    @Test(
      "12.4 a cache: the value changes, then it is written; a write that fails leaves it unsaved until one succeeds")
    func cacheWriteFails() async {
      let stage = stage().hold(1)
      stage.store?.writeError = Failure()
      #expect(await stage.family[1].start().word(after: { stage.answer(1, 7) }) == "value 7")
      await stage.family.settled()
      #expect(stage.family[1].value == 7)
      #expect(stage.family[1].error == nil)
      #expect(stage.entry(1)?.isUnsaved == true)
      stage.store?.writeError = nil
      await stage.load(1, 7)
      await stage.family.settled()
      #expect(stage.entry(1)?.isUnsaved == false)
      #expect(stage.store?[1]?.value == 7)
    }

    @Test("12.4 a source of truth: a write that fails fails the load and keeps the old value")
    func truthWriteFails() async {
      let stage = stage(.truth).hold(1)
      await stage.load(1, 7)
      stage.store?.writeError = Failure()
      stage.answer(1, 8)
      #expect(await stage.family[1].load().word == "failure failure")
      #expect(stage.family[1].value == 7)
      #expect(stage.family[1].error is Failure)
      await stage.family.settled()
      #expect(stage.store?[1]?.value == 7)
    }

    @Test("12.4 what an answer's write has replaced is stored if that fails")
    func replacedWrite() async {
      let stage = stage(.truth).hold(1)
      let data = stage.held[1]!.data
      let writes = await beginWriting(3, stage)
      data.value = 4
      let load = stage.held[1]!.start()
      stage.answer(1, 5)
      await stage.gate.ended(1)
      writes.answer(call: 1, with: .success(()))
      await writes.arrived(2)
      writes.answer(call: 2, with: .failure(Failure()))
      #expect(await load.outcome().word == "failure failure")
      await writes.arrived(3)
      writes.answer(call: 3, with: .success(()))
      await stage.family.settled()
      #expect(data.value == 4)
      #expect(stage.store?[1]?.value == 4)
    }

    // MARK: Reads

    @Test("12.5 a cache that cannot be read is as if nothing were stored, and nothing is removed")
    func cacheReadFails() async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      stage.fail(1)
      #expect(await stage.family[1].load(when: .stale).word == "failure failure")
      #expect(stage.store?[1]?.value == 7)
      stage.store?.readError = nil
      // It may be read another time.
      let load = stage.family[1].start(when: .stale)
      await stage.gate.arrived(2)
      #expect(stage.family[1].value == 7)
      stage.answer(1, 8)
      #expect(await load.outcome().word == "value 8")
    }

    @Test(
      "12.5 a source of truth that cannot be read fails a call that takes what is stored",
      arguments: [
        LoadCondition.stale, .olderThan(.seconds(60)),
      ])
    func truthReadFails(condition: LoadCondition) async {
      let stage = stage(.truth).hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      #expect(await stage.family[1].load(when: condition).word == "failure failure")
      #expect(stage.requests.isEmpty)
      #expect(stage.store?[1]?.value == 7)
    }

    @Test(
      "12.5 a source of truth that cannot be read is replaced by what the server answers", arguments: [false, true])
    func truthIsReplaced(byReload: Bool) async throws {
      let stage = stage(.truth).hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      let entry = stage.family[1]
      #expect(await entry.load(when: .stale).word == "failure failure")
      let load = byReload ? entry.reload() : entry.start()
      // The record that cannot be read takes no part: an answer that fails leaves it.
      stage.fail(1)
      #expect(await load.outcome().word == "failure failure")
      try #require(stage.store?[1]?.value == 7 && stage.requests.count == 1)
      stage.answer(1, 8)
      #expect(await (byReload ? entry.reload() : entry.start()).outcome().word == "value 8")
      #expect(entry.value == 8 && entry.error == nil && stage.store?[1]?.value == 8)
      #expect(await entry.load(when: .stale).word == "fresh 8")
    }

    @Test("12.5 a call in any case that joins one that takes what is stored requests from the server for both")
    func truthIsAskedForBoth() async {
      let stage = stage(.truth).hold(1)
      stage.store?.put(7, for: 1)
      stage.store?.readError = Failure()
      let (stale, always) = (stage.family[1].start(when: .stale), stage.family[1].start())
      stage.answer(1, 8)
      #expect(await stale.outcome().word == "value 8")
      #expect(await always.outcome().word == "value 8")
      #expect(stage.store?[1]?.value == 8)
    }

    // MARK: Removals

    @Test("12.5 a key whose removal failed reads as not stored until a write succeeds", arguments: [false, true])
    func removalFails(isAll: Bool) async throws {
      let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
      stage.store?.put(7, for: 1)
      stage.store?.removalError = Failure()
      await #expect(throws: Failure.self) {
        if isAll { try await stage.family.forgetAll() } else { try await stage.family.forget(1) }
      }
      stage.store?.canPeek = true
      #expect(stage.family[1].value == nil)
      stage.store?.canPeek = false
      stage.answer(1, 8)
      #expect(await stage.family[1].load(when: .stale).word == "value 8")
      await stage.family.settled()
      #expect(await stage.family[1].load(when: .stale).word == "fresh 8")
    }

    // MARK: Stores that always fail, or never return

    @Test("12.5 a store that always fails, or never returns, does not keep a cache's family from loading")
    func hopeless() async {
      let stage = stage().hold(1)
      stage.store?.readError = Failure()
      stage.store?.writeError = Failure()
      await stage.load(1, 7)
      #expect(stage.family[1].value == 7)
      let never = Gate<Void>(ignoresCancellation: true)
      stage.store?.reads = never
      stage.store?.writes = never
      await stage.load(2, 8)
      #expect(stage.family[2].value == 8)
      stage.release()
      #expect(stage.held[1]?.value == 7)
      for call in 1...2 { never.answer(call: call, with: .success(())) }
    }

    @Test("12.4 a load of a source of truth that never returns can be cancelled, and other keys load")
    func hopelessTruth() async {
      let stage = stage(.truth).hold(1, 2)
      await stage.load(1, 7)
      let never = Gate<Void>(ignoresCancellation: true)
      stage.store?.writes = never
      let load = stage.held[1]!.start()
      stage.answer(1, 8)
      await never.arrived(1)
      #expect(stage.held[1]?.value == 7)
      stage.held[1]?.cancel()
      #expect(await load.outcome().word == "cancelled")
      #expect(stage.held[1]?.value == 7)
      stage.store?.writes = nil
      await stage.load(2, 9)
      #expect(stage.held[2]?.value == 9)
      stage.release()
      #expect(stage.held[1]?.value == 7)
      never.answer(call: 1, with: .success(()))
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
