// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  @MainActor
  struct TimeoutTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

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
