// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Screens whose commands must not be lost, sent twice, or held up by others.
  @MainActor
  struct CommandTests {
    @Test("17.5 what has waited for another attempt continues when there is room, and gives up when it is cancelled")
    func roomForAnotherAttempt() async throws {
      let stage = OutboxStage(width: 1, retry: RetryPolicy { _ in .seconds(1) })
      let (first, cancelled) = (stage.send.perform("a"), stage.send.perform("b"))
      await stage.answer("a", .failure(Failure()))
      await stage.answer("b", .failure(Failure()))
      await stage.clock.sleepers(atLeast: 2)
      let slow = stage.send.perform("c")
      await stage.gate.arrived(for: "c")
      await stage.clock.advance(by: .seconds(1))
      cancelled.cancel()
      guard case .cancelled = await cancelled.outcome() else { return #expect(Bool(false)) }
      expectEqual(stage.sent, ["a", "b", "c"])
      stage.gate.answer(for: "a", with: .success(1))
      stage.gate.answer(for: "c", with: .success(3))
      try await expectEqual(slow.get(), 3)
      try await expectEqual(first.get(), 1)
      #expect(stage.sent == ["a", "b", "c", "a"] && stage.stored == [])
    }

    @Test("17.12 a note is edited while it waits: the new text is displayed, stored, sent, and the handle is of that")
    func edited() async throws {
      let stage = OutboxStage()
      let list = await stage.displaying()
      stage.online.close()
      let task = stage.send.perform("a1")
      try await task.accepted()
      let entry = stage.send.entries[0]
      var seen: [[String]] = []
      let token = list.observed.observe { seen.append($0.value ?? []) }
      #expect(try await stage.send.replace(entry, with: "b1"))
      #expect(seen == [["a1"], ["b1"]] && stage.stored == ["b1"])
      stage.online.open()
      await stage.answer("b1", .success(5))
      try await expectEqual(task.get(), 5)
      #expect(try await !stage.send.replace(entry, with: "c1"), "it has been sent")
      #expect(list.value == ["b1"] && stage.stored == [])
      token.cancel()
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
        await gate.arrived(attempt)
        gate.answer(call: attempt, with: .failure(Failure()))
        if attempt == 3 { gate.answer(for: "good", with: .success(1)) }
        await launch.settled()
      }
      expectEqual(gate.arguments(as: String.self), ["bad", "bad", "bad", "good"])
      #expect(
        store.entries.map(\.input) == ["bad"] && store.entries[0].failure != nil && store.entries[0].attempts == 3)
    }

    @Test(
      "17.13 an attempt that cannot be counted is made all the same, and counted later; it is not replaced meanwhile")
    func notCounted() async throws {
      let stage = OutboxStage()
      stage.store.updateError = OutboxStage.Refusal()
      stage.send.perform("a1")
      await stage.answer("a1", .failure(Failure()))
      await stage.send.settled()
      #expect(stage.stored == ["a1"] && stage.store.entries[0].attempts == 0 && stage.send.entries[0].attempts == 1)
      #expect(stage.send.state.error is OutboxStage.Refusal && stage.send.lastError is Failure)
      #expect(try await !stage.send.replace(stage.send.entries[0], with: "a2"))
      stage.store.updateError = nil
      stage.online.close()
      stage.send.resume()
      await stage.send.settled()
      #expect(stage.store.entries[0].attempts == 1 && stage.send.state.error == nil)
      stage.online.open()
      await stage.gate.arrived(2)
      stage.gate.answer(call: 2, with: .success(1))
      await stage.send.settled()
      #expect(stage.stored == [] && stage.sent == ["a1", "a1"])
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
      #expect(list.value == [] && list.isStale == (attempts > 0))
    }

    // MARK: Identities that the server gives

    enum Edit: Equatable, CustomStringConvertible {
      case create(Int)
      case rename(Int, String)

      var id: Int {
        switch self {
        case .create(let id), .rename(let id, _): id
        }
      }
      var description: String {
        switch self {
        case .create(let id): "create \(id)"
        case .rename(let id, let name): "rename \(id) \(name)"
        }
      }

      func with(_ id: Int) -> Edit { if case .rename(_, let name) = self { .rename(id, name) } else { .create(id) } }
    }

    struct Row: Equatable, Identifiable, CustomStringConvertible {
      var id: Int
      var name = "new"
      var description: String { "\(id) \(name)" }
    }

    private func edits(
      _ store: MemoryOutboxStore<Edit>, _ rows: AsyncResource<[Row]>, _ online: LoadGate, _ gate: ManualServer<Int>
    ) -> AsyncOutbox<Edit, Int> {
      AsyncOutbox(
        store: store, options: LoadOptions(clock: ManualClock(), gate: online), lane: { "\($0.id)" },
        isPermanent: { _, _ in false }
      ) { edit, _ in
        try await gate.wait(for: "\(edit)")
      }
      .changing({ _ in rows }) { rows, edit in
        switch edit {
        case .create(let id): rows.append(Row(id: id))
        case .rename(let id, let name): for index in rows.indices where rows[index].id == id { rows[index].name = name }
        }
      } confirming: { rows, edit, id in
        switch edit {
        case .create: rows.append(Row(id: id))
        case .rename(let id, let name): for index in rows.indices where rows[index].id == id { rows[index].name = name }
        }
      }
      .rewriting { edit, id in
        guard case .create(let temporary) = edit else { return nil }
        return { $0.id == temporary ? $0.with(id) : nil }
      }
    }

    @Test(
      "17.14 a row is created and renamed offline, and the process ends between: the rename is sent to the server's identity",
      arguments: [false, true])
    func serverIdentity(restarts: Bool) async throws {
      let (store, online, gate) = (MemoryOutboxStore<Edit>(), LoadGate(), ManualServer<Int>(ignoresCancellation: true))
      let rows = AsyncResource { [Row]() }
      await rows.load()
      var launch: AsyncOutbox<Edit, Int>? = edits(store, rows, online, gate)
      launch?.perform(.create(-1))
      launch?.perform(.rename(-1, "oak"))
      expectEqual(rows.value, [Row(id: -1, name: "oak")])
      await gate.arrived(for: "create -1")
      if restarts {
        launch = nil
        gate.answer(call: 1, with: .success(52))
        launch = edits(store, rows, online, gate)
        await launch?.resume().restored()
        // The server has done it, and says the same.
        await gate.arrived(2)
        expectEqual(rows.value, [Row(id: -1, name: "oak")])
      }
      gate.answer(call: restarts ? 2 : 1, with: .success(52))
      await gate.arrived(for: "rename 52 oak")
      expectEqual(rows.value, [Row(id: 52, name: "oak")])
      gate.answer(for: "rename 52 oak", with: .success(52))
      await launch?.settled()
      #expect(store.count == 0 && rows.value == [Row(id: 52, name: "oak")])
      expectEqual(gate.arguments(as: String.self).last, "rename 52 oak")
    }

    @Test(
      "16.7, 17.14 an input that cannot be rewritten yet stays displayed, and nothing of its lane is sent before it is")
    func rewritingFails() async throws {
      let (store, online, gate) = (MemoryOutboxStore<Edit>(), LoadGate(), ManualServer<Int>())
      let rows = AsyncResource { [Row]() }
      await rows.load()
      let outbox = edits(store, rows, online, gate)
      let create = outbox.perform(.create(-1))
      outbox.perform(.rename(-1, "oak"))
      await gate.arrived(1)
      var seen: [[String]] = []
      let token = rows.observe { seen.append($0.value?.map(\.name) ?? []) }
      store.updateError = Failure()
      gate.answer(call: 1, with: .success(52))
      try await expectEqual(create.get(), 52)
      await outbox.settled()
      #expect(store.entries.map(\.input) == [.create(-1), .rename(-1, "oak")] && outbox.state.error is Failure)
      store.updateError = nil
      await outbox.resume().restored()
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(52))
      await outbox.settled()
      #expect(gate.arguments(as: String.self) == ["create -1", "rename 52 oak"] && store.count == 0)
      #expect(seen.allSatisfy { $0 == ["oak"] } && rows.value == [Row(id: 52, name: "oak")])
      withExtendedLifetime(token) {}
    }

    // MARK: One store, one outbox

    @Test("17.4, 17.10 a second outbox of a store takes it over from a leaked one, which is closed after its call")
    func twoOutboxes() async throws {
      let stage = OutboxStage()
      let leaked = stage.make()
      let (sent, queued) = (leaked.perform("a1"), leaked.perform("a2"))
      await stage.gate.arrived(1)
      stage.store.appends = ManualServer()
      let storing = leaked.perform("b1")
      await stage.store.appends?.arrived(1)
      let resumed = stage.send.resume()
      for task in [sent, queued] {
        guard case .cancelled = await task.outcome() else { return #expect(Bool(false)) }
      }
      stage.store.appends?.answer(call: 1, with: .success(()))
      try await storing.accepted()
      await resumed.restored()
      #expect(stage.send.entries.map(\.input) == ["a1", "a2", "b1"] && leaked.entries.isEmpty)
      await #expect(throws: OutboxError.self) { try await leaked.perform("late").get() }
      await stage.gate.arrived(3)
      for call in 2...3 { stage.gate.answer(call: call, with: .success(1)) }
      await stage.answer("a2")
      await stage.send.settled()
      #expect(
        stage.sent.byLane == ["a1", "a1", "b1", "a2"].byLane && stage.keys["a1"]?.count == 1 && stage.stored == [])
      withExtendedLifetime(leaked) {}
    }
  }
}
