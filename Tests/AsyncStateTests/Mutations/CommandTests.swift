// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Screens whose commands must not be lost, sent twice, or held up by others.
  @MainActor
  struct CommandTests {
    @Test(
      "17.12 a note is edited while it waits: the new text is displayed, stored, sent, and the handle is of that; unless it is discarded meanwhile"
    )
    func edited() async throws {
      let stage = OutboxStage()
      let list = await stage.displaying()
      stage.online.close()
      let task = stage.send.perform("a1")
      try await task.accepted()
      let entry = stage.send.entries[0]
      var seen: [[String]] = []
      let token = list.observed.observe { seen.append($0.value ?? []) }
      expect(try await stage.send.replace(entry, with: "b1"))
      expectEqual(seen, [["a1"], ["b1"]])
      expectEqual(stage.stored, ["b1"])
      stage.online.open()
      await stage.answer("b1", .success(5))
      try await expectEqual(task.get(), 5)
      expect(try await !stage.send.replace(entry, with: "c1"), "it has been sent")
      expectEqual(list.value, ["b1"])
      expectEqual(stage.stored, [])
      token.cancel()
      stage.online.close()
      try await stage.send.perform("a1").accepted()
      let (updates, discarded) = (ManualServer<Void>(), stage.send.entries[0])
      stage.store.updates = updates
      let replacing = Task { try await stage.send.replace(discarded, with: "a2") }
      await updates.arrived(1)
      stage.send.discard(discarded)
      updates.answer(call: 1, with: .success(()))
      expect(try await !replacing.value)
      await stage.nothingIsLeft()
    }

    // MARK: Attempts

    @Test("17.13 a bad input before a good one, and a restart after each attempt: the third one sets it aside")
    func poison() async throws {
      let (store, gate) = (MemoryOutboxStore<String>(), ManualServer<Int>())
      func make() -> AsyncOutbox<String, Int> {
        AsyncOutbox(store: store, options: .timeless, isPermanent: { _, attempts in attempts >= 3 }) { input, _ in
          try await gate.wait(for: input)
        }
      }
      store.put("bad", key: "1")
      store.put("good", key: "2")
      for attempt in 1...3 {
        let launch = make()
        await launch.resume().restored()
        await gate.answer(arriving: attempt, with: .failure(Failure()))
        if attempt == 3 { gate.answer(for: "good", with: .success(1)) }
        await launch.settled()
      }
      expectEqual(gate.arguments(as: String.self), ["bad", "bad", "bad", "good"])
      expectEqual(store.entries.map(\.input), ["bad"])
      expect(store.entries[0].failure != nil)
      expectEqual(store.entries[0].attempts, 3)
    }

    @Test(
      "17.13, 3.12 a change that a former launch has sent is in doubt; one that it has only stored is not",
      arguments: [0, 1])
    func restoredChange(attempts: Int) async throws {
      let stage = OutboxStage()
      let list = await stage.displaying()
      stage.store.put("a1", key: "1", attempts: attempts)
      stage.online.close()
      await stage.send.resume().restored()
      let entry = stage.send.entries[0]
      stage.send.discard(entry)
      await stage.send.settled()
      expectEqual(list.value, [])
      expectEqual(list.isStale, (attempts > 0))
    }

    // MARK: Identities that the server gives

    @Test(
      "17.14 a row is created and renamed offline, and the process ends between: the rename is sent to the server's identity",
      arguments: [false, true])
    func serverIdentity(restarts: Bool) async throws {
      let (store, server) = (MemoryOutboxStore<String>(), ManualServer<String>(ignoresCancellation: true))
      let rows = await loaded([String]())
      func launch() -> AsyncOutbox<String, String> { rowEdits(store, server).changing({ _ in rows }) { $0.append($1) } }
      var send = launch()
      for input in ["create tmp", "rename tmp"] { send.perform(input) }
      await server.arrived(1)
      if restarts {
        send = launch()
        await send.resume().restored()
        server.answer(call: 1, with: .success("52"))
        // The server has done it, and says the same.
        await server.arrived(2)
      }
      expectEqual(rows.value, ["create tmp", "rename tmp"])
      server.answer(call: restarts ? 2 : 1, with: .success("52"))
      await server.arrived(for: "rename 52")
      expectEqual(rows.value, ["create tmp", "rename 52"])
      server.answer(for: "rename 52", with: .success(""))
      await send.settled()
      expectEqual(store.count, 0)
      expectEqual(rows.value, ["create tmp", "rename 52"])
    }
  }
}
