// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// What an input waits for, and what becomes of it meanwhile.
  @MainActor
  struct MutationWaitsTests {
    let gate = ManualServer<Int>()
    let clock = ManualClock()

    // MARK: Statuses

    @Test("16.3 each wait has a word: delayed, waiting for a network, queued, sending, retrying")
    func words() async {
      let online = LoadGate(width: 1)
      let retry = RetryPolicy.exponential(first: .seconds(1), retries: 1, jitter: { $0 })
      let options = LoadOptions(retry: retry, clock: clock, gate: online)
      let send = AsyncMutation<String, Int>(options: options, delay: .seconds(5)) { [gate] input, request in
        request.report(progress: 0.25)
        return try await gate.wait(for: input)
      }
      // Another request has the only room.
      let other = AsyncResource(options: LoadOptions(clock: clock, gate: online)) { [gate] in
        try await gate.wait(for: "other")
      }
      other.start()
      await gate.arrived(for: "other")
      online.close()
      let seen = Log()
      let token = send.observed.observe { seen("\($0)") }
      let task = send.perform("a")
      expect(!send.isRunning)
      expectEqual(send.status.input, "a")
      await clock.advance(by: .seconds(5), sleepersAtLeast: 1)
      for await status in send.observed.values { if case .waitingForNetwork = status { break } }
      expect(send.isRunning)
      online.open()
      for await status in send.observed.values { if case .queued = status { break } }
      gate.answer(for: "other", with: .success(0))
      await gate.answer(arrivingFor: "a", with: .failure(Failure()))
      await clock.advance(by: .seconds(1), sleepersAtLeast: 1)
      await gate.answer(arriving: 3, with: .success(1))
      await task.outcome()
      expectEqual(
        seen.entries,
        [
          "idle", "delayed: a", "waiting for a network: a", "queued: a", "sending: a", "sending 25 %: a",
          "retrying: a, after failure", "sending: a", "sending 25 %: a", "succeeded: 1",
        ])
      token.cancel()
    }

    @Test("16.4 a message is closed with clear(), and what another lane sends continues")
    func clear() async {
      let send = AsyncMutation(lane: { $0 }) { [gate] (input: String) in try await gate.wait(for: input) }
      let (failing, other) = (send.perform("1"), send.perform("2"))
      await gate.answer(arrivingFor: "1", with: .failure(Failure()))
      await failing.outcome()
      expectEqual("\(send.status)", "sending: 2")
      expect(send.error is Failure)
      send.clear()
      expectEqual("\(send.status)", "sending: 2")
      expectNil(send.error)
      await gate.answer(arrivingFor: "2", with: .success(2))
      guard case .success(2) = await other.outcome() else { return expect(false) }
      expectEqual("\(send.status)", "succeeded: 2")
      expectEqual(send.output, 2)
      send.clear()
      expectEqual("\(send.status)", "idle")
      expectNil(send.output)
      expectNil(send.retry())
    }

    @Test(
      "16.2, 16.6 with latest what waits for another attempt is not superseded; what is performed again is, and its tags are invalidated"
    )
    func latestAtTheGate() async throws {
      let (online, board) = (LoadGate(), AsyncTagBoard())
      let options = LoadOptions(retry: RetryPolicy { $0.count > 1 ? nil : .seconds(1) }, clock: clock, gate: online)
      var invalidated: [String] = []
      let send = AsyncMutation<String, Int>(overlap: .latest, options: options) { [gate] input in
        try await gate.wait(for: input)
      }.invalidating(board) { input, _ in
        invalidated.append(input)
        return []
      }
      send.perform("a")
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Failure()))
      await clock.sleepers(atLeast: 1)
      send.perform("ab")
      try #require(send.status.input == "a")
      online.close()
      await clock.advance(by: .seconds(1))
      for await status in send.observed.values { if case .waitingForNetwork = status { break } }
      send.perform("b")
      try #require(send.status.input == "a")
      online.open()
      await gate.answer(arriving: 2, with: .success(1))
      await gate.arrived(3)
      online.close()
      send.cancel()
      for input in ["b", "c"] { send.perform(input) }
      expectEqual(invalidated, ["a", "b", "b"])
      online.open()
      gate.answer(for: "c", with: .success(2))
      await send.settled()
      expectEqual(gate.arguments(as: String.self), ["a", "a", "b", "c"])
    }

    // MARK: Delay

    @Test("16.2, 16.12 a delay with latest begins anew with each input, and takes no room; a retry has none")
    func pauseInTyping() async {
      let online = LoadGate(width: 1)
      let options = LoadOptions(timeout: .seconds(3), clock: clock, gate: online)
      let save = AsyncMutation(overlap: .latest, options: options, delay: .seconds(5)) { [gate] (text: String) in
        try await gate.wait(for: text)
      }
      for text in ["a", "ab", "abc"] {
        save.perform(text)
        await clock.advance(by: .seconds(4), sleepersAtLeast: 1)
        expectEqual(online.roomCount, 0)
      }
      expectEqual(gate.callCount, 0)
      await clock.advance(by: .seconds(1))
      await gate.arrived(for: "abc")
      gate.answer(call: 1, with: .failure(Failure()))
      await save.settled()
      // What was sent is not delayed again.
      save.retry()
      expect(save.isRunning)
      gate.answer(call: 2, with: .success(1))
      await save.settled()
      expectEqual(gate.arguments(as: String.self), ["abc", "abc"])
      expectEqual(save.output, 1)
      let sleepers = clock.sleeperCount
      save.perform("abcd")
      await clock.sleepers(atLeast: sleepers + 1)
      save.cancel()
      await save.settled()
      expectEqual(clock.sleeperCount, sleepers)
    }

    // MARK: Keys

    @Test("16.10 a payment that timed out: the same button sends an equal input under the same key")
    func payment() async {
      let keys = Log()
      let pay = AsyncMutation(options: LoadOptions(timeout: .seconds(1), clock: clock)) {
        [gate] (amount: Int, request: MutationReporter) in
        keys(request.idempotencyKey)
        return try await gate.wait(for: amount)
      }
      func timeOut(_ amount: Int, _ call: Int) async {
        let task = pay.perform(amount)
        await gate.arrived(call)
        await clock.advance(by: .seconds(1), sleepersAtLeast: 1)
        guard case .failure(let error) = await task.outcome() else { return expect(false) }
        expect(error is LoadTimeoutError)
      }
      func end(_ amount: Int, _ call: Int, _ result: Result<Int, any Error>) async {
        let task = pay.perform(amount)
        await gate.answer(arriving: call, with: result)
        await task.outcome()
      }
      await timeOut(5, 1)
      await timeOut(5, 2)
      let cancelled = pay.perform(5)
      await gate.arrived(3)
      cancelled.cancel()
      await end(5, 4, .failure(CancellationError()))
      await end(5, 5, .success(5))
      expectEqual(Set(keys.entries[0...4]).count, 1, "not known what became of it")
      await end(5, 6, .failure(Failure()))
      await end(5, 7, .success(5))
      expectEqual(Set(keys.entries[4...6]).count, 3, "answered, or refused")
      await timeOut(5, 8)
      await timeOut(7, 9)
      await timeOut(5, 10)
      expectEqual(Set(keys.entries[7...9]).count, 3, "another one was performed between them")
      pay.reset()
      await end(5, 11, .success(5))
      expect(keys.entries[10] != keys.entries[9], "the next user's")
      await end(5, 12, .failure(Failure()))
      pay.retry()
      await gate.answer(arriving: 13, with: .success(5))
      await pay.settled()
      expectEqual(keys.entries[12], keys.entries[11], "a retry is the same input")
    }

    @Test("16.10 with queue two equal inputs are two, also after a time limit")
    func queued() async {
      let keys = Log()
      let send = AsyncMutation(overlap: .queue) { [gate] (text: String, request: MutationReporter) in
        keys(request.idempotencyKey)
        return try await gate.wait(for: text)
      }
      send.perform("hi").cancel()
      let first = send.perform("hi")
      await gate.arrived(1)
      first.cancel()
      send.perform("hi")
      await gate.answer(arriving: 2, with: .success(1))
      await send.settled()
      expectEqual(Set(keys.entries).count, 2)
    }

    @Test("16.10 a key is a UUID of version 4")
    func uuid() throws {
      let pattern = try Regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
      let keys = (0..<1000).map { _ in PerformedInput<Int>().key }
      for key in keys { expect(try pattern.wholeMatch(in: key) != nil, "\(key)") }
      expectEqual(Set(keys).count, 1000)
      let bits = keys.joined().filter { $0 != "-" }.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
      // Of 122 random bits a half, within seven standard deviations; and one of six that are fixed.
      expect(abs(bits - 1000 * (61 + 2)) < 1300, "\(bits)")
    }

    @Test("13.3, 16.3 a journal has each input from its call to its end, and what follows from it")
    func journal() async {
      let journal = StateJournal(clock: clock)
      let value = AsyncData<Int>()
      value.value = 0
      let list = await loaded(0)
      let retry = RetryPolicy.exponential(first: .seconds(1), retries: 1, jitter: { $0 })
      let send = AsyncMutation<String, Int>(
        overlap: .latest, options: LoadOptions(retry: retry, clock: clock), delay: .seconds(5)
      ) { [gate] input in try await gate.wait(for: input) }.changing({ _ in list }) { number, _ in number += 1 }
      journal.attach(send, name: "save")
      journal.attach(list, name: "list")
      send.perform("a")
      let task = send.perform("b")
      await clock.advance(by: .seconds(5), sleepersAtLeast: 1)
      await gate.answer(arriving: 1, with: .failure(Failure()))
      await clock.advance(by: .seconds(1), sleepersAtLeast: 1)
      await gate.answer(arriving: 2, with: .failure(Failure()))
      await task.outcome()
      let lines = journal.entries.map { "\($0.subject): \($0.event)" + ($0.cause.map { " ← #\($0)" } ?? "") }
      expectEqual(
        lines,
        [
          "save: attached", "list: attached: value", "save: performed", "list: patched ← #3", "save: delayed ← #3",
          "save: performed", "list: patched ← #6", "list: patch removed ← #6", "save: superseded ← #6",
          "save: delayed ← #6", "save: sent ← #6", "save: attempt 1 failed, retrying: failure ← #6",
          "save: sent ← #6", "save: failed: failure ← #6", "list: patch removed, out of date ← #14",
        ], "\(lines)")
    }
  }
}
