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
      /// Called after a save: it may throw though that is done.
      var didSave: () throws -> Void = {}
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
        try didSave()
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

    @Test("10.2, 17.8 nothing of a former launch is displayed after a log-out, or a discard that was not written")
    func discardedInVain() async throws {
      let stage = OutboxStage()
      let notes = await stage.displaying([""])
      stage.store.put("a1", key: "1")
      var seen: [[String]?] = []
      let token = notes.observed.observe { seen.append($0.value) }
      try await stage.send.discardAll()
      expect(!seen.contains { $0?.contains("a1") == true })
      expectEqual(notes.value, [""])
      expectEqual(stage.stored, [])
      token.cancel()
      let (list, store) = (await loaded(["first"]), MemoryOutboxStore<String>())
      store.put("rename tmp", key: "1")
      let send = rowEdits(store, server).changing({ _ in list }) { $0.append($1) }
      (store.updateError, store.removalError) = (Failure(), Failure())
      await send.resume().restored()
      let entry = try #require(send.entries.first)
      send.discard(entry)
      await send.settled()
      (store.updateError, store.removalError) = (nil, nil)
      await send.resume().restored()
      await send.settled()
      expectEqual(list.value, ["first"])
      expect(!list.data.hasPendingChanges)
      expectEqual(server.callCount, 0)
      expectEqual(store.count, 0)
    }

    @Test(
      "17.9, 17.10 what a log-out could not remove is not sent, displayed or returned by the next outbox of the store either",
      arguments: [true, false])
    func owedToTheNext(isClosed: Bool) async throws {
      let (gate, store) = (LoadGate(isOpen: false), MemoryOutboxStore<String>())
      var send: AsyncOutbox<String, String>? = rowEdits(store, server, gate: gate)
      try await send?.perform("rename 1").accepted()
      store.removalError = Failure()
      await #expect(throws: Failure.self) { try await send?.discardAll() }
      expectEqual(send?.state.waitingCount, 0)
      if isClosed { send?.close() }
      send = nil
      let list = await loaded(["first"])
      let next = rowEdits(store, server, gate: gate).changing({ _ in list }) { $0.append($1) }
      gate.open()
      await next.resume().restored()
      await next.settled()
      expect(next.entries.isEmpty)
      expect(next.state.error is Failure)
      expectEqual(list.value, ["first"])
      expectEqual(server.callCount, 0)
      expectEqual(next.state.waitingCount, 0)
      store.removalError = nil
      try await next.perform("rename 2").accepted()
      await server.answer(arrivingFor: "rename 2", with: .success(""))
      await next.settled()
      expectEqual(server.arguments(as: String.self), ["rename 2"])
      expectEqual(store.count, 0)
      expectNil(next.state.error)
    }

    @Test(
      "17.9, 17.10, 17.12 of two quick edits that one is sent which is stored, also by the next outbox, where the disk is full after it",
      arguments: [true, false], [true, false])
    func editsOnAFullDisk(isStored: Bool, isClosed: Bool) async throws {
      let (gate, updates, list) = (LoadGate(isOpen: false), ManualServer<Void>(), await loaded([String]()))
      let send = rowEdits(store, server, gate: gate).changing({ _ in list }) { $0.append($1) }
      try await send.perform("draft 1").accepted()
      let entry = send.entries[0]
      store.base.updates = updates
      let first = Waiting { try? await send.replace(entry, with: "first 1") }
      await updates.arrived(1)
      let second = Waiting { try? await send.replace(entry, with: "second 1") }
      await second.begun()
      expectEqual(list.value, ["second 1"])
      if isClosed { send.close() }
      store.base.updates = nil
      store.didSave = { [base = store.base] in
        base.updateError = Failure()
        if !isStored { throw Failure() }
      }
      updates.answer(call: 1, with: .success(()))
      await expectEqual(first.end(), isStored ? true : nil)
      await expectEqual(second.end(), nil)
      let last = isClosed ? rowEdits(store, server, gate: gate).changing({ _ in list }) { $0.append($1) } : send
      await last.resume().restored()
      // In advance, so that nothing waits for what is not sent.
      for text in ["draft 1", "first 1", "second 1"] { server.answer(for: text, with: .success("")) }
      gate.open()
      await last.settled()
      let text = isStored ? "first 1" : "draft 1"
      expectEqual(list.value, [text])
      expectEqual(last.entries.map(\.input), [text])
      expectEqual(server.callCount, 0, "the store may have another text under its key")
      (store.base.updateError, store.didSave) = (nil, {})
      last.resume()
      await last.settled()
      expectEqual(server.arguments(as: String.self), [text])
      expectEqual(store.base.count, 0)
    }

    @Test("17.9, 17.10, 17.14 a creation that is answered on a full disk is not sent again by the next outbox")
    func answeredOnAFullDisk() async throws {
      let (store, list) = (store.base, await loaded([String]()))
      let send = rowEdits(store, server)
      let create = send.perform("create tmp")
      try await send.perform("rename tmp").accepted()
      await server.arrived(1)
      (store.updateError, store.removalError) = (Failure(), Failure())
      server.answer(call: 1, with: .success("7"))
      try await expectEqual(create.get(), "7")
      send.close()
      for text in ["create tmp", "rename tmp", "rename 7"] { server.answer(for: text, with: .success("7")) }
      let next = rowEdits(store, server).changing({ _ in list }) { $0.append($1) }
      await next.resume().restored()
      await next.settled()
      expectEqual(next.entries.map(\.input), ["rename 7"])
      expectEqual(list.value, ["rename 7"])
      expectEqual(server.callCount, 1)
      (store.updateError, store.removalError) = (nil, nil)
      next.resume()
      await next.settled()
      expectEqual(server.arguments(as: String.self), ["create tmp", "rename 7"])
      expectEqual(store.count, 0)
    }
  }
}
