// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What an outbox owes its store: it is done before anything else is accepted or sent.
  @MainActor
  struct OwedWorkTests {
    let store = MemoryOutboxStore<String>()
    let server = ManualServer<String>()

    private func answer(_ inputs: String...) async {
      for input in inputs {
        await server.answer(arrivingFor: input, with: .success(""))
      }
    }

    private var sent: [String] { server.arguments(as: String.self) }

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
      let list = await loaded(["first"])
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
      expectEqual(sent, [])
      expectEqual(store.count, 0)
    }

    @Test(
      "17.9, 17.10 what a log-out could not remove is not sent, displayed or returned by the next outbox of the store either",
      arguments: [true, false])
    func owedToTheNext(isClosed: Bool) async throws {
      let gate = LoadGate(isOpen: false)
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
      expect(sent.isEmpty)
      expectEqual(next.state.waitingCount, 0)
      store.removalError = nil
      try await next.perform("rename 2").accepted()
      await answer("rename 2")
      await next.settled()
      expectEqual(sent, ["rename 2"])
      expectEqual(store.count, 0)
      expectNil(next.state.error)
    }
  }
}
