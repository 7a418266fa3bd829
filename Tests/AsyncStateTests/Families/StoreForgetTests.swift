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
  }
}
