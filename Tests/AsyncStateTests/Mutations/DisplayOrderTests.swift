// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Changes of one resource by several inputs lie in the order in which these are sent.
  @MainActor
  struct DisplayOrderTests {
    let stage = OutboxStage()
    var gate: ManualServer<Int> { stage.gate }

    @Test(
      "16.2, 16.7 with latest the newest text takes the place of one that waits, in one notification, above what was written after that",
      arguments: [false, true])
    func newestOnTop(isOtherLane: Bool) async {
      let text = await loaded("")
      let save = AsyncMutation<String, Int>(overlap: .latest, options: .timeless, lane: { $0 == "template" }) {
        [gate] in try await gate.wait(for: $0)
      }.changing({ _ in text }) { $0 = $1 }
      let insert = AsyncMutation<String, Int>(options: .timeless) { [gate] in try await gate.wait(for: $0) }
        .changing({ _ in text }) { $0 = $1 }
      var seen: [String] = []
      let token = text.observed.map { $0.value ?? "" }.observe { seen.append($0) }
      for input in ["A", "B", "C"] { save.perform(input) }
      (isOtherLane ? save : insert).perform("template")
      save.perform("D")
      expectEqual(seen, ["", "A", "B", "C", "template", "D"])
      for input in ["A", "template", "D"] { await stage.answer(input) }
      await save.settled()
      await insert.settled()
      expectEqual(text.value, "D")
      expectEqual(stage.sent, ["A", "template", "D"])
      expect(!text.isStale)
      token.cancel()
    }

    @Test(
      "16.7, 17.7 the changes of a list lie in the order of the entries: of what is read, retried, replaced, or rewritten late",
      arguments: ["read", "retry", "replace", "rewriting"])
    func orderOfEntries(how: String) async throws {
      let list = await stage.displaying()
      let other = await loaded([String]())
      let send = AsyncOutbox<String, Int>(
        store: stage.store, options: stage.options, isPermanent: { error, _ in error is OutboxStage.Refusal }
      ) { [gate] input, _ in
        try await gate.wait(for: input)
      }.changing({ $0.hasPrefix("a") ? list : other }) {
        $0.append($1)
      }.rewriting { input, _ in input == "create" ? { $0 == "other" ? "a1" : nil } : nil }
      // The first entry is another one, or of another list, or not read yet, when the second one is performed.
      switch how {
      case "read":
        stage.store.put("a1", key: "1")
        stage.online.close()
      case "retry":
        let first = send.perform("a1")
        await stage.answer("a1", .failure(OutboxStage.Refusal()))
        _ = await first.outcome()
        stage.online.close()
      case "replace":
        stage.online.close()
        send.perform("other")
      default: for input in ["create", "other"] { send.perform(input) }
      }
      try await send.perform("a2").accepted()
      switch how {
      case "read": break
      case "retry": try await send.retryFailed()?.accepted()
      case "replace": expect(try await send.replace(send.entries[0], with: "a1"))
      default:
        await gate.arrived(1)
        stage.online.close()
        gate.answer(call: 1, with: .success(1))
        await send.settled()
      }
      expectEqual(list.value, ["a1", "a2"])
      expectEqual(send.entries.map(\.input), ["a1", "a2"])
      expect(!list.isStale || how == "retry")
      stage.online.open()
      for input in ["a1", "a2"] { await stage.answer(input) }
      await send.settled()
      expectEqual(stage.sent.suffix(2), ["a1", "a2"])
      expectEqual(list.value, ["a1", "a2"])
    }

    /// What else there is of the note whose first text has failed, and is retried.
    enum Beside: CaseIterable {
      /// A newer text, which pauses after a failure.
      case pausing
      /// A newer one, which pauses later.
      case sent
      /// A newer one of a former launch.
      case restored
      /// A newer one, which is sent, and texts of another note, of which one waits.
      case otherNote
    }

    @Test(
      "16.7 a retried text is displayed below those of its note that are sent after it, above those that were sent before",
      arguments: Beside.allCases)
    func retried(beside: Beside) async {
      let notes = await loaded(["a": "", "b": ""])
      let send = AsyncOutbox<String, Int>(
        store: stage.store, options: stage.options, lane: { String($0.prefix(1)) },
        isPermanent: { error, _ in error is OutboxStage.Refusal }
      ) { [gate] input, _ in
        try await gate.wait(for: input)
      }.changing({ _ in notes }) { $0[String($1.prefix(1))] = $1 }
      if beside == .restored {
        stage.online.close()
        stage.store.put("a1", key: "1", attempts: 1, failure: "refused")
        stage.store.put("a2", key: "2", attempts: 1)
        await send.resume().restored()
      } else {
        send.perform("a1")
        await stage.answer("a1", .failure(OutboxStage.Refusal()))
        await send.settled()
        for input in beside == .otherNote ? ["b1", "b2", "a2"] : ["a2"] { send.perform(input) }
        await gate.arrived(for: "a2")
        if beside == .otherNote { await gate.arrived(for: "b1") }
      }
      let failure = Result<Int, any Error>.failure(Failure())
      if beside == .pausing {
        gate.answer(for: "a2", with: failure)
        await send.settled()
      }
      expectEqual(notes.value?["a"], "a2")
      send.retry(send.setAside[0])
      let isSentBehind = beside == .sent || beside == .otherNote
      expectEqual(notes.value?["a"], isSentBehind ? "a1" : "a2")
      if beside == .sent {
        gate.answer(for: "a2", with: failure)
        await send.settled()
        expectEqual(notes.value?["a"], "a2")
        await stage.clock.advance(by: .seconds(30))
        await gate.arrived(3)
      }
      stage.online.open()
      for input in beside == .otherNote ? ["a2", "b1", "a1", "b2"] : ["a1", "a2"] { await stage.answer(input) }
      await send.settled()
      expectEqual(send.entries.map(\.input), [])
      expectEqual(notes.value, beside == .otherNote ? ["a": "a1", "b": "b2"] : ["a": "a2", "b": ""])
    }
  }
}
