// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What a person takes back, or adds, while the store of an outbox is at work on the same input.
  @MainActor
  struct WithdrawnTests {
    let stage = OutboxStage()
    var store: MemoryOutboxStore<String> { stage.store }
    var send: AsyncOutbox<String, Int> { stage.send }

    private func word(_ task: MutationTask<Int>?) async -> String {
      switch await task?.outcome() {
      case .success: "success"
      case .failure: "failure"
      case .cancelled: "cancelled"
      default: "other"
      }
    }

    @Test("17.1, 17.8 what was set aside, retried, and discarded while that is stored is removed")
    func setAsideAgain() async throws {
      send.perform("a1")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await send.settled()
      let entry = try #require(send.setAside.first)
      let updates = ManualServer<Void>()
      store.updates = updates
      let second = send.retry(entry)
      await updates.arrived(1)
      send.discard(entry)
      expectNil(send.retry(entry))
      store.updates = nil
      updates.answer(call: 1, with: .success(()))
      await expectEqual(word(second), "cancelled")
      await send.settled()
      #expect(stage.sent == ["a1"] && stage.stored == [] && send.state.waitingCount == 0 && send.setAside.isEmpty)
    }

    @Test(
      "17.8 what is taken back while it cannot be stored is displayed nowhere, and not sent",
      arguments: [false, true])
    func takenBackUnstored(isLogOut: Bool) async {
      let appends = ManualServer<Void>()
      store.appends = appends
      let task = send.perform("secret of A")
      await appends.arrived(1)
      let logOut = isLogOut ? Waiting { try? await send.discardAll() } : nil
      if !isLogOut { task.cancel() }
      await logOut?.begun()
      appends.answer(call: 1, with: .failure(Failure()))
      _ = await logOut?.end()
      await expectEqual(word(task), "cancelled")
      await send.settled()
      #expect(stage.words == "" && stage.sent == [])
    }

    @Test("17.1 accepted() throws for an input that was taken back while it was stored")
    func notAccepted() async {
      let appends = ManualServer<Void>()
      store.appends = appends
      let task = send.perform("a1")
      await appends.arrived(1)
      task.cancel()
      appends.answer(call: 1, with: .success(()))
      await #expect(throws: CancellationError.self) { try await task.accepted() }
      await send.settled()
      #expect(stage.stored == [] && stage.sent == [] && send.state.waitingCount == 0)
    }

    @Test(
      "17.8, 17.9 what is cancelled while it is set aside is removed, and not sent again", arguments: [false, true])
    func cancelledWhileSetAside(isFailing: Bool) async {
      let task = send.perform("a1")
      await stage.gate.arrived(1)
      let updates = ManualServer<Void>()
      store.updates = updates
      if isFailing { store.updateError = Failure() }
      stage.gate.answer(call: 1, with: .failure(OutboxStage.Refusal()))
      await updates.arrived(1)
      task.cancel()
      store.updates = nil
      updates.answer(call: 1, with: .success(()))
      await send.settled()
      store.updateError = nil
      await send.resume().restored()
      await send.settled()
      #expect(stage.sent == ["a1"] && stage.stored == [] && send.setAside.isEmpty)
      expectEqual(send.state.waitingCount, 0)
      await expectEqual(word(task), "cancelled")
    }

    @Test("17.8, 17.9 a retry that is taken back while it is stored leaves the input set aside, and holds nothing up")
    func retryTakenBack() async throws {
      store.put("a1", key: "1", failure: "refused")
      await send.resume().restored()
      let updates = ManualServer<Void>()
      store.updates = updates
      let again = try #require(send.retry(send.setAside[0]))
      await updates.arrived(1)
      again.cancel()
      // The store cannot note that it is set aside again.
      store.updateError = Failure()
      store.removalError = Failure()
      store.updates = nil
      updates.answer(call: 1, with: .success(()))
      await send.settled()
      expectEqual(send.setAside.count, 1)
      store.updateError = nil
      let other = send.perform("b1")
      await stage.answer("b1")
      await expectEqual(word(other), "success")
      store.removalError = nil
      await send.resume().restored()
      await send.settled()
      #expect(stage.sent == ["b1"] && stage.stored == ["(a1)"] && send.state.waitingCount == 0)
      await expectEqual(word(again), "cancelled")
    }

    @Test(
      "17.8 a retry that is cancelled leaves the input set aside, also while it is stored", arguments: [false, true])
    func retryCancelled(isStored: Bool) async throws {
      store.put("a1", key: "1", failure: "refused")
      await send.resume().restored()
      let updates = ManualServer<Void>()
      store.updates = updates
      let again = try #require(send.retry(send.setAside[0]))
      if isStored { await updates.arrived(1) }
      again.cancel()
      store.updates = nil
      updates.answer(call: 1, with: .success(()))
      await expectEqual(word(again), "cancelled")
      await send.resume().restored()
      await send.settled()
      #expect(stage.sent == [] && stage.stored == ["(a1)"] && send.setAside.map(\.input) == ["a1"])
      expectEqual(send.state.waitingCount, 0)
    }

    @Test("17.9 what cannot be set aside is, also where it was retried by then and cannot be stored again")
    func retriedInVain() async {
      let task = send.perform("a1")
      await stage.gate.arrived(1)
      let updates = ManualServer<Void>()
      store.updates = updates
      store.updateError = Failure()
      stage.gate.answer(call: 1, with: .failure(OutboxStage.Refusal()))
      await updates.arrived(1)
      let again = send.retryFailed()
      store.updates = nil
      updates.answer(call: 1, with: .success(()))
      await expectEqual(word(task), "failure")
      await expectEqual(word(again), "failure")
      await send.settled()
      #expect(stage.stored == ["a1"] && send.state.waitingCount == 0 && send.setAside.count == 1)
      store.updateError = nil
      send.resume()
      await send.settled()
      #expect(stage.stored == ["(a1)"] && stage.sent == ["a1"])
    }

    @Test(
      "17.5, 17.12, 17.13 all that has failed is retried: what waits already is counted once, and keeps its attempts")
    func retriesAll() async throws {
      send.perform("k1")
      await stage.answer("k1", .failure(OutboxStage.Refusal()))
      await send.settled()
      send.perform("b1")
      await stage.answer("b1", .failure(Failure()))
      await send.settled()
      stage.online.close()
      for entry in send.setAside { send.retry(entry) }
      send.retryFailed()
      await send.settled()
      expectEqual(send.state.waitingCount, 2)
      let entry = try #require(send.entries.first { $0.input == "b1" })
      expectEqual(entry.attempts, 1)
      try await expectEqual(send.replace(entry, with: "b2"), false)
      stage.online.open()
      for call in 3...4 {
        await stage.gate.arrived(call)
        stage.gate.answer(call: call, with: .success(1))
      }
      await send.settled()
      #expect(send.state.waitingCount == 0 && stage.stored == [] && stage.keys["b1"]?.count == 1)
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
        await stage.clock.sleepers(atLeast: 1)
        await stage.clock.advance(by: .seconds(5))
        if attempt == 1 {
          for await entries in send.observedEntries.values where entries.first?.phase == .retrying { break }
          send.retryFailed()
        }
      }
      gate.answer(call: 2, with: .success(1))
      await send.settled()
      expectEqual(send.setAside.map(\.input), ["a1"])
    }

    @Test(
      "17.10 closed: nothing is accepted or sent any more; the next outbox sends what waits, while this one is held")
    func closed() async throws {
      let former = send
      let (first, second) = (former.perform("a1"), former.perform("a2"))
      await stage.gate.arrived(1)
      let appends = ManualServer<Void>()
      store.appends = appends
      let third = former.perform("a3")
      await appends.arrived(1)
      former.close()
      let next = stage.make()
      let resumed = Task { await next.resume().restored() }
      for task in [first, second] { await expectEqual(word(task), "cancelled") }
      let late = former.perform("late")
      await expectEqual(word(late), "failure")
      #expect(former.state.waitingCount == 0 && former.entries.isEmpty)
      await #expect(throws: OutboxError.self) { try await late.accepted() }
      await #expect(throws: OutboxError.self) { try await former.discardAll() }
      await former.resume().restored()
      former.close()
      store.appends = nil
      appends.answer(call: 1, with: .success(()))
      await expectEqual(word(third), "cancelled")
      await resumed.value
      expectEqual(stage.stored, ["a1", "a2", "a3"])
      await stage.gate.arrived(2)
      stage.gate.answer(call: 2, with: .success(1))
      for input in ["a2", "a3"] { await stage.answer(input) }
      await next.settled()
      #expect(stage.sent == ["a1", "a1", "a2", "a3"] && stage.stored == [] && stage.keys["a1"]?.count == 1)
      withExtendedLifetime(former) {}
    }

    @Test(
      "17.9, 17.10, 17.13 closed while what was set aside is retried, and the store throws: it stays set aside there")
    func closedDuringARetry() async throws {
      send.perform("a1")
      await stage.answer("a1", .failure(OutboxStage.Refusal()))
      await send.settled()
      let updates = ManualServer<Void>()
      store.updates = updates
      let retry = send.retry(try #require(send.setAside.first))
      await updates.arrived(1)
      send.close()
      #expect(send.setAside.isEmpty)
      store.updates = nil
      updates.answer(call: 1, with: .failure(Failure()))
      await expectEqual(word(retry), "failure")
      await send.settled()
      #expect(stage.stored == ["(a1)"] && send.setAside.isEmpty)
    }

    @Test("17.10, 17.13 an outbox that is released while it counts has left the store before the next one")
    func releasedWhileCounting() async {
      let updates = ManualServer<Void>(ignoresCancellation: true)
      store.updates = updates
      var former: AsyncOutbox<String, Int>? = stage.make()
      former?.perform("a1")
      await updates.arrived(1)
      former = nil
      let resuming = Waiting { [send] in await send.resume().restored() }
      await resuming.begun()
      updates.answer(call: 1, with: .success(()))
      await updates.arrived(2)
      #expect(resuming.result == nil && store.entries[0].attempts == 1)
      store.updates = nil
      updates.answer(call: 2, with: .success(()))
      await resuming.end()
      await stage.gate.arrived(1)
      expectEqual(store.entries[0].attempts, 1, "only that of the next one counts")
      await stage.answer("a1")
      await send.settled()
      #expect(stage.sent == ["a1"] && stage.stored == [])
    }

    @Test("17.10 outboxes that are released one after another on a slow store use it in turn", arguments: 1...10)
    func inTurn(_: Int) async {
      let appends = ManualServer<Void>(ignoresCancellation: true)
      store.appends = appends
      for input in ["a1", "a2"] {
        var former: AsyncOutbox<String, Int>? = stage.make()
        former?.perform(input)
        if input == "a1" { await appends.arrived(1) }
        former = nil
      }
      send.perform("a3")
      for call in 1...3 { appends.answer(call: call, with: .success(())) }
      for input in ["a1", "a2", "a3"] { await stage.answer(input) }
      await send.settled()
      #expect(stage.sent == ["a1", "a2", "a3"] && stage.stored == [])
    }

    @Test(
      "17.3, 17.5 what stands behind a failed input continues when that is cancelled or discarded",
      arguments: [false, true])
    func behindFailed(isDiscarded: Bool) async throws {
      let first = send.perform("a1")
      send.perform("a2")
      await stage.answer("a1", .failure(Failure()))
      await send.settled()
      if isDiscarded { send.discard(try #require(send.entries.first)) } else { first.cancel() }
      await stage.answer("a2")
      await send.settled()
      #expect(stage.sent == ["a1", "a2"] && stage.stored == [])
    }

    @Test("17.5 lanes whose inputs were discarded hold up no other")
    func discardedLanes() async throws {
      var sent: [Int] = []
      let store = MemoryOutboxStore<Int>()
      let send = AsyncOutbox<Int, Int>(
        store: store, options: .timeless, lane: { "\($0)" }, isPermanent: { _, _ in false }
      ) { input, _ in
        sent.append(input)
        if input < 100 { throw Failure() }
        return input
      }
      for input in 0..<100 { send.perform(input) }
      await send.settled()
      expectEqual(sent.count, 100)
      for entry in send.entries { send.discard(entry) }
      let task = send.perform(100)
      guard case .success(100) = await task.outcome() else { return #expect(Bool(false)) }
      expectEqual(store.count, 0)
    }

    @Test("17.14 what is performed while the answered input is removed is rewritten, and what was set aside before it")
    func rewritten() async throws {
      let store = MemoryOutboxStore<String>()
      let gate = ManualServer<String>()
      let send = AsyncOutbox<String, String>(store: store, options: .timeless, isPermanent: { _, _ in true }) {
        input, _ in
        try await gate.wait(for: input)
      }.rewriting { input, output in
        input == "create tmp" ? { $0.hasSuffix("tmp") ? String($0.dropLast(3)) + output : nil } : nil
      }
      send.perform("first tmp")
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Failure()))
      await send.settled()
      expectEqual(send.setAside.map(\.input), ["first tmp"])
      let removals = ManualServer<Void>()
      store.removals = removals
      send.perform("create tmp")
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("7"))
      await removals.arrived(1)
      send.perform("edit tmp")
      store.removals = nil
      removals.answer(call: 1, with: .success(()))
      await gate.arrived(for: "edit 7")
      gate.answer(for: "edit 7", with: .success(""))
      await send.settled()
      expectEqual(gate.arguments(as: String.self), ["first tmp", "create tmp", "edit 7"])
      expectEqual(send.setAside.map(\.input), ["first 7"])
    }

    @Test(
      "16.4 a reset by an observer of an input's own end stays, with lanes as without", arguments: [false, true],
      [false, true])
    func resetByObserver(hasLanes: Bool, succeeds: Bool) async {
      let session = AsyncResource { [0] }
      await session.load()
      let gate = ManualServer<Int>()
      let send = AsyncMutation<Int, Int>(lane: hasLanes ? { $0 } : nil) { _ in try await gate.wait() }
        .changing({ _ in session }) { $0.append($1) }
      let task = send.perform(1)
      await gate.arrived(1)
      var isEnded = false
      let token = session.data.observed.observe { [weak send] snapshot in
        guard !isEnded, session.data.hasPendingChanges == false else { return }
        isEnded = true
        send?.reset()
      }
      gate.answer(call: 1, with: succeeds ? .success(1) : .failure(Failure()))
      _ = await task.outcome()
      await send.settled()
      #expect(isEnded && "\(send.status)" == "idle" && send.retry() == nil)
      withExtendedLifetime(token) {}
    }

    @Test("16.4 with lanes no output stays after a reset")
    func outputsAreReleased() async throws {
      final class Blob: Sendable {}
      let send = AsyncMutation<Int, Blob>(lane: { $0 }) { _ in Blob() }
      weak var blob: Blob?
      do {
        let answer = try await send.perform(1).get()
        blob = answer
      }
      #expect(blob != nil)
      send.reset()
      // Without `settled()`, which looks for them.
      for _ in 0..<3 { await afterReleases() }
      expectNil(blob)
    }
  }
}
