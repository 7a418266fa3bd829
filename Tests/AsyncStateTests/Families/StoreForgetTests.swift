// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreForgetTests: StoreSuite {
    @Test("12.4 eviction leaves the store alone")
    func eviction() async {
      let stage = FamilyStage(staleAfter: .seconds(60), hasStore: true)
      await stage.load(1, 7)
      await stage.family.settled()
      #expect(stage.keys.isEmpty)
      expectEqual(stage.store?[1]?.value, 7)
      await expectEqual(stage.family[1].load(when: .stale).word, "fresh 7")
    }

    @Test("12.4 forget discards the write that waits, and the removal follows the one that runs")
    func forgetWhileWriting() async throws {
      let stage = stage().hold(1)
      let writes = await beginWriting(1, stage, ignoresCancellation: true)
      stage.family[1].data.value = 2
      let forgetting = Waiting { try? await stage.family.forget(1) }
      await forgetting.begun()
      #expect(stage.family[1].snapshot.isIdle)
      writes.answer(call: 1, with: .success(()))
      await forgetting.end()
      await stage.family.settled()
      expectEqual(stage.store?.keys, [])
      expectEqual(stage.store?.written, [1])
    }

    /// A store that removes nothing for a task that is cancelled.
    private final class CancellableStore: ValueStore {
      var values: Set<Int> = [1, 2]

      func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Int>? { nil }
      func save(
        _ stored: [Int: StoredValue<Int>], removing keys: Set<Int>, isolation: isolated (any Actor)?
      ) async throws {
        try Task.checkCancellation()
        values.subtract(keys)
      }
      func removeAll(isolation: isolated (any Actor)?) async throws {
        try Task.checkCancellation()
        values = []
      }
    }

    @Test("12.4 what is forgotten is removed though the caller is cancelled", arguments: [false, true])
    func forgetWhenCancelled(all: Bool) async throws {
      let store = CancellableStore()
      let family = AsyncFamily<Int, Int>(store: store) { $0 }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        if all { try await family.forgetAll() } else { try await family.forget(1) }
      }
      try await task.value
      expectEqual(store.values, (all ? [] : [2]))
    }

    @Test("12.4 what is requested of a key after a forget waits for the removal")
    func afterForget() async throws {
      let stage = stage().hold(1)
      stage.store?.put(7, for: 1)
      let removals = ManualServer<Void>()
      stage.store?.removals = removals
      let forgetting = Waiting { try? await stage.family.forget(1) }
      await removals.arrived(1)
      stage.family[1].data.value = 3
      expectEqual(stage.store?.written, [])
      removals.answer(call: 1, with: .success(()))
      await forgetting.end()
      await stage.family.settled()
      expectEqual(stage.store?[1]?.value, 3)
    }

    @Test("12.4 what is requested of any key after forgetAll waits for the removal, and that for what was before")
    func afterForgetAll() async throws {
      let stage = stage().hold(1, 2)
      let writes = ManualServer<Void>(ignoresCancellation: true)
      let removals = ManualServer<Void>()
      stage.store?.writes = writes
      stage.store?.removals = removals
      stage.family[1].data.value = 1
      await writes.arrived(1)
      let forgetting = Waiting { try? await stage.family.forgetAll() }
      await forgetting.begun()
      stage.family[2].data.value = 2
      writes.answer(call: 1, with: .success(()))
      await removals.arrived(1)
      expectEqual(stage.store?.written, [1])
      removals.answer(call: 1, with: .success(()))
      writes.answer(call: 2, with: .success(()))
      await forgetting.end()
      await stage.family.settled()
      expectEqual(stage.store?.written, [1, 2])
      expectEqual(stage.store?.keys, [2])
    }

    @Test("12.4 forgetAll discards the writes that wait, and the removal follows those that run")
    func forgetAllWhileWriting() async throws {
      let stage = stage().hold(1, 2)
      let writes = ManualServer<Void>(ignoresCancellation: true)
      stage.store?.writes = writes
      for key in 1...2 {
        stage.family[key].data.value = 1
        stage.family[key].data.value = 2
      }
      await writes.arrived(1)
      let forgetting = Waiting { try? await stage.family.forgetAll() }
      await forgetting.begun()
      writes.answer(call: 1, with: .success(()))
      await forgetting.end()
      await stage.family.settled()
      expectEqual(stage.store?.written.sorted(), [1, 2])
      expectEqual(stage.store?.keys, [])
    }

    @Test("12.4 two removals are both carried out, and a write between them is not")
    func twoForgets() async {
      let stage = stage().hold(1)
      let removals = ManualServer<Void>()
      stage.store?.removals = removals
      let first = Waiting { try? await stage.family.forget(1) }
      await removals.arrived(1)
      stage.family[1].data.value = 1
      let second = Waiting { try? await stage.family.forget(1) }
      await second.begun()
      for call in 1...2 { removals.answer(call: call, with: .success(())) }
      await first.end()
      await second.end()
      await stage.family.settled()
      expectEqual(stage.store?.written, [])
    }
  }
}
