// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct TimeoutTests {
    let stage = LoadStage()
    var data: AsyncData<Int> { stage.data }

    @Test("3.10 at the deadline the load settles with the timeout at once, even if the operation is deaf")
    func deaf() async {
      data.value = 1
      let load = data.start(options: LoadOptions(timeout: .seconds(5)), operation: stage.waits(at: stage.deaf))
      await stage.deaf.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .milliseconds(4_999))
      #expect(data.isRunning)
      await stage.clock.advance(by: .milliseconds(1))
      #expect(await load.outcome().word == "failure LoadTimeoutError()")
      #expect(data.error is LoadTimeoutError)
      #expect(data.value == 1)
      stage.deaf.answer(call: 1, with: .success(2))
      await stage.deaf.ended(1)
      #expect(data.value == 1)
      await stage.nothingIsLeft()
    }

    @Test("3.10 the timeout spans all attempts and the waits between them")
    func spansAttempts() async {
      let load = data.start(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(3) }, timeout: .seconds(5)),
        operation: stage.operation { throw Failure() })
      await stage.clock.sleepers(atLeast: 2)
      await stage.clock.advance(by: .seconds(3))
      await stage.clock.sleepers(atLeast: 2)
      await stage.clock.advance(by: .seconds(2))
      #expect(await load.outcome().word == "failure LoadTimeoutError()")
      await stage.nothingIsLeft()
    }

    @Test("3.10 a load that ends in time leaves no sleeper", arguments: [true, false])
    func inTime(succeeds: Bool) async {
      let load = data.start(options: LoadOptions(timeout: .seconds(5)), operation: stage.waits())
      await stage.gate.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      stage.gate.answer(call: 1, with: succeeds ? .success(1) : .failure(Failure()))
      #expect(await load.outcome().word == (succeeds ? "value 1" : "failure failure"))
      #expect(stage.clock.sleeperCount == 0)
      await stage.nothingIsLeft()
    }

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
      #expect(await load.outcome().word == "failure LoadTimeoutError()")
      #expect(calls == 0)
      #expect(stage.recorder.takeFlags() == "ff")
      await stage.nothingIsLeft()
    }
  }
}
