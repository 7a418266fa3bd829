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
