// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// An outbox whose store does nothing in a task that was cancelled, as that of a database, and that cannot always be emptied.
  @MainActor
  struct OddStoreTests {
    final class OddStore: OutboxStore {
      let base = MemoryOutboxStore<String>()
      /// Called before everything is removed.
      var willRemoveAll: @MainActor () async throws -> Void = {}
      var place: String { base.place }

      func entries(
        isolation: isolated (any Actor)?
      ) async throws -> [Result<StoredEntry<String>, UnreadableEntry>] {
        try Task.checkCancellation()
        return try await base.entries(isolation: isolation)
      }

      func save(
        _ entries: [StoredEntry<String>], removing keys: Set<String>, isolation: isolated (any Actor)?
      ) async throws {
        try Task.checkCancellation()
        try await base.save(entries, removing: keys, isolation: isolation)
      }

      func removeAll(isolation: isolated (any Actor)?) async throws {
        try Task.checkCancellation()
        try await willRemoveAll()
        try await base.removeAll(isolation: isolation)
      }
    }

    let store = OddStore()
    let server = ManualServer<String>()

    @Test("17.12, 17.13 an attempt that was counted and not made is none, also in a store that heeds a cancellation")
    func cancelledCount() async throws {
      let updates = ManualServer<Void>(ignoresCancellation: true)
      store.base.updates = updates
      let send = rowEdits(store, server)
      send.perform("rename 1")
      await updates.arrived(1)
      send.close()
      store.base.updates = nil
      updates.answer(call: 1, with: .success(()))
      await send.settled()
      expectEqual(store.base.entries.map(\.attempts), [0])
      expectEqual(server.callCount, 0)
    }

    /// An account whose outbox uses the store, with a note that waits, and with a value.
    private func account(_ service: GatedWeather) async throws -> (
      account: AppSamples.Account, oslo: AsyncResource<AppSamples.Forecast>, note: MutationTask<Void>
    ) {
      let account = AppSamples.Account(service: service, notes: store)
      let oslo = account.forecasts["Oslo"]
      oslo.data.value = AppSamples.Forecast(city: "Oslo", temperature: 3)
      let note = account.notes.perform("Umbrella")
      try await note.accepted()
      return (account, oslo, note)
    }

    @Test("17.8, 10.4 a log-out forgets all values though the store of an outbox is slow, and returns after that store")
    func logOutWithASlowStore() async throws {
      let ((account, oslo, _), removal) = (try await account(GatedWeather()), ManualServer<Void>())
      store.willRemoveAll = { try await removal.wait() }
      let leaving = Waiting { try? await account.logOut() }
      await removal.arrived(1)
      await account.forecasts.settled()
      expectNil(oslo.value)
      expectNil(leaving.result)
      expectEqual(store.base.count, 1)
      removal.answer(call: 1, with: .success(()))
      expect(await leaving.end() != nil)
      expectEqual(store.base.count, 0)
    }

    @Test(
      "17.9 a log-out removes what waits in an outbox, and forgets all values though the store of the outbox throws")
    func logOutWithAStoreThatThrows() async throws {
      let service = GatedWeather()
      let (account, oslo, note) = try await account(service)
      let name = account.rename.perform("Ada")
      await service.temperatures.arrived(2)
      store.willRemoveAll = { throw AppSamples.Offline() }
      await #expect(throws: AppSamples.Offline.self) { try await account.logOut() }
      expectNil(oslo.value)
      store.willRemoveAll = {}
      try await account.logOut()
      for end in [await note.outcome(), await name.outcome()] { expectEqual("\(end)", "cancelled") }
      expect(store.base.entries.isEmpty)
    }
  }
}
