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

    @Test(
      "16.4 a reset by an observer of an input's own end stays, with lanes as without", arguments: [false, true],
      [false, true])
    func resetByObserver(hasLanes: Bool, succeeds: Bool) async {
      let session = await loaded([0])
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
      expect(isEnded)
      expectEqual("\(send.status)", "idle")
      expectNil(send.retry())
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
      expect(blob != nil)
      send.reset()
      // Without `settled()`, which looks for them.
      await turns(3)
      expectNil(blob)
    }
  }
}
