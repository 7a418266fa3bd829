// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LoadTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    enum End: CaseIterable { case load, cancel, timeout }

    @Test(
      "3.2, 3.3, 3.10 a newer load, a cancel, which is no error, and the end of its time end a load at once; its late answer changes nothing",
      arguments: End.allCases)
    func ended(by end: End) async {
      data.value = 1
      let load = data.start(
        .reload, options: LoadOptions(timeout: .seconds(5)), operation: stage.waits(at: stage.deaf))
      await stage.deaf.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .milliseconds(4_999))
      expect(data.isRunning)
      var expected = SnapshotParts(1, isValueSet: true)
      switch end {
      case .load:
        let newer = data.start(.reload, operation: stage.waits(at: stage.deaf))
        await expectEqual(load.outcome().word, "superseded")
        stage.deaf.answer(call: 2, with: .success(2))
        await expectEqual(newer.outcome().word, "value 2")
        expected.value = 2
      case .cancel:
        data.cancel()
        expectEqual(SnapshotParts(data.snapshot), expected)
        await expectEqual(load.outcome().word, "cancelled")
      case .timeout:
        await stage.clock.advance(by: .milliseconds(1))
        await expectEqual(load.outcome().word, "failure LoadTimeoutError()")
        expected.error = "LoadTimeoutError()"
      }
      stage.deaf.answer(call: 1, with: .success(3))
      await stage.deaf.ended(1)
      expectEqual(SnapshotParts(data.snapshot), expected)
      await stage.nothingIsLeft()
    }

    @Test("3.3 a cancellation that the operation throws by itself is a failure, and is retried", arguments: [0, 2])
    func thrownCancellation(retries: Int) async {
      data.value = 1
      var calls = 0
      let load = data.start(
        options: LoadOptions(retry: RetryPolicy { $0.count <= retries ? .zero : nil }),
        operation: stage.operation {
          calls += 1
          throw CancellationError()
        })
      guard case .failure(let error) = await load.outcome() else { return expect(false) }
      expect(error is RequestInterruptedError)
      expect(data.error is RequestInterruptedError)
      expectEqual(data.value, 1)
      expectEqual(calls, 1 + retries)
      await stage.nothingIsLeft()
    }

    @Test("3.4 a started load runs on when no caller waits, and when a waiting caller is cancelled")
    func startRunsOn() async {
      let load = data.start(.reload, operation: stage.waits())
      let waiting = Waiting { await load.outcome().word }
      await waiting.begun()
      waiting.cancel()
      await stage.gate.arrived(1)
      expect(data.isRunning)
      stage.gate.answer(call: 1, with: .success(1))
      await expectEqual(waiting.end(), "value 1")
      await stage.nothingIsLeft()
    }

    @Test(
      "3.4, 3.12 in a task that is cancelled already no structured load runs, and no change is made or reported; a started one runs"
    )
    func cancelledAlready() async {
      data.value = 1
      _ = stage.recorder.takeFlags()
      var calls = 0
      let waiting = Waiting { [data, stage] in
        withUnsafeCurrentTask { $0?.cancel() }
        let structured = await data.load {
          calls += 1
          return 2
        }.word
        let change = await data.mutate({ $0 += 1 }, commit: { calls += 1 }).word
        expectEqual(stage.recorder.takeFlags(), "")
        return [structured, change, await data.start { 3 }.outcome().word]
      }
      await expectEqual(waiting.end(), ["cancelled", "cancelled", "value 3"])
      expectEqual(calls, 0)
    }

    @Test("an outcome gives what the operation would have given")
    func outcomes() throws {
      try expectEqual(AsyncOutcome.success(1).get(), 1)
      try expectNil(AsyncOutcome<Int?>.success(nil).get())
      try expectEqual(AsyncOutcome.notRequested(2).get(), 2)
      #expect(throws: Failure()) { try AsyncOutcome<Int?>.failure(Failure()).get() }
      #expect(throws: CancellationError.self) { try AsyncOutcome<Int?>.cancelled.get() }
      #expect(throws: CancellationError.self) { try AsyncOutcome<Int?>.superseded.get() }
    }

    // MARK: Joining

    /// Data with a load that began before an invalidation, and calls that wait for the next one.
    private func outdated(_ calls: Int) async -> (first: LoadTask<Int>, later: [LoadTask<Int>]) {
      let first = data.start(id: "a", operation: stage.waits())
      await stage.gate.arrived(1)
      data.invalidate()
      return (first, (0..<calls).map { _ in data.start(.refresh, id: "a", operation: stage.waits()) })
    }

    @Test(
      "3.5 a call made after an invalidation gets the answer of one more load, and a call from before the first one")
    func oneMoreLoad() async {
      let (first, later) = await outdated(3)
      stage.gate.answer(call: 1, with: .success(1))
      await expectEqual(first.outcome().word, "value 1")
      await stage.gate.arrived(2)
      expectEqual(data.value, 1)
      expect(data.snapshot.isInvalidated)
      expect(data.isRunning)
      stage.gate.answer(call: 2, with: .success(2))
      for load in later { await expectEqual(load.outcome().word, "value 2") }
      expectEqual(data.value, 2)
      expect(!data.snapshot.isInvalidated)
      await stage.nothingIsLeft()
    }

    @Test("3.5, 3.12 a commit that is cancelled before it began makes no load too old to join")
    func afterWithdrawnCommit() async {
      let room = LoadGate()
      let data = AsyncData<Int>(options: LoadOptions(gate: room))
      data.value = 1
      let first = data.start(.refresh, id: "a", operation: stage.waits())
      await stage.gate.arrived(1)
      room.close()
      let waiting = Waiting { await data.mutate({ $0 += 100 }) {}.word }
      await waiting.begun()
      waiting.cancel()
      await expectEqual(waiting.end(), "cancelled")
      let second = data.start(.refresh, id: "a", operation: stage.waits())
      stage.gate.answer(call: 1, with: .success(2))
      await expectEqual(first.outcome().word, "value 2")
      await expectEqual(second.outcome().word, "value 2")
      expectEqual(stage.gate.callCount, 1)
      await stage.nothingIsLeft()
    }

    @Test("3.5, 9.13 what a superseded operation still waits for is no part of a circle")
    func supersededWaits() async {
      let (a, b) = (AsyncData<Int>(), AsyncData<Int>())
      let gate = ManualServer<Void>()
      let first = a.start(id: "a") { () async throws -> Int? in
        try await gate.wait()
        // Replaces the load of `b`, whose operation awaits this one.
        return try await b.load(id: "new") { 5 }.get()
      }
      await gate.arrived(1)
      let second = Waiting { await b.load(id: "old") { try await a.load(id: "a") { 1 }.get() } }
      await a.awaited(by: 1)
      gate.answer(call: 1, with: .success(()))
      _ = await first.outcome()
      _ = await second.end()
      expectEqual(a.value, 5)
      expectNil(a.error)
      expectEqual(b.value, 5)
    }

    enum Reader: CaseIterable { case handle, data, reset, load }

    @Test(
      "1.7, 3.3, 3.5 a reader of Observation ends the load that is about to begin: its operation does not run",
      arguments: Reader.allCases)
    func endedByReader(reader: Reader) async {
      let (first, later) = await outdated(1)
      let (data, load) = (data, later[0])
      stage.recorder.hooks = [
        {
          // The first load has ended, and the later one is about to begin.
          whenReported({ _ = data.isRunning }) {
            switch reader {
            case .handle: load.cancel()
            case .data: data.cancel()
            case .reset: data.reset()
            case .load: data.start(id: "b") { 9 }
            }
          }
        }
      ]
      first.cancel()
      await expectEqual(load.outcome().word, (reader == .load ? "superseded" : "cancelled"))
      await data.settled()
      expectEqual(data.value, (reader == .load ? 9 : nil))
      expectEqual(stage.gate.callCount, 1)
      await stage.nothingIsLeft()
    }

    // MARK: Timeouts

    @Test(
      "3.10 a timeout of zero or less settles at once, and calls nothing", arguments: [Duration.zero, .seconds(-1)])
    func noTime(timeout: Duration) async {
      var calls = 0
      let load = data.start(
        options: LoadOptions(timeout: timeout),
        operation: stage.operation {
          calls += 1
          return 1
        })
      await expectEqual(load.outcome().word, "failure LoadTimeoutError()")
      expectEqual(calls, 0)
      expectEqual(stage.recorder.takeFlags(), "ff")
      await stage.nothingIsLeft()
    }

    @Test(
      "3.10 a load whose gate has closed is tried again when its time is over, with all of its time, also if its operation is deaf"
    )
    func gateHasClosed() async {
      let gate = LoadGate()
      let load = data.start(
        options: LoadOptions(timeout: .seconds(5), gate: gate), operation: stage.waits(at: stage.deaf))
      await stage.deaf.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      gate.close()
      await stage.clock.advance(by: .seconds(5))
      for await snapshot in data.observed.values where snapshot.isWaiting { break }
      await stage.clock.advance(by: .seconds(600))
      gate.open()
      await stage.deaf.arrived(2)
      // The end of the attempt that was given up, after it was replaced.
      stage.deaf.answer(call: 1, with: .failure(Failure()))
      await stage.deaf.ended(1)
      await stage.clock.advance(by: .seconds(4))
      expect(data.isRunning)
      stage.deaf.answer(call: 2, with: .success(2))
      await expectEqual(load.outcome().word, "value 2")
      await data.settled()
      await stage.nothingIsLeft()
    }

    @Test("3.10 what is sent is not sent again because its gate has closed: the policy decides")
    func commandBehindGate() async {
      let gate = LoadGate()
      let send = AsyncMutation<Int, Int>(
        options: LoadOptions(timeout: .seconds(5), clock: stage.clock, gate: gate)
      ) { [stage] _ in try await stage.gate.wait() ?? 0 }
      let task = send.perform(1)
      await stage.gate.arrived(1)
      gate.close()
      gate.open()
      await stage.clock.advance(by: .seconds(5))
      await #expect(throws: LoadTimeoutError.self) { try await task.get() }
      expectEqual(stage.gate.callCount, 1)
    }
  }
}
