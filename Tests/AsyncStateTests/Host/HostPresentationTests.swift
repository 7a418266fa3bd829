// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Synchronization
import Testing

extension AllTests {
  @MainActor
  struct HostPresentationTests {
    // MARK: 6.2

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
          .start: "", .reset: "", .value(1): "data:1,t", .load(.refresh): "", .cancel: "", .error("a"): "",
          .clearError: "", .value(nil): "noData,t", .clearError: "",
        ])
      await HostTimeline(policy: DisplayPolicy(idle: .idle)).expect(
        "idle data, and then the answer that there is nothing",
        [.start: "idle,f", .value(nil): "noData,t", .reset: "idle,t"])
    }

    @Test("4, 6.2 progress and a failure that is not displayed are not presented")
    func nothingNew() async {
      let stage = HostStage(policy: DisplayPolicy(errors: .never)).shown().loaded()
      stage.data.value = 1
      _ = stage.trace.take()
      await stage.data.load(.refresh) { (reporter: LoadReporter<Int>) in
        reporter.report(progress: 0.5)
        throw Failure()
      }
      expectEqual(stage.transitions(), [])
    }

    @Test("6.2 the status is determined once for each change, whether it is presented or not")
    func determinedOnce() {
      final class Calls: Sendable {
        private let atomic = Atomic(0)
        var count: Int { atomic.load(ordering: .relaxed) }
        func note() { atomic.add(1, ordering: .relaxed) }
      }
      let calls = Calls()
      let policy = DisplayPolicy<Int>(isEmpty: { value in
        calls.note()
        return value == 0
      })
      let stage = HostStage(policy: policy).shown().loaded()
      stage.data.value = 1
      expectEqual(calls.count, 1)
      stage.data.value = 0
      expectEqual(calls.count, 2)
      stage.data.value = 0
      expectEqual(calls.count, 3)
      expectEqual(
        stage.transitions(),
        [
          "W(data:1,t)", "D(loading,t)", "W(noData,t)", "D(data:1,t)", "W(noData,f)", "D(noData,f)",
        ])
    }

    @Test("6.2 an optimistic change over data is presented at once, and so is its end")
    func optimisticChange() async {
      let stage = HostStage().shown().loaded()
      stage.data.value = 1
      _ = stage.trace.take()
      var whileUnderWay: [String] = []
      await stage.data.mutate({ $0 += 1 }) {
        whileUnderWay = stage.transitions()
        throw Failure()
      }
      expectEqual(whileUnderWay, ["W(data:2,t)", "D(data:1,t)"])
      expectEqual(stage.transitions(), ["W(data:1,t)", "D(data:2,t)"])
    }

    @Test("2.2, 6.2 an answer that is equal to what is displayed is taken and not presented again")
    func equalAnswer() async {
      let stage = HostStage().shown().loaded()
      await stage.data.load { 1 }
      _ = stage.trace.take()
      var notified = 0
      let token = stage.data.observed.observe { _ in notified += 1 }
      let before = notified
      stage.data.invalidate()
      expectEqual(stage.transitions(), ["W(data:1,f)", "D(data:1,f)"])
      await stage.data.load(.refresh) { 1 }
      expectEqual(stage.transitions(), [])
      #expect(!stage.data.snapshot.isInvalidated && notified > before)
      await stage.data.load(.refresh) { 2 }
      expectEqual(stage.transitions(), ["W(data:2,t)", "D(data:1,t)"])
      // A reload hides what is displayed, so the same value is displayed again.
      await stage.data.load(.reload) { 2 }
      expectEqual(stage.transitions(), ["W(loading,t)", "D(data:2,t)", "W(data:2,t)", "D(loading,t)"])
      // With a change over it, an equal answer still changes what is displayed.
      await stage.data.mutate({ $0 += 1 }) { await stage.data.load(.refresh) { 2 } }
      expectEqual(word(stage.host.status), "data:3")
      expectEqual(stage.transitions().first, "W(data:3,t)")
      token.cancel()
    }

    @Test("2.2, 6.2 an answer that is the same object, or of a type without ==, is presented again")
    func sameObject() async {
      final class Page: Equatable {
        var text = "old"
        static func == (left: Page, right: Page) -> Bool { left === right }
      }
      struct Plain { let number: Int }
      let page = Page()
      var texts: [String] = []
      let pages = AsyncHost(AsyncResource { page }) { status in
        if case .data(let page) = status { texts.append(page.text) }
        return []
      }
      pages.appear(animated: false)
      await pages.start().outcome()
      page.text = "new"
      await pages.refresh().outcome()
      expectEqual(texts, ["old", "new"])
      var count = 0
      let plain = AsyncHost(AsyncResource { Plain(number: 1) }) { status in
        if status.kind == .data { count += 1 }
        return []
      }
      plain.appear(animated: false)
      await plain.start().outcome()
      await plain.refresh().outcome()
      expectEqual(count, 2)
    }

    @Test("6.2 a presenter that is set late shows what is displayed at once")
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
    }

    // MARK: 6.3

    @Test("6.3 the container calls will, the children, and did; the status is new before")
    func order() {
      let stage = HostStage().shown().loaded()
      var status: String?
      stage.trace.once("W(data:1,t)") { status = word(stage.host.status) }
      stage.data.value = 1
      expectEqual(
        stage.trace.take().marks,
        [
          "W(data:1,t)", "K", "loading-", "loading.wd", "data+", "data.wa", "data.da", "data+!", "loading.dd",
          "loading-!", "D(loading,t)",
        ])
      expectEqual(status, "data:1")
    }

    @Test("6.3 with a presenter the order is will, the presenter, did")
    func orderWithPresenter() {
      let trace = Recorder()
      let presenter = TracedPresenter(trace)
      let stage = HostStage(presenter: presenter)
      trace.record(statusesOf: stage.host)
      stage.host.start()
      stage.data.value = 1
      stage.data.value = 1
      stage.data.error = Failure()
      stage.data.value = nil
      expectEqual(
        trace.marks,
        [
          "W(loading,f)", "loading,f", "D(nil,f)", "W(data:1,t)", "data:1,t", "D(loading,t)", "W(data:1,f)", "data:1,f",
          "D(data:1,f)", "W(error:failure,t)", "error:failure,t", "D(data:1,t)", "W(noData,t)", "noData,t",
          "D(error:failure,t)",
        ])
    }

    @Test("6.3 with a presenter and children, the presenter displays the status before the children are requested")
    func presenterBeforeChildren() {
      let stage = HostStage()
      let presenter = TracedPresenter(stage.trace)
      stage.host.presenter = presenter
      stage.host.start()
      _ = stage.trace.take()
      stage.data.value = 1
      let marks = stage.trace.take().marks
      let (shown, requested) = (marks.firstIndex(of: "data:1,t"), marks.firstIndex(of: "K"))
      #expect(shown.map { $0 + 1 } == requested && shown != nil)
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
