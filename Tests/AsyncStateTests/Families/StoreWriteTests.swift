// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreWriteTests: StoreSuite {
    // MARK: 12.3

    @Test("12.3 only confirmed values are written: no yields, no changes that are pending")
    func confirmed() async {
      let store = MemoryStore<Int, Int>()
      let gate = ManualServer<Int?>()
      let family = AsyncFamily<Int, Int>(keepUnused: .max, store: store) { _ in
        .value { reporter in
          try reporter.yield(5)
          return try await gate.wait()
        }
      }
      let load = family[1].start()
      await gate.arrived(1)
      expect(store.written.isEmpty)
      gate.answer(call: 1, with: .success(6))
      _ = await load.outcome()
      await family.settled()
      expectEqual(store[1]?.value, 6)
      let commit = ManualServer<Void>()
      let mutation = Waiting { await family[1].data.mutate({ $0 += 10 }) { try await commit.wait() }.word }
      await commit.arrived(1)
      expectEqual(family[1].value, 16)
      expectEqual(store.written, [1])
      commit.answer(call: 1, with: .success(()))
      await expectEqual(mutation.end(), "value 16")
      await family.settled()
      expectEqual(store[1]?.value, 16)
      expectEqual(store.written, [1, 1])
    }

    @Test("11.1, 12.1, 12.3 what a store knows at once is displayed at once, and an invalidation by then is written")
    func stalePeeked() async {
      let stage = FamilyStage(
        staleAfter: .seconds(60), board: AsyncTagBoard(), tags: { key, _ in [AsyncTag(key)] }, hasStore: true)
      stage.store?.canPeek = true
      for key in 1...2 { stage.store?.put(7, for: key) }
      await stage.clock.advance(by: .seconds(1))
      // Before there is an entry, and after.
      stage.board?.invalidate(AsyncTag(1))
      stage.hold(1, 2)
      expectEqual(stage.held[1]?.snapshot.isInvalidated, true)
      expectEqual(stage.held[2]?.snapshot.isInvalidated, false)
      expectEqual(stage.held[2]?.value, 7)
      expectEqual(stage.held[2]?.data.age, .seconds(1))
      expectEqual(stage.store?.readCount, 0)
      stage.held[2]?.invalidate()
      await stage.family.settled()
      // The next launch, whose board knows nothing of it, does not take it for fresh.
      for key in 1...2 { expectEqual(stage.store?[key], StoredValue(7, age: .seconds(1), isInvalidated: true)) }
    }

    @Test("12.3 a restored value is not written until it is invalidated, unless it was before: then the store knows")
    func invalidatesRestored() async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1, age: .seconds(30))
      await expectEqual(stage.held[1]?.load(when: .stale).word, "fresh 7")
      stage.family.restore(StoredValue(8, age: .seconds(5)), for: 1)
      expectEqual(stage.held[1]?.value, 8)
      await stage.family.settled()
      expectEqual(stage.store?.written, [])
      stage.held[1]?.invalidate()
      await stage.family.settled()
      expectEqual(stage.store?[1], StoredValue(8, age: .seconds(5), isInvalidated: true))
      // The next launch does not take it for fresh.
      stage.makeFamily(staleAfter: .seconds(60), keepUnused: .max)
      let load = stage.family[1].start(when: .stale)
      stage.answer(1, 9)
      await expectEqual(load.outcome().word, "value 9")
      await restoredAsInvalidated()
    }

    /// What was stored or restored as invalidated is not written for that.
    private func restoredAsInvalidated() async {
      let stage = stage().hold(1)
      stage.family.restore(StoredValue(8, isInvalidated: true), for: 1)
      await stage.family.settled()
      expectEqual(stage.store?.written, [])
      stage.store?.put(7, for: 2)
      stage.hold(2).held[2]?.invalidate()
      expectEqual(stage.store?.written, [])
      let load = stage.held[2]!.start(when: .stale)
      stage.answer(2, nil)
      _ = await load.outcome()
      await stage.family.settled()
      // Invalidated when it was read, and replaced by the answer.
      expectEqual(stage.store?.written.last, 2)
      expectEqual(stage.store?[2]?.isInvalidated, false)
    }
    // MARK: After the family

    @Test(
      "10.7, 12.4 what is confirmed before its family is released is still written, and nothing of what is held later")
    func released() async {
      let stage = stage().hold(1)
      let writes = ManualServer<Void>()
      stage.store?.writes = writes
      let store = stage.store!
      stage.family[1].data.value = 1
      await writes.arrived(1)
      stage.family[1].data.value = 2
      stage.release()
      await afterReleases()
      stage.held[1]?.data.value = 3
      for call in 1...3 { writes.answer(call: call, with: .success(())) }
      await writes.ended(2)
      await stage.held[1]?.settled()
      expectEqual(store[1]?.value, 2)
      expectEqual(writes.callCount, 2)
    }
  }
}
