// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Synchronization
import Testing

extension AllTests {
  @MainActor
  struct HostPresentationTests {
    // MARK: 6.2

    @Test("6.2 each kind is presented when it is new, animated")
    func kinds() {
      let stage = HostStage().shown().loaded()
      stage.data.value = 1
      stage.data.error = Failure()
      stage.data.value = nil
      stage.data.reset()
      expectEqual(
        stage.transitions(),
        [
          "W(data:1,t)", "D(loading,t)", "W(error:failure,t)", "D(data:1,t)", "W(noData,t)", "D(error:failure,t)",
          "W(loading,t)", "D(noData,t)",
        ])
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

    @Test("6.2 a new value over data is presented, and a new error over an error")
    func writtenAgain() {
      let stage = HostStage().shown().loaded()
      stage.data.value = 1
      stage.data.value = 2
      expectEqual(stage.transitions().suffix(2), ["W(data:2,t)", "D(data:1,t)"])
      stage.data.error = Failure(name: "a")
      stage.data.error = Failure(name: "b")
      expectEqual(stage.transitions().suffix(2), ["W(error:b,t)", "D(error:a,t)"])
    }

    @Test("6.2 data that is reset over another value displays its seed again")
    func resetToSeed() {
      let stage = HostStage(seed: 3).shown().loaded()
      stage.data.value = 1
      _ = stage.trace.take()
      stage.data.reset()
      expectEqual(stage.transitions(), ["W(data:3,t)", "D(data:1,t)"])
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

    @Test("6.2 a forced notification is presented, and not animated")
    func forced() {
      let stage = HostStage().shown().loaded()
      stage.data.value = 1
      _ = stage.trace.take()
      stage.data.value = 1
      expectEqual(stage.transitions(), ["W(data:1,f)", "D(data:1,f)"])
      stage.data.invalidate()
      expectEqual(stage.transitions(), ["W(data:1,f)", "D(data:1,f)"])
    }

    @Test("6.2 what changes nothing that is displayed is not presented")
    func nothingNew() async {
      let stage = HostStage(policy: DisplayPolicy(errors: .never)).shown().loaded()
      stage.data.reset()
      expectEqual(stage.transitions(), [])
      stage.data.value = 1
      _ = stage.trace.take()
      stage.data.start(.refresh) { throw Failure() }
      stage.data.cancel()
      await stage.data.load(.refresh) { (reporter: LoadReporter<Int>) in
        reporter.report(progress: 0.5)
        throw Failure()
      }
      stage.data.error = nil
      expectEqual(stage.transitions(), [])
      stage.data.value = nil
      _ = stage.trace.take()
      stage.data.error = nil
      expectEqual(stage.transitions(), [])
    }

    @Test("6.2 the status follows what is not presented, too")
    func statusFollows() {
      let stage = HostStage().loaded()
      expectEqual(stage.host.status.kind, .loading)
      stage.data.value = 1
      expectEqual(word(stage.host.status), "data:1")
      stage.data.error = Failure()
      expectEqual(stage.host.status.kind, .error)
    }

    @Test("4, 6.2 idle data and the answer that there is nothing are presented one after the other")
    func idle() {
      let stage = HostStage(policy: DisplayPolicy(idle: .idle)).shown().loaded()
      expectEqual(word(stage.host.container.currentState), "idle")
      stage.data.value = nil
      expectEqual(stage.transitions(), ["W(noData,t)", "D(idle,t)"])
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
