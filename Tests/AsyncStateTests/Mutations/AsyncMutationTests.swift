// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateJournal
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct AsyncMutationTests {
    let gate = ManualServer<Int>()
    let clock = ManualClock()

    private func mutation(
      _ overlap: MutationOverlap = .automatic, _ options: LoadOptions = LoadOptions()
    ) -> AsyncMutation<String, Int> {
      AsyncMutation(overlap: overlap, options: options) { [gate] input in try await gate.wait(for: input) }
    }

    private func answer(_ input: String, _ result: Result<Int, any Error>) async {
      await gate.answer(arrivingFor: input, with: result)
    }

    private func word(_ mutation: AsyncMutation<String, Int>) -> String { "\(mutation.status)" }

    @Test("1.7, 16.1, 16.3 idle, running with the input, succeeded with the output; readers are notified of each, once")
    func success() async throws {
      let send = mutation()
      let reader = AllTests.ObservationTests.Tracker()
      expectEqual(word(send), "idle")
      reader.track { _ = send.status }
      let task = send.perform("a")
      expectEqual(word(send), "sending: a")
      expect(send.isRunning)
      expectEqual(reader.changes, 1)
      reader.track { _ = send.status }
      await answer("a", .success(1))
      try await expectEqual(task.get(), 1)
      expectEqual(word(send), "succeeded: 1")
      expect(!send.isRunning)
      expectEqual(send.output, 1)
      expectEqual(reader.changes, 2)
    }

    @Test(
      "16.2 a double tap is one request, another input is not lost, and on, off, on is three; with latest the newest wins"
    )
    func taps() async {
      // What is tapped before anything is answered, what is sent of it, and the end of each tap.
      let rows: [(MutationOverlap, taps: [String], sent: [String], ends: [String])] = [
        (.automatic, ["a", "a", "b", "b"], ["a", "b"], ["value: 1", "value: 1", "value: 2", "value: 2"]),
        (.automatic, ["on", "off", "on"], ["on", "off", "on"], ["value: 1", "value: 2", "value: 3"]),
        (.queue, ["a", "a", "b"], ["a", "a", "b"], ["value: 1", "value: 2", "value: 3"]),
        (
          .latest, ["a", "a", "b", "c", "c"], ["a", "c"],
          ["value: 1", "value: 1", "superseded", "value: 2", "value: 2"]
        ),
      ]
      for (overlap, taps, sent, ends) in rows {
        let gate = ManualServer<Int>()
        let send = AsyncMutation<String, Int>(overlap: overlap) { input in try await gate.wait(for: input) }
        let tasks = taps.map { send.perform($0) }
        for call in 1...sent.count { gate.answer(call: call, with: .success(call)) }
        var ended: [String] = []
        for task in tasks { ended.append("\(await task.outcome())") }
        expectEqual(ended, ends, "\(taps)")
        expectEqual(gate.arguments(as: String.self), sent)
      }
    }

    @Test("16.2 by default the type of the input decides, also where generic code creates the mutation")
    func automatic() {
      struct Form { var name: String }
      struct Name: Equatable { var name: String }
      func sends<Input>(_ first: Input, _ second: Input) -> Bool {
        MutationOverlap.automatic.sameness(of: Input.self)?(first, second) != true
      }
      expect(sends(Form(name: "a"), Form(name: "a")))
      expect(sends((1, 2), (1, 2)))
      expect(sends("a", "b"))
      expect(sends([1], [2]))
      expect(!sends("a", "a"))
      expect(!sends(Name(name: "a"), Name(name: "a")))
      expect(!sends(1 as Int?, 1))
      expect(!sends((), ()))
      expectEqual(MutationOverlap.latest.sameness(of: Void.self)?((), ()), true)
      expectEqual(MutationOverlap.latest.sameness(of: [Int].self)?([1], [1]), true)
      expectNil(MutationOverlap.latest.sameness(of: Form.self))
    }

    @Test("3.16, 16.5 an interceptor that tries again does not send what was cancelled meanwhile")
    func cancelledWhileIntercepted() async {
      struct Twice: LoadInterceptor {
        let pause: ManualServer<Void>
        func intercept<Value>(
          _ attempt: LoadAttempt<Value>, isolation: isolated (any Actor)?
        ) async throws -> Value {
          do {
            return try await attempt()
          } catch is Failure {
            _ = try await pause.wait()
            return try await attempt()
          }
        }
      }
      let pause = ManualServer<Void>(ignoresCancellation: true)
      let send = mutation(.automatic, LoadOptions(interceptors: [Twice(pause: pause)]))
      let task = send.perform("a")
      await answer("a", .failure(Failure()))
      await pause.arrived(1)
      task.cancel()
      pause.answer(call: 1, with: .success(()))
      await send.settled()
      expectEqual(gate.callCount, 1)

      let load = AsyncResource(options: LoadOptions(interceptors: [Twice(pause: pause)])) { [gate] in
        try await gate.wait(for: "b")
      }
      load.start()
      await answer("b", .failure(Failure()))
      await pause.arrived(2)
      load.reset()
      pause.answer(call: 2, with: .success(()))
      await load.settled()
      expectEqual(gate.callCount, 2)
    }

    @Test("16.3, 16.4 a failure keeps its input, retry sends it again, and a cancelled retry leaves the failure")
    func retry() async {
      let send = mutation()
      expectNil(send.retry())
      send.perform("a")
      await answer("a", .failure(Failure()))
      await send.settled()
      expectEqual(word(send), "failed: failure, with a")
      let again = send.retry()
      expectEqual(word(send), "sending: a")
      again?.cancel()
      expectEqual(word(send), "failed: failure, with a")
      await send.settled()
      let last = send.retry()
      gate.answer(for: "a", with: .success(3))
      guard case .success(3)? = await last?.outcome() else { return expect(false) }
      expectEqual(word(send), "succeeded: 3")
      expectNil(send.error)
      expectNil(send.retry())
    }

    // MARK: Effects

    @Test(
      "16.5, 16.6 a success, and a cancel, an interruption and a timeout of what is sent invalidate; a failure and what was never sent do not"
    )
    func tags() async {
      var invalidated: [String] = []
      let board = AsyncTagBoard()
      let send = mutation(.queue, LoadOptions(timeout: .seconds(5), clock: clock)).invalidating(board) {
        invalidated.append("\($0) \($1 ?? 0)")
        return []
      }
      send.perform("never sent").cancel()
      send.perform("failed")
      await answer("failed", .failure(Failure()))
      await send.settled()
      expectEqual(invalidated, [])
      let cancelled = send.perform("cancelled")
      await gate.arrived(for: "cancelled")
      cancelled.cancel()
      expectEqual(invalidated, ["cancelled 0"])
      let late = send.perform("late")
      await gate.arrived(for: "late")
      await clock.advance(by: .seconds(5))
      _ = await late.outcome()
      let interrupted = send.perform("interrupted")
      await answer("interrupted", .failure(CancellationError()))
      _ = await interrupted.outcome()
      let success = send.perform("success")
      await answer("success", .success(1))
      _ = await success.outcome()
      expectEqual(invalidated, ["cancelled 0", "late 0", "interrupted 0", "success 1"])
      await send.settled()
    }

    @Test("3.12, 16.7 a change is displayed at once, also of what waits; each end takes out its own alone")
    func changes() async {
      let resource = await loaded(0)
      let send = mutation(.queue).changing({ _ in resource }) { $0 += $1.count }
      let tasks = ["a", "bb", "cccc", "dddddddd"].map { send.perform($0) }
      expectEqual(resource.value, 15)
      expect(resource.data.hasPendingChanges)
      // Never sent: removed, and the resource is no staler for it.
      tasks[3].cancel()
      expectEqual(resource.value, 7)
      expect(!resource.isStale)
      await answer("a", .success(1))
      await gate.arrived(for: "bb")
      expectEqual(resource.value, 7)
      gate.answer(for: "bb", with: .failure(Failure()))
      await gate.arrived(for: "cccc")
      expectEqual(resource.value, 5)
      expect(resource.isStale)
      tasks[2].cancel()
      expectEqual(resource.value, 1)
      expect(!resource.data.hasPendingChanges)
      await send.settled()
      expectEqual(word(send), "failed: failure, with bb")
    }

    @Test("1.8, 16.8 the screen is closed after two taps: both inputs are sent, in order, and nothing is left")
    func release() async throws {
      let resource = await loaded(0)
      var send: AsyncMutation<String, Int>? = mutation(.queue).changing({ _ in resource }) { $0 += $1.count }
      weak let weakSend = send
      let tasks = ["a", "bb"].compactMap { send?.perform($0) }
      send = nil
      expectEqual(resource.value, 3)
      await answer("a", .success(1))
      await answer("bb", .failure(Failure()))
      try await expectEqual(tasks[0].get(), 1)
      await #expect(throws: Failure.self) { try await tasks[1].get() }
      expectEqual(resource.value, 1)
      expect(!resource.data.hasPendingChanges)
      expectEqual(gate.arguments(as: String.self), ["a", "bb"])
      await afterReleases()
      expectNil(weakSend)
    }

    // MARK: What the answer makes of a change, and one step

    struct Row: Equatable, Identifiable { var id: Int }

    @Test(
      "16.7, 16.11 two rows are created, answered in the other order: each becomes the server's, and none is there twice"
    )
    func confirming() async throws {
      let rows = await loaded([Row(id: 7)])
      let create = AsyncMutation(overlap: .queue, lane: { $0 }) { [gate] (temporary: Int) in
        try await gate.wait(for: temporary)
      }.changing({ _ in rows }) {
        $0.append(Row(id: $1))
      } confirming: { rows, _, id in
        rows.append(Row(id: id))
      }
      var seen: [[Int]] = []
      let token = rows.observed.observe { seen.append(($0.value ?? []).map(\.id)) }
      let tasks = [create.perform(-1), create.perform(-2)]
      await gate.arrived(2)
      gate.answer(for: -2, with: .success(52))
      try await expectEqual(tasks[1].get(), 52)
      gate.answer(for: -1, with: .success(51))
      try await expectEqual(tasks[0].get(), 51)
      expectEqual(seen, [[7], [7, -1], [7, -1, -2], [7, -1, 52], [7, 51, 52]])
      expect(!rows.isStale)
      token.cancel()
    }

    @Test(
      "16.3, 16.7 a message is moved: no observer sees it twice, or not at all, nor a list without the status of the end",
      arguments: [0, 1, 2])
    func oneStep(_ end: Int) async {
      let (inbox, archive) = (AsyncResource { [1, 2] }, AsyncResource { [Int]() })
      await inbox.load()
      await archive.load()
      let move = AsyncMutation { [gate] (id: Int) in try await gate.wait(for: id) }
        .changing({ _ in inbox }) { list, id in list.removeAll { $0 == id } }
        .changing({ _ in archive }) {
          $0.append($1)
        } confirming: { list, id, count in
          list.append(id * count)
        }
      var seen: [(status: String, lists: [[Int]])] = []
      func note() { seen.append(("\(move.status)", [inbox.value ?? [], archive.value ?? []])) }
      let tokens = [
        inbox.observed.zip(archive.observed).observe {
          seen.append(("\(move.status)", [$0.value ?? [], $1.value ?? []]))
        },
        inbox.observed.observe { _ in note() }, archive.observed.observe { _ in note() },
        move.observed.observe { _ in note() },
      ]
      let task = move.perform(1)
      await gate.arrived(1)
      expect(seen.allSatisfy { $0.lists.joined().sorted() == [1, 2] }, "\(seen)")
      seen = []
      switch end {
      case 0: gate.answer(call: 1, with: .success(1))
      case 1: gate.answer(call: 1, with: .failure(Failure()))
      default: move.reset()
      }
      await task.outcome()
      let status = ["succeeded: 1", "failed: failure, with 1", "idle"][end]
      let lists = end == 0 ? [[2], [1]] : [[1, 2], []]
      expect(!seen.isEmpty, "\(seen)")
      expect(seen.allSatisfy { $0.status == status && $0.lists == lists }, "\(seen)")
      await move.settled()
      withExtendedLifetime(tokens) {}
    }

    @Test("3.9, 16.1 behind a closed gate nothing ends by time: the time limit begins with the first call")
    func timeAtTheGate() async {
      let online = LoadGate(isOpen: false)
      let retries = RetryPolicy.exponential(first: .seconds(1), retries: 1, jitter: { $0 })
      let send = mutation(.queue, LoadOptions(retry: retries, timeout: .seconds(5), clock: clock, gate: online))
      let task = send.perform("a")
      await clock.advance(by: .seconds(600))
      expectEqual(word(send), "waiting for a network: a")
      expectEqual(clock.sleeperCount, 0)
      online.open()
      await gate.arrived(1)
      await clock.advance(by: .seconds(2), sleepersAtLeast: 1)
      // Three seconds are left when the second attempt waits, and are left when it begins.
      online.close()
      gate.answer(call: 1, with: .failure(Failure()))
      await clock.advance(by: .seconds(1), sleepersAtLeast: 2)
      for await status in send.observed.values { if case .waitingForNetwork = status { break } }
      await clock.advance(by: .seconds(600))
      online.open()
      await gate.arrived(2)
      await clock.advance(by: .seconds(2) - .milliseconds(1), sleepersAtLeast: 1)
      expectEqual(word(send), "sending: a")
      await clock.advance(by: .milliseconds(1))
      guard case .failure(let error) = await task.outcome() else { return expect(false) }
      expect(error is LoadTimeoutError)
      await send.settled()
    }

    @Test("16.7, 3.18 what is sent while the value of a former key is displayed: what is loaded meanwhile is in doubt")
    func sentOverFormerValue() async {
      let key = Input<Int?>(1)
      let server = ManualServer<[Int]>()
      let list = AsyncResource(following: key, previous: .untilAnswered) { key in try await server.wait(for: key) }
      server.answer(for: 1, with: .success([1]))
      await list.load()
      key.write(2)
      await server.arrived(for: 2)
      let send = AsyncMutation { [gate] (input: String) in
        try await gate.wait(for: input)
      }.changing({ _ in list }) { numbers, _ in numbers.append(9) }
      let task = send.perform("a")
      await gate.arrived(for: "a")
      expectEqual(list.value, [1])
      expect(!list.data.hasPendingChanges)
      server.answer(for: 2, with: .success([2]))
      await list.settled()
      expectEqual(list.value, [2])
      expect(!list.isStale)
      gate.answer(for: "a", with: .success(1))
      await task.outcome()
      expectEqual(list.value, [2])
      expect(list.isStale)
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
