// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What an outbox does with entries that it cannot read, with a full disk, after failures, and with what is edited.
  @MainActor
  struct OutboxRulesTests {
    let stage = OutboxStage()
    var store: MemoryOutboxStore<String> { stage.store }
    var send: AsyncOutbox<String, Int> { stage.send }

    // MARK: Entries that cannot be decoded

    @Test(
      "17.15 an entry that cannot be decoded waits, and is named; all others are sent, and a later version sends it")
    func unreadableEntry() async throws {
      for (index, input) in ["a1", "a2", "b1"].enumerated() { store.put(input, key: "\(index)") }
      store.unreadableKeys = ["0"]
      send.resume()
      for input in ["a2", "b1"] { await stage.answer(input) }
      await send.settled()
      expectEqual(stage.sent.sorted(), ["a2", "b1"])
      expectEqual(stage.stored, ["a1"])
      expect(send.entries.isEmpty)
      expectEqual(send.state.waitingCount, 1)
      expectNil(send.state.error)
      expectEqual(send.state.unreadable, [UnreadableEntry(key: "0", position: 0, reason: "cannot be decoded")])
      // What is performed is behind it.
      send.perform("a3")
      await stage.answer("a3")
      await send.settled()
      expectEqual(store.entries.map(\.input), ["a1"])
      store.unreadableKeys = []
      await stage.restart()
      await stage.answer("a1")
      await stage.nothingIsLeft()
      expectEqual(stage.sent.last, "a1")
      expectEqual(stage.keys["a1"], ["0"])
    }

    @Test(
      "17.12, 17.15 an entry that cannot be decoded is discarded, or removed by a log-out", arguments: [false, true])
    func discardUnreadable(isLogOut: Bool) async throws {
      store.put("a1", key: "1")
      store.unreadableKeys = ["1"]
      await send.resume().finished()
      if isLogOut { try await send.discardAll() } else { send.discard(try #require(send.state.unreadable.first)) }
      expect(send.state.unreadable.isEmpty)
      await stage.nothingIsLeft()
    }

    @Test("17.7 entries of a store that have one place are all sent, and get a place each")
    func onePlace() async throws {
      let entries = ["1", "2"].map { StoredEntry(key: $0, position: 3, input: "a\($0)") }
      try await store.save(entries, removing: [], isolation: #isolation)
      stage.online.close()
      send.resume()
      send.perform("a3")
      await send.settled()
      expectEqual(send.entries.count, 3)
      expectEqual(Set(store.entries.map(\.position)).count, 3)
      stage.online.open()
      for count in 1...3 {
        await stage.gate.answer(arriving: count, with: .success(1))
      }
      await stage.nothingIsLeft()
      expectEqual(Set(stage.sent), ["a1", "a2", "a3"])
      expectEqual(stage.sent.last, "a3")
    }

    @Test("17.2, 17.9 of several inputs that are stored together, one that cannot be encoded is refused alone")
    func refusedAlone() async throws {
      let error = EncodingError.invalidValue("", .init(codingPath: [], debugDescription: "no"))
      store.entryError = { $0.input == "a2" ? error : nil }
      stage.online.close()
      let tasks = ["a1", "a2", "b1"].map { send.perform($0) }
      for (index, task) in tasks.enumerated() where index != 1 { try await task.accepted() }
      await #expect(throws: OutboxError.self) { try await tasks[1].accepted() }
      await send.settled()
      expectEqual(stage.stored, ["a1", "b1"])
      expectNil(send.state.error)
      expectEqual(stage.words, "a1 waitingForNetwork, b1 waitingForNetwork")
    }

    @Test("17.9, 17.14 an input that cannot be encoded as it was rewritten has failed for good, and holds up nothing")
    func rewrittenInVain() async throws {
      let server = ManualServer<String>()
      let error = EncodingError.invalidValue("", .init(codingPath: [], debugDescription: "no"))
      store.entryError = { $0.input == "rename 7" ? error : nil }
      let edits = rowEdits(store, server)
      let rename = [edits.perform("create tmp"), edits.perform("rename tmp"), edits.perform("other")][1]
      await server.answer(arrivingFor: "create tmp", with: .success("7"))
      await #expect(throws: EncodingError.self) { try await rename.get() }
      await server.answer(arrivingFor: "other", with: .success(""))
      await edits.settled()
      let failed = try #require(edits.entries.first)
      expectEqual(failed.input, "rename 7")
      expectEqual(failed.phase, .failed)
      expect(failed.error is EncodingError)
      expectEqual(Set(server.arguments(as: String.self)), ["create tmp", "other"])
      expectEqual(stage.stored, ["rename tmp"])
      edits.discard(failed)
      await edits.settled()
      expectEqual(stage.stored, [])
      expectNil(edits.state.error)
    }

    // MARK: Trying again

    @Test("17.16 what has failed is sent again after 30 s, twice as long each time, at most 15 min, at an open gate")
    func pauses() async throws {
      send.perform("a1")
      for (call, seconds) in [30, 60, 120, 240, 480, 900, 900].enumerated() {
        await stage.gate.answer(arriving: call + 1, with: .failure(Failure()))
        await send.settled()
        expectEqual(stage.words, "a1 retrying")
        expect(send.entries[0].error is Failure)
        await stage.clock.advance(by: .seconds(seconds) - .milliseconds(1))
        await send.settled()
        expectEqual(stage.sent.count, call + 1)
        await stage.clock.advance(by: .milliseconds(1))
      }
      await stage.gate.answer(arriving: 8, with: .success(1))
      await send.settled()
      expectEqual(stage.stored, [])
      expectEqual(stage.clock.sleeperCount, 0)
      send.perform("a2")
      await stage.answer("a2", .failure(Failure()))
      await send.settled()
      stage.online.close()
      expectEqual(stage.words, "a2 waitingForNetwork")
      await stage.clock.advance(by: .seconds(30))
      await send.settled()
      expectEqual(stage.sent.count, 9)
      stage.online.open()
      await stage.gate.answer(arriving: 10, with: .failure(Failure()))
      await send.settled()
      send.close()
      await send.settled()
      expectEqual(stage.clock.sleeperCount, 0)
    }

    @Test("17.9, 17.16 a store that cannot be read, or written, is tried again by itself", arguments: [false, true])
    func storePauses(isRead: Bool) async {
      if isRead { await send.resume().finished() }
      (store.readError, store.updateError) = (Failure(), Failure())
      let task = send.perform("a1")
      if isRead { await stage.answer("a1", .failure(OutboxStage.Refusal())) }
      await send.settled()
      expect(send.state.error is Failure)
      expectEqual(stage.stored, (isRead ? ["a1"] : []))
      await stage.clock.advance(by: .seconds(30))
      await send.settled()
      (store.readError, store.updateError) = (nil, nil)
      await stage.clock.advance(by: .seconds(59))
      await send.settled()
      expect(send.state.error is Failure)
      await stage.clock.advance(by: .seconds(1))
      if !isRead { await stage.answer("a1", .failure(OutboxStage.Refusal())) }
      _ = await task.outcome()
      await send.settled()
      expectNil(send.state.error)
      expectEqual(stage.stored, ["(a1)"])
      expectEqual(stage.clock.sleeperCount, 0)
    }

    @Test("17.5 the operation of a former request returns: the time limit of the present one counts all the same")
    func formerOperation() async throws {
      let gate = ManualServer<Int>()
      let options = LoadOptions(timeout: .seconds(5), clock: stage.clock)
      let send = AsyncOutbox<String, Int>(store: store, options: options, isPermanent: { _, attempts in attempts >= 2 })
      {
        _, _ in
        // It ignores that it is cancelled.
        try await Task { try await gate.wait() }.value
      }
      send.perform("a1")
      for attempt in 1...2 {
        await gate.arrived(attempt)
        if attempt == 2 {
          gate.answer(call: 1, with: .success(1))
          await gate.ended(1)
        }
        await stage.clock.advance(by: .seconds(5), sleepersAtLeast: 1)
        if attempt == 1 {
          for await entries in send.observedEntries.values where entries.first?.phase == .retrying { break }
          send.retryFailed()
        }
      }
      gate.answer(call: 2, with: .success(1))
      await send.settled()
      expectEqual(send.setAside.map(\.input), ["a1"])
    }

    @Test("17.7 resume() can be awaited to the end of what can be done now: failed, waiting for the network, or sent")
    func finished() async {
      for input in ["a1", "b1", "c1"] { store.put(input, key: input) }
      let resumed = send.resume()
      let finished = Waiting { await resumed.finished() }
      await stage.answer("a1")
      await stage.answer("b1", .failure(Failure()))
      await stage.gate.arrived(for: "c1")
      expectNil(finished.result)
      await stage.answer("c1")
      await finished.end()
      expectEqual(stage.words, "b1 retrying")
      stage.online.close()
      await send.resume().finished()
      expectEqual(stage.words, "b1 waitingForNetwork")
      expectEqual(stage.sent.count, 3)
      stage.online.open()
      let again = send.resume()
      let cancelled = Task { await again.finished() }
      await stage.gate.arrived(4)
      cancelled.cancel()
      await cancelled.value
      stage.gate.answer(call: 4, with: .success(1))
      await send.settled()
    }

    @Test("17.12 the entries say what becomes of each input, and are observed")
    func phases() async {
      var seen: [String] = []
      let token = send.observedEntries.observe { entries in
        let words = entries.map { "\($0.input) \($0.phase)" }.joined(separator: ", ")
        if seen.last != words { seen.append(words) }
      }
      var states: [String] = []
      let stateToken = send.observedState.observe { states.append("\($0)") }
      send.perform("a1")
      send.perform("a2")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await stage.answer("a2")
      await send.settled()
      expectEqual(
        seen,
        [
          "", "a1 storing", "a1 storing, a2 storing", "a1 queued, a2 queued", "a1 sending, a2 queued",
          "a1 failed, a2 queued",
          "a1 failed, a2 sending", "a1 failed",
        ])
      expectEqual(states, ["empty", "1 waits", "2 wait", "1 waits, 1 has failed", "1 has failed"])
      withExtendedLifetime((token, stateToken)) {}
    }

    @Test("17.10 what has failed for good is not sent by the next outbox of the process, though the store lacks that")
    func inheritedFailure() async {
      store.updateError = Failure()
      send.perform("a1")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await send.settled()
      expectEqual(stage.stored, ["a1"])
      // In advance, so that nothing waits for it if it is sent.
      stage.gate.answer(for: "a1", with: .success(1))
      await stage.restart()
      await send.settled()
      expectEqual(stage.sent, ["a1"])
      expectEqual(stage.words, "a1 failed")
      store.updateError = nil
      send.resume()
      await send.settled()
      expectEqual(stage.sent, ["a1"])
      expectEqual(stage.stored, ["(a1)"])
    }

    @Test("17.8, 17.9 what was taken back is not sent by the next outbox of the process, though the store still has it")
    func inheritedRemoval() async {
      stage.online.close()
      send.perform("a1")
      await send.settled()
      store.removalError = Failure()
      send.discard(send.entries[0])
      await send.settled()
      expectEqual(stage.stored, ["a1"])
      // In advance, so that nothing waits for it if it is sent.
      stage.gate.answer(for: "a1", with: .success(1))
      await stage.restart()
      stage.online.open()
      await send.settled()
      expectEqual(stage.sent, [])
      store.removalError = nil
      send.resume()
      await stage.nothingIsLeft()
    }

    // MARK: Edits

    @Test("17.12 a note that waits is edited: the new text is displayed and sent, unless it is discarded meanwhile")
    func edited() async throws {
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
