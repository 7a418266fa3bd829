// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoreForgetTests: StoreSuite {
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
  }
}
