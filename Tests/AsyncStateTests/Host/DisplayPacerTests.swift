// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DisplayPacerTests {
    let clock = ManualClock()
    let stage: HostStage

    init() {
      let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
      stage = HostStage(pacer: pacer).shown()
      _ = stage.trace.take()
    }

    var data: AsyncData<Int> { stage.data }

    private func advance(_ milliseconds: Int) async {
      await clock.advance(by: .milliseconds(milliseconds))
    }

    @Test("6.6 an indicator is displayed when the delay has passed, and stays its minimum; a cancel is never held back")
    func timelines() async {
      let paced = HostTimeline {
        DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: $0)
      }
      await paced.expect(
        "what follows the indicator waits for its minimum, and is the newest then",
        [
          .start: "", .wait(199): "", .wait(1): "loading,f", .wait(100): "", .value(1): "", .value(2): "",
          .wait(399): "", .wait(1): "data:2,t",
        ])
      await paced.expect(
        "at exactly the minimum an answer is displayed at once",
        [.start: "", .wait(200): "loading,f", .wait(500): "", .value(1): "data:1,t"])
      await paced.expect(
        "a new load within the minimum keeps the same indicator without a gap",
        [
          .start: "", .wait(200): "loading,f", .wait(100): "", .value(1): "", .reset: "", .wait(1000): "",
          .value(2): "data:2,t",
        ])
      await paced.expect(
        "later loadings are held back, too; a retry that ends within the delay displays its result at once",
        [
          .start: "", .error("a"): "error:a,f", .load(.reload): "", .wait(150): "", .value(1): "data:1,t",
          .load(.reload): "", .value(1): "data:1,f", .load(.refresh): "", .value(2): "data:2,t", .reset: "",
          .wait(199): "", .wait(1): "loading,t", .wait(500): "", .value(3): "data:3,t",
        ])
      await paced.expect(
        "the minimum begins with the indicator, whatever is written while it is displayed",
        [
          .start: "", .wait(200): "loading,f", .wait(400): "", .invalidate: "loading,f", .value(1): "", .wait(99): "",
          .wait(1): "data:1,t",
        ])
      await paced.expect(
        "a cancel is held back neither by the delay nor by the minimum",
        [
          .start: "", .value(1): "data:1,f", .load(.reload): "", .cancel: "", .load(.reload): "",
          .wait(200): "loading,t", .cancel: "data:1,t",
        ])
      await paced.expect(
        "whatever was written while the indicator was displayed",
        [.start: "", .wait(200): "loading,f", .reset: "", .load(.refresh): "", .cancel: "idle,t"])
      await paced.expect(
        "a forced notification that is held back is not animated when it is presented",
        [
          .start: "", .wait(200): "loading,f", .invalidate: "loading,f", .value(1): "", .value(1): "",
          .wait(500): "data:1,f",
        ])
      await paced.expect(
        "unless another load has begun meanwhile",
        [
          .start: "", .wait(200): "loading,f", .value(1): "", .value(1): "", .reset: "", .value(2): "",
          .wait(500): "data:2,t",
        ])
      for none in [Duration.zero, .seconds(-1)] {
        await HostTimeline(pacer: { DisplayPacer(delay: none, minimum: none, clock: $0) }).expect(
          "with no delay the indicator is displayed at once, with no minimum it disappears at once",
          [.start: "loading,f", .value(1): "data:1,t"])
      }
    }

    @Test(
      "6.6 a container that appears while a loading is held back shows what was displayed: nothing, or the last value")
    func appears() {
      let first = HostStage(pacer: DisplayPacer(clock: clock))
      first.host.start()
      _ = first.shown()
      expect(first.host.container.children.isEmpty)
      expectEqual(first.trace.takeTrace(), "request W(loading,f) D(nil,f)")
      stage.host.start()
      data.value = 1
      data.reset()
      stage.host.disappear(animated: false)
      _ = stage.trace.take()
      _ = stage.shown()
      expectEqual(stage.transitions(), [])
      expectEqual(word(stage.host.container.currentState), "data:1")
      expectEqual(stage.host.status.kind, .loading)
    }

    @Test("6.6 a loading that is over within the delay is never shown", arguments: [0, 199, 200])
    func quick(milliseconds: Int) async {
      // It sleeps before the pacer does, so that at exactly the delay it wakes first.
      let answer = Waiting { [clock, data] in
        try? await clock.sleep(until: .init(offset: .milliseconds(milliseconds)))
        data.value = 1
      }
      await answer.begun()
      stage.host.start()
      await advance(milliseconds)
      await answer.end()
      expectEqual(stage.transitions(), ["W(data:1,f)", "D(loading,f)"])
      expectEqual(word(stage.host.container.currentState), "data:1")
      await advance(1_000)
      expectEqual(stage.transitions(), [])
      expectEqual(clock.sleeperCount, 0)
    }

    @Test(
      "5.8, 6.6 a screen is pushed with an animation, and its value is there before it has appeared: no indicator",
      arguments: [false, true])
    func answeredWhileAppearing(hasContent: Bool) async {
      let stage = HostStage(pacer: DisplayPacer(clock: clock))
      stage.host.start()
      if hasContent { stage.data.value = 1 }
      stage.host.willAppear(animated: true)
      let load = stage.data.begin(.reload)
      await advance(250)
      load.report(progress: 0.5)
      load.succeed(with: 2)
      await advance(100)
      stage.host.didAppear(animated: true)
      expectEqual(word(stage.host.container.currentState), "data:2")
      expect(!stage.trace.take().marks.contains("loading+"))
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("5.8, 6.6 an indicator that has waited for a transition stays for the minimum from its own transition on")
    func displayedLate() async {
      let stage = HostStage(pacer: DisplayPacer(clock: clock))
      stage.host.start()
      stage.host.willAppear(animated: true)
      await advance(690)
      stage.host.didAppear(animated: true)
      expectEqual(word(stage.host.container.currentState), "loading")
      await advance(1)
      stage.data.value = 1
      await advance(498)
      expectEqual(word(stage.host.container.currentState), "loading")
      await advance(1)
      expectEqual(word(stage.host.container.currentState), "data:1")
    }

    @Test("3.17, 6.6 a request whose next attempt waits for its gate is displayed as that at once, over the indicator")
    func waitsWithinMinimum() async {
      let (online, server) = (LoadGate(), ManualServer<Int>())
      let options = LoadOptions(retry: RetryPolicy { _ in .milliseconds(100) }, clock: clock, gate: online)
      let number = AsyncResource(options: options) { try await server.wait() }
      let host = AsyncHost(number, pacer: DisplayPacer(clock: clock)) { _ in [] }
      host.start()
      host.appear(animated: false)
      await server.arrived(1)
      await advance(200)
      expectEqual(host.container.currentState.kind, .loading)
      server.answer(call: 1, with: .failure(Failure()))
      await clock.sleepers(atLeast: 1)
      online.close()
      await advance(100)
      expectEqual(host.container.currentState.kind, .waiting)
      online.open()
      await server.answer(arriving: 2, with: .success(1))
      await host.settled()
    }

    @Test("6.6 what is written while the indicator appears does not cancel the task that shows it")
    func writtenWhileShown() async {
      stage.host.start()
      var isCancelled: Bool?
      stage.trace.once("W(loading,f)") { [data] in
        data.value = 1
        isCancelled = Task.isCancelled
      }
      await advance(200)
      expectEqual(isCancelled, false)
      await advance(500)
      expectEqual(word(stage.host.container.currentState), "data:1")
    }

    @Test("6.6 a screen that is back, and requests, does not display idle for the delay of the indicator")
    func backFromIdle() async {
      let gate = ManualServer<Int>()
      let number = AsyncResource { try await gate.wait() }
      let host = AsyncHost(number, policy: DisplayPolicy(idle: .idle), pacer: DisplayPacer(clock: clock))
      host.start()
      host.appear(animated: false)
      number.cancel()
      expectEqual(host.container.currentState.kind, .idle)
      number.start()
      expectEqual(host.container.currentState.kind, .idle)
      number.cancel()
      host.disappear(animated: false)
      host.start()
      host.appear(animated: false)
      expectEqual(host.container.currentState.kind, .loading)
      number.cancel()
    }

    @Test("6.6, 9.5 no indicator appears while a user types; the delay begins with the request")
    func typing() async {
      let text = Input<String?>(nil)
      let gate = ManualServer<Int>()
      let found = AsyncResource(following: text, delay: .milliseconds(300), options: LoadOptions(clock: clock)) { _ in
        try await gate.wait()
      }
      let host = AsyncHost(found, policy: DisplayPolicy(idle: .idle), pacer: DisplayPacer(clock: clock))
      host.start()
      for letters in ["s", "sw", "swa"] {
        text.write(letters)
        await advance(299)
        expectEqual(host.container.currentState.kind, .idle)
        expectEqual(host.status, .loading)
      }
      await advance(1)
      await gate.arrived(1)
      await advance(199)
      expectEqual(host.container.currentState.kind, .idle)
      await advance(1)
      expectEqual(host.container.currentState.kind, .loading)
      text.write(nil)
      await host.settled()
    }
  }
}
