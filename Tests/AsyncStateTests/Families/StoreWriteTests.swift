// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreWriteTests: StoreSuite {
    /// Writes all or nothing, the key 3 never, and nothing for a task that is cancelled. It notes on which actor it is called.
    private final class StrictStore: ValueStore {
      struct Unwritable: Error {}
      private(set) var values: [Int: Int?]
      private(set) var calls = 0
      private(set) var actors: [(any Actor)?] = []

      init(_ values: [Int: Int?] = [:]) { self.values = values }

      func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Int>? {
        isolation?.assertIsolated()
        actors.append(isolation)
        return values[key].map { StoredValue($0, age: .zero) }
      }

      func save(
        _ stored: [Int: StoredValue<Int>], removing keys: Set<Int>, isolation: isolated (any Actor)?
      ) async throws {
        isolation?.assertIsolated()
        actors.append(isolation)
        try Task.checkCancellation()
        calls += 1
        if stored[3] != nil || calls > 1_000 { throw Unwritable() }
        for (key, value) in stored { values[key] = value.value }
        for key in keys { values[key] = nil }
      }

      func removeAll(isolation: isolated (any Actor)?) async throws {
        try Task.checkCancellation()
        values = [:]
      }
    }

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

    @Test(
      "3.21, 12.3, 12.4 a like, or a pushed change, that is confirmed before the stored value is read is stored with it",
      arguments: [false, true])
    func changedBeforeRead(isPushed: Bool) async {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      let reads = stage.holdReads()
      stage.held[1]?.start()
      await reads.arrived(1)
      await stage.gate.arrived(for: 1)
      if isPushed {
        stage.held[1]?.update { $0 += 10 }
      } else {
        await stage.held[1]?.data.mutate({ $0 += 10 }, commit: {})
      }
      // The second one is that of the store itself, which marks what it has.
      for call in 1...2 { reads.answer(call: call, with: .success(())) }
      for await data in stage.family[1].observed.values where data.isValueSet { break }
      stage.fail(1)
      await stage.family.settled()
      expectEqual(stage.held[1]?.value, 17)
      expectEqual(stage.store?[1]?.value, 17)
      expectEqual(stage.store?[1]?.isInvalidated, stage.held[1]?.snapshot.isInvalidated)
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

    @Test("12.3 what changes in one turn is one call, and what changes while that runs another one")
    func oneCall() async {
      let stage = stage()
      let writes = ManualServer<Void>()
      stage.store?.writes = writes
      for key in 0..<10_000 { stage.family[key].data.value = key }
      await writes.arrived(1)
      for value in 1...100 { stage.family[1].data.value = value }
      stage.family.invalidate { $0.isMultiple(of: 2) }
      for call in 1...2 { writes.answer(call: call, with: .success(())) }
      await stage.family.settled()
      expectEqual(stage.store?.saveCount, 2)
      expectEqual(stage.store?.keys.count, 10_000)
      expectEqual(stage.store?[1]?.value, 100)
      expectEqual(stage.store?[2]?.isInvalidated, true)
    }

    @Test("12.4 one key that cannot be written does not hold up the others")
    func poison() async {
      let store = StrictStore()
      let family = AsyncFamily<Int, Int>(keepUnused: .max, store: store) { $0 }
      for key in 0..<20 { family[key].data.value = key }
      await family.settled()
      expectEqual(store.values.count, 19)
      expectEqual(store.calls, 21)
      expectEqual(family.entries.filter(\.isUnsaved).map(\.key), [3])
    }

    @Test("12.4 a store that is down is called a few times, however many keys it does not have; a read finds them")
    func down() async {
      let stage = stage()
      stage.store?.writeError = Failure()
      for key in 0..<1_000 { stage.family[key].data.value = key }
      await stage.family.settled()
      expectEqual(stage.store?.saveCount, 3)
      stage.family.trim(toIdle: 0)
      await expectEqual(stage.family[1].load(when: .stale).word, "fresh 1")
      stage.store?.writeError = nil
      stage.family[0].data.value = -1
      await stage.family.settled()
      expectEqual(stage.store?.saveCount, 4)
      expectEqual(stage.store?.keys.count, 1_000)
    }

    @Test("12.4 a removal that has failed is made with the next change, and the key reads as not stored until then")
    func removal() async throws {
      let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
      for key in 1...2 { stage.store?.put(key, for: key) }
      stage.store?.removalError = Failure()
      await #expect(throws: Failure.self) { try await stage.family.forget(1) }
      await #expect(throws: Failure.self) { try await stage.family.forgetAll() }
      stage.answer(1, 7)
      await expectEqual(stage.family[1].load(when: .stale).word, "value 7")
      await stage.family.settled()
      expectEqual(stage.store?[2]?.value, 2)
      stage.store?.removalError = nil
      await stage.load(1, 8)
      await stage.family.settled()
      expectEqual(stage.store?.keys, [1])
      expectEqual(stage.store?[1]?.value, 8)
    }

    @Test("12.2 a read that does not return holds up no one who wants a request, and is displayed if nothing newer is")
    func hangingRead() async {
      let stage = stage().hold(1)
      let reads = stage.holdReads()
      stage.store?.put(7, for: 1, age: .seconds(90))
      let stale = stage.held[1]!.start(when: .stale)
      await reads.arrived(1)
      expect(stage.requests.isEmpty)
      let pull = stage.held[1]!.start()
      await stage.gate.arrived(1)
      reads.answer(call: 1, with: .success(()))
      for await snapshot in stage.held[1]!.observed.values where snapshot.value == 7 { break }
      stage.answer(1, 8)
      await expectEqual(stale.outcome().word, "value 8")
      await expectEqual(pull.outcome().word, "value 8")
      await stage.family.settled()
      expectEqual(stage.held[1]?.value, 8)
    }

    @Test(
      "12.3 an entry that is invalidated before its stored value was read: the store knows it, at the next launch, too",
      arguments: ["resource", "family", "tag"], [false, true])
    func invalidatedUnread(by way: String, isReset: Bool) async {
      let board = AsyncTagBoard()
      let stage = FamilyStage(
        staleAfter: .seconds(60), keepUnused: .max, board: board, tags: { key, _ in [AsyncTag(key)] }, hasStore: true
      ).hold(1)
      stage.store?.put(7, for: 1)
      switch way {
      case "resource": stage.held[1]?.invalidate()
      case "family": stage.family.invalidate { $0 == 1 }
      default: board.invalidate(AsyncTag(1))
      }
      if isReset {
        stage.held[1]?.reset()
      } else {
        await stage.family.settled()
        stage.makeFamily(staleAfter: .seconds(60), keepUnused: .max)
      }
      stage.answer(1, 8)
      await expectEqual(stage.family[1].load(when: .stale).word, "value 8")
    }

    @Test("12.4 what is forgotten is removed though the caller is cancelled", arguments: [false, true])
    func forgetWhenCancelled(all: Bool) async throws {
      let store = StrictStore([1: 1, 2: 2])
      let family = AsyncFamily<Int, Int>(store: store) { $0 }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        if all { try await family.forgetAll() } else { try await family.forget(1) }
      }
      try await task.value
      expectEqual(Set(store.values.keys), all ? [] : [2])
    }

    @Test(
      "3.19, 12.3 what ends over a seed marks what is stored: a change that succeeds, or fails, and an update",
      arguments: ["success", "failure", "update"])
    func endedOverSeed(end: String) async {
      let clock = ManualClock()
      let store = MemoryStore<Int, Int>(clock: clock)
      store.put(3, for: 1, age: .seconds(1))
      var calls = 0
      let family = AsyncFamily<Int, Int>(
        seed: { _ in 3 }, options: LoadOptions(staleAfter: .seconds(60), clock: clock), store: store
      ) { _ in
        calls += 1
        return 4
      }
      let post = family[1]
      switch end {
      case "success": await post.mutate({ $0 += 1 }, commit: {})
      case "failure": await post.mutate({ $0 += 1 }, commit: { throw Failure() })
      default: post.update { $0 += 1 }
      }
      expectEqual(post.value, end == "failure" ? 3 : 4)
      await family.settled()
      expectEqual(store[1]?.isInvalidated, true)
      await post.load(when: .stale)
      expectEqual(post.value, 4)
      expectEqual(calls, 1)
      expect(!post.isStale)
    }

    @Test("10.7 the operation and the store run on the family's actor")
    func operationActor() async {
      actor Owner {
        func run() async -> Bool {
          let store = StrictStore()
          nonisolated(unsafe) var isHere = 0
          weak let owner = self
          let family = AsyncFamily<Int, Int>(isolation: self, keepUnused: 1, store: store) { key in
            .value {
              owner?.assertIsolated()
              isHere += 1
              return key
            }
          }
          await family[1].load(when: .stale)
          await family.settled()
          return isHere == 1 && store.actors.count == 2 && store.actors.allSatisfy { $0 === self }
        }
      }
      expect(await Owner().run())
    }
  }
}
