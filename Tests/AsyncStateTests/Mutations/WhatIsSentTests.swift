// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What a person has done, and what the server is sent of it.
  @MainActor
  struct WhatIsSentTests {
    let gate = ManualServer<Int>()
    let clock = ManualClock()

    /// The keys under which the server has received payments.
    private let keys = Tally()

    /// A payment of 10 that has timed out: the server may have done it.
    private func timedOutPayment(
      _ overlap: MutationOverlap = .automatic, interceptors: [any LoadInterceptor] = [], gate online: LoadGate? = nil
    ) async -> AsyncMutation<Int, Int> {
      let options = LoadOptions(timeout: .seconds(1), clock: clock, interceptors: interceptors, gate: online)
      let pay = AsyncMutation<Int, Int>(overlap: overlap, options: options) { [gate, keys] amount, request in
        keys.note(request.idempotencyKey)
        return try await gate.wait(for: amount)
      }
      let first = pay.perform(10)
      await gate.arrived(1)
      await clock.advance(by: .seconds(1), sleepersAtLeast: 1)
      await first.outcome()
      return pay
    }

    /// The server receives 10 once more, under the same key.
    private func expectSameKey(of second: MutationTask<Int>) async {
      await gate.answer(arriving: 2, with: .success(1))
      await second.outcome()
      expectEqual(gate.arguments(as: Int.self), [10, 10])
      expectEqual(Set(keys.entries).count, 1, "the server has 10 twice, under two keys")
    }

    @Test(
      "16.2, 16.4 a retry by an observer of the failure does not take the place of a newer text, or overtake it",
      arguments: [0, 1])
    func retryInObserver(how: Int) async {
      let overlap: MutationOverlap = how == 0 ? .latest : .automatic
      let text = await loaded("")
      let save = AsyncMutation<String, Int>(overlap: overlap, options: .timeless) { [gate] text in
        try await gate.wait(for: text)
      }.changing({ _ in text }) { $0 = $1 }
      var tries = 0
      let token = save.observed.observe { [weak save] status in
        guard case .failed = status, tries == 0 else { return }
        tries += 1
        save?.retry()
      }
      save.perform("a")
      await gate.arrived(for: "a")
      let newer = save.perform("ab")
      gate.answer(for: "a", with: .failure(Failure()))
      gate.answer(for: "a", with: .success(1))
      await gate.arrived(2)
      expectEqual(text.value, "ab")
      gate.answer(for: "ab", with: .success(2))
      let outcome = await newer.outcome()
      await save.settled()
      expectEqual(tries, 1)
      expectEqual(text.value, "ab")
      expectEqual(gate.arguments(as: String.self).last, "ab", "\(gate.arguments(as: String.self)), newer: \(outcome)")
      withExtendedLifetime(token) {}
    }

    @Test(
      "16.10 an equal input is the next one that is sent, behind one that was taken back before its operation was called",
      arguments: [(MutationOverlap.automatic, false), (.automatic, true), (.latest, true)])
    func keyBehindWithdrawn(overlap: MutationOverlap, isAtTheGate: Bool) async {
      let (online, tokens, holds) = (LoadGate(), ManualServer<Int>(), Input(false))
      let authorizing = Authorizing { @MainActor in holds.current ? try await tokens.wait() : 0 }
      let pay = await timedOutPayment(overlap, interceptors: isAtTheGate ? [] : [authorizing], gate: online)
      if isAtTheGate { online.close() } else { holds.write(true) }
      let other = pay.perform(20)
      if isAtTheGate { await turns() } else { await tokens.arrived(1) }
      // One that waits at the gate is taken back behind the other, one that awaits a token before it.
      let second = isAtTheGate ? pay.perform(10) : nil
      other.cancel()
      online.open()
      holds.write(false)
      await expectSameKey(of: second ?? pay.perform(10))
    }

    @Test(
      "3.12, 17.12 an observer of the first restored change discards everything: no change is displayed for ever",
      arguments: [0, 1])
    func discardWhileRestoring(how: Int) async throws {
      let stage = OutboxStage()
      for input in ["a1", "a2", "a3"] { stage.store.put(input, key: input) }
      let list = await stage.displaying(["old"])
      stage.online.close()
      let send = stage.send
      var isDiscarded = false
      let token = list.observed.observe { [weak send] snapshot in
        guard let send, !isDiscarded, snapshot.value?.contains("a1") == true else { return }
        isDiscarded = true
        if how == 0 { for entry in send.entries { send.discard(entry) } } else { _ = send.outbox.discardAll() }
      }
      await send.resume().restored()
      await turns(60)
      expect(isDiscarded)
      expect(send.entries.isEmpty)
      expectEqual(stage.stored, [])
      expectEqual(list.value, ["old"], "displayed, in no store, and never sent: \(send.outbox.runs.keys.sorted())")
      withExtendedLifetime(token) {}
    }

    @Test(
      "17.10 replace of a closed outbox that could not read the store leaves the next outbox alone", .withoutWarnings)
    func replaceOfClosed() async throws {
      let stage = OutboxStage()
      stage.store.readError = Failure()
      let former = stage.make()
      let lost = former.perform("a1")
      await former.settled()
      let entry = try #require(former.entries.first)
      former.close()
      _ = await lost.outcome()
      stage.store.readError = nil
      let next = stage.make()
      await next.resume().restored()
      await #expect(throws: OutboxError.self) { try await former.replace(entry, with: "a2") }
      await turns(60)
      stage.gate.answer(for: "b1", with: .success(1))
      let task = next.perform("b1")
      let outcome = await task.outcome()
      guard case .success = outcome else { return expect(false, "\(outcome), sent: \(stage.sent)") }
    }

    @Test("17.12 an input that was never sent is replaced, also while it waits for room or a token", arguments: [0, 1])
    func replaceBeforeSent(how: Int) async throws {
      let tokens = ManualServer<Int>()
      let online = LoadGate(width: 1)
      let store = MemoryOutboxStore<String>()
      let options = LoadOptions(
        clock: clock, interceptors: how == 0 ? [] : [Authorizing { @MainActor in try await tokens.wait() }],
        gate: online)
      let other = AsyncResource(options: LoadOptions(clock: clock, gate: online)) { [gate] in
        try await gate.wait(for: "other")
      }
      if how == 0 {
        other.start()
        await gate.arrived(for: "other")
      }
      let send = AsyncOutbox<String, Int>(store: store, options: options, isPermanent: { _, _ in false }) {
        [gate] input, _ in try await gate.wait(for: input)
      }
      try await send.perform("draft").accepted()
      await turns(60)
      let entry = try #require(send.entries.first)
      expectEqual(entry.attempts, 0)
      let isReplaced = try await send.replace(entry, with: "final")
      await turns(60)
      if how == 0 { expectEqual(online.waitingCount, 1) }
      if how == 0 { gate.answer(for: "other", with: .success(0)) }
      tokens.answer(call: 1, with: .success(0))
      tokens.answer(call: 2, with: .success(0))
      for text in ["draft", "final"] { gate.answer(for: text, with: .success(1)) }
      await send.settled()
      expect(isReplaced, "phase \(entry.phase), attempts 0")
      expectEqual(
        gate.arguments(as: String.self).filter { $0 != "other" }, ["final"], "\(gate.arguments(as: String.self))")
    }

    @Test("3.17, 17.9 an input whose attempt is being counted when the gate closes is not sent while it is closed")
    func closedWhileCounting() async throws {
      let stage = OutboxStage()
      let updates = ManualServer<Void>()
      stage.store.updates = updates
      stage.send.perform("a1")
      await updates.arrived(1)
      stage.online.close()
      let words = stage.words
      updates.answer(call: 1, with: .success(()))
      await turns(60)
      expect(stage.sent.isEmpty, "sent \(stage.sent), while it was displayed as \(words)")
    }

    @Test(
      "17.2, 17.10 what waits in memory is stored by a close, a release, or a take-over, if the store works by then",
      .withoutWarnings, arguments: [0, 1, 2])
    func storedAtClose(how: Int) async throws {
      let stage = OutboxStage()
      stage.online.close()
      stage.store.readError = Failure()
      var former: AsyncOutbox<String, Int>? = stage.make()
      let task = try #require(former?.perform("a1"))
      await former?.settled()
      stage.store.readError = nil
      if how == 0 { former?.close() }
      if how == 1 { former = nil }
      await turns(60)
      let next = stage.make()
      await next.resume().restored()
      let outcome = await task.outcome()
      expectEqual(stage.stored, ["a1"], "the handle: \(outcome)")
      withExtendedLifetime(former) {}
    }

    @Test("17.10 a removal that has failed is tried at the close")
    func removedAtClose() async throws {
      let stage = OutboxStage()
      stage.online.close()
      let send = stage.make()
      let task = send.perform("a1")
      try await task.accepted()
      stage.store.removalError = Failure()
      task.cancel()
      await send.settled()
      stage.store.removalError = nil
      send.close()
      await turns(60)
      expectEqual(stage.stored, [])
    }
  }
}
