// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct HostPresentationTests {
    @Test(
      "6.2 what is new is presented, animated; what is written again, not animated; what changes nothing, not at all")
    func kinds() async {
      await HostTimeline(seed: 3).expect(
        "each kind",
        [
          .start: "data:3,f", .value(1): "data:1,t", .value(2): "data:2,t", .value(2): "data:2,f",
          .invalidate: "data:2,f", .error("a"): "error:a,t", .error("b"): "error:b,t", .value(nil): "noData,t",
          .clearError: "",
          .reset: "data:3,t",
        ])
      await HostTimeline(policy: DisplayPolicy(errors: .never)).expect(
        "nothing that is displayed changes",
        [
          .start: "", .reset: "", .value(1): "data:1,t", .load(.refresh): "", .cancel: "", .load(.refresh): "",
          .progress: "", .fail: "", .error("a"): "", .clearError: "", .value(nil): "noData,t", .clearError: "",
        ])
      await HostTimeline().expect(
        "an answer that equals what is displayed is not presented again; after a reload that has hidden it, it is",
        [
          .start: "", .value(1): "data:1,t", .invalidate: "data:1,f", .load(.refresh): "", .answer(1): "",
          .load(.refresh): "", .answer(2): "data:2,t", .load(.reload): "loading,t", .answer(2): "data:2,t",
        ])
      await HostTimeline(policy: DisplayPolicy(idle: .idle)).expect(
        "idle data, and then the answer that there is nothing",
        [.start: "idle,f", .value(nil): "noData,t", .reset: "idle,t"])
    }

    @Test("6.2 the status is determined once for each change, whether it is presented or not")
    func determinedOnce() {
      let calls = Tally()
      let policy = DisplayPolicy<Int>(isEmpty: { value in
        calls.note("\(value)")
        return value == 0
      })
      let stage = HostStage(policy: policy).shown().loaded()
      for value in [1, 0, 0] { stage.data.value = value }
      expectEqual(calls.entries, ["1", "0", "0"])
    }

    @Test("2.2, 6.2 an answer that is the same object, or of a type without ==, is presented again")
    func sameAnswer() async {
      final class Page: Equatable {
        static func == (left: Page, right: Page) -> Bool { left === right }
      }
      struct Plain {}
      func presentations<Value>(of answer: Value) async -> Int {
        var count = 0
        let host = AsyncHost(AsyncResource { answer }) { status in
          if status.kind == .data { count += 1 }
          return []
        }
        host.appear(animated: false)
        await host.start().outcome()
        await host.refresh().outcome()
        return count
      }
      await expectEqual(presentations(of: Page()), 2)
      await expectEqual(presentations(of: Plain()), 2)
      await expectEqual(presentations(of: 1), 1)
    }

    @Test("6.2 a presenter that is set late shows what is displayed at once, and then what is new")
    func latePresenter() {
      let trace = Recorder()
      let presenter = TracedPresenter(trace)
      let host = AsyncHost(data: AsyncData<Int>(), request: { _, _ in }, children: { _ in [] })
      host.presenter = presenter
      expectEqual(trace.takeTrace(), "")
      host.presenter = nil
      host.start()
      host.data.value = 1
      host.presenter = presenter
      expectEqual(trace.takeTrace(), "data:1,f")
      host.data.value = nil
      expectEqual(trace.takeTrace(), "noData,t")
    }

    @Test("6.3 the container calls will, then the presenter, the children, and did; the status is new before")
    func order() {
      let stage = HostStage().shown().loaded()
      let presenter = TracedPresenter(stage.trace)
      stage.host.presenter = presenter
      _ = stage.trace.take()
      var status: String?
      stage.trace.once("W(data:1,t)") { status = word(stage.host.status) }
      stage.data.value = 1
      expectEqual(
        stage.trace.takeTrace(),
        """
        W(data:1,t) data:1,t K loading- loading.wd data+ data.wa data.da data+! loading.dd loading-! D(loading,t)
        """)
      expectEqual(status, "data:1")
      withExtendedLifetime(presenter) {}
    }

    @Test("6.3 a write inside a callback is presented after the transition that runs, and the last one stays")
    func writeInsideCallback() {
      let stage = HostStage().shown().loaded()
      stage.trace.once("K") {
        stage.data.value = 2
        stage.data.value = 3
      }
      stage.data.value = 1
      expectEqual(stage.transitions(), ["W(data:1,t)", "D(loading,t)", "W(data:3,t)", "D(data:1,t)"])
      expectEqual(word(stage.host.container.currentState), "data:3")
    }
  }
}
