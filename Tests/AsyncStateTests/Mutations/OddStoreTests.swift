// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// An outbox whose store throws after its work, or does nothing in a task that was cancelled, as that of a database.
  @MainActor
  struct OddStoreTests {
    final class OddStore: OutboxStore {
      let base = MemoryOutboxStore<String>()
      var throwsAfterUpdates = false
      /// Called before each update.
      var willUpdate: @MainActor () async throws -> Void = {}
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
        let isUpdate = entries.contains { entry in base.entries.contains { $0.key == entry.key } }
        if isUpdate { try await willUpdate() }
        try await base.save(entries, removing: keys, isolation: isolation)
        if isUpdate, throwsAfterUpdates { throw Failure() }
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
      #expect(store.base.entries.map(\.attempts) == [0] && server.callCount == 0)
    }

    @Test("17.14 an input that is set aside is rewritten by an answer, also where its retry was stored and refused")
    func refusedRetry() async throws {
      let send = rowEdits(store, server)
      for call in 1...2 { server.answer(call: call, with: .failure(OutboxStage.Refusal())) }
      send.perform("create tmp")
      send.perform("rename tmp")
      await send.settled()
      let create = try #require(send.setAside.first { $0.input == "create tmp" })
      let rename = try #require(send.setAside.first { $0.input == "rename tmp" })
      send.retry(create)
      await server.arrived(3)
      store.throwsAfterUpdates = true
      guard case .failure = await send.retry(rename)?.outcome() else { return #expect(Bool(false)) }
      store.throwsAfterUpdates = false
      server.answer(call: 3, with: .success("7"))
      await send.settled()
      let present = try #require(send.setAside.first)
      #expect(present.input == "rename 7" && store.base.entries.map(\.input) == ["rename 7"])
      server.answer(call: 4, with: .success(""))
      await send.retry(rename)?.outcome()
      await send.settled()
      expectEqual(server.arguments(as: String.self), ["create tmp", "rename tmp", "create tmp", "rename 7"])
      expectEqual(store.base.count, 0)
    }

    @Test("17.1, 17.10 an outbox that is released while it counts an attempt does not make it")
    func releasedWhileCounting() async throws {
      var send: AsyncOutbox<String, String>? = rowEdits(store, server)
      weak let left = send
      store.willUpdate = { send = nil }
      let task = send?.perform("rename 1")
      try await task?.accepted()
      _ = await task?.outcome()
      store.willUpdate = {}
      #expect(left == nil && server.callCount == 0)
      let next = rowEdits(store, server)
      await next.resume().restored()
      await server.arrived(1)
      expectEqual(store.base.entries.map(\.attempts), [1], "the one that is made now")
      server.answer(call: 1, with: .success(""))
      await next.settled()
      expectEqual(store.base.count, 0)
    }

    @Test("17.8, 10.4 a log-out forgets all values though the store of an outbox is slow, and returns after that store")
    func logOutWithASlowStore() async throws {
      let service = GatedWeather()
      let (store, removal) = (OddStore(), ManualServer<Void>())
      let account = AppSamples.Account(service: service, notes: store)
      let oslo = account.forecasts["Oslo"]
      oslo.data.value = AppSamples.Forecast(city: "Oslo", temperature: 3)
      try await account.notes.perform("Umbrella").accepted()
      store.willRemoveAll = { try await removal.wait() }
      let leaving = Waiting { try? await account.logOut() }
      await removal.arrived(1)
      await account.forecasts.settled()
      #expect(oslo.value == nil && leaving.result == nil && store.base.count == 1)
      removal.answer(call: 1, with: .success(()))
      #expect(await leaving.end() != nil && store.base.count == 0)
    }
  }
}
