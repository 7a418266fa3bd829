// SPDX-License-Identifier: MIT
import AsyncStateJournal
import AsyncStateLists
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MoreDescriptionTests {
    final class Page: ChildController {}

    final class Row: ReusableController {
      func configure(with model: String) {}
      func prepareForReuse() {}
    }

    @Test("13 a handle and an outcome say how the load ended")
    func loads() async {
      let data = AsyncData<Int>()
      let load = data.begin()
      expectEqual("\(load)", "PendingLoad<Int>: running")
      load.succeed(with: 7)
      expectEqual("\(load)", "PendingLoad<Int>: value: 7")
      expectEqual("\(load.task)", "LoadTask<Int>: value: 7")
      let outcomes: [(AsyncOutcome<[Int]?>, String)] = [
        (.success([1]), "value: 1 item"), (.success(nil), "no data"), (.failure(Failure()), "failure: failure"),
        (.cancelled, "cancelled"), (.superseded, "superseded"), (.notRequested([]), "not requested: 0 items"),
        (.notRequested(nil), "not requested: no data"),
      ]
      for (outcome, text) in outcomes { expectEqual(outcome.description, text) }
      expectEqual("\(AsyncOutcome.success(1))", "value: 1")
      expectEqual("\(PageState())", "idle")
      expectEqual("\(PageState(isRunning: true))", "loading")
      expectEqual("\(PageState(isRunning: true, isWaiting: true))", "waiting")
      expectEqual("\(PageState(error: Failure()))", "error: failure")
      expectEqual("\(LoadActivity(mode: .reload))", "loading")
      var kept: LoadReporter<Int>?
      await data.load { (reporter: LoadReporter<Int>) in
        expectEqual("\(reporter)", "LoadReporter<Int>: running")
        kept = reporter
        return 1
      }
      expectEqual(kept.map { "\($0)" }, "LoadReporter<Int>: ended")
    }

    @Test("13 what a request is made with says what it is")
    func requests() {
      expectEqual("\(LoadCondition.always) \(LoadCondition.stale)", "always stale")
      expectEqual("\(LoadCondition.olderThan(.seconds(5)))", "older than 5.0 seconds")
      expectEqual("\(RetryPolicy.never) \(RetryPolicy.exponential())", "never by a policy")
      expectEqual("\(LoadMode.reload) \(LoadTimeoutError())", "reload LoadTimeoutError()")
      expectEqual("\(Paged(first: Paged<Int, Int>.Page(items: [1, 2])))", "2 items")
      #expect("\(Paged<Int, Int>.Page(items: [1, 2], next: 3))".contains("[1, 2]"))
    }

    @Test("13 a status and everything that displays one say which")
    func statuses() async {
      let statuses: [AsyncStatus<[Int]>] = [
        .loading, .error(Failure()), .idle, .noData, .data([1, 2]),
      ]
      expectEqual(statuses.map(\.description), ["loading", "error: failure", "idle", "no data", "data: 2 items"])
      expectEqual("\(AsyncStatusKind.noData) \(IdleDisplay.idle)", "noData idle")
      expectEqual("\(DisplayPolicy<Int>())", "the error of a reload replaces data, idle is displayed as loading")
      let policy = DisplayPolicy<Int>(errors: .never, idle: .idle, isEmpty: { $0 == 0 })
      expectEqual("\(policy)", "data stays beside an error, idle is displayed as idle, some values are empty")
      let clock = ManualClock()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(2), clock: clock)
      expectEqual("\(pacer)", "after 1.0 seconds, for at least 2.0 seconds")
      let resource = AsyncResource { 1 }
      let data = resource.data
      let paced = PacedStatus(resource, pacer: pacer)
      expectEqual("\(paced)", "PacedStatus<Int>: nothing")
      data.value = 1
      expectEqual("\(paced)", "PacedStatus<Int>: data: 1")
      final class Content: AsyncContent {
        func apply(_ value: Int, animated: Bool) {}
      }
      let content = Content()
      let board = StatusBoard(content: content, data: data)
      expectEqual("\(board)", "StatusBoard<Int>: nothing")
      board.transitionToData(1, animated: false)
      expectEqual("\(board)", "StatusBoard<Int>: content")
    }

    @Test("13 the descriptions of boards, entries and stored values have what they hold")
    func families() async throws {
      let board = AsyncTagBoard()
      expectEqual("\(board)", "AsyncTagBoard: open, 0 loading")
      board.gate.close()
      expectEqual("\(board)", "AsyncTagBoard: closed, 0 loading")
      expectEqual("\(AsyncTag("item", 5))", "item 5")
      let store = MemoryStore<Int, Int>()
      store.writeError = Failure()
      let family = AsyncFamily<Int, Int>(keepUnused: 2, store: store) { $0 }
      let held = family[5]
      await held.load()
      await family.settled()
      expectEqual("\(family.entries[0])", "5: 5, held, unsaved")
      expectEqual("\(store)", "MemoryStore<Int, Int>: 0 values")
      expectEqual("\(StoredValue<Int>(7, age: .seconds(1)))", "7, 1.0 seconds old")
      expectEqual("\(StoredValue<[Int]>(nil, isInvalidated: true))", "no data, of unknown age, invalidated")
    }

    @Test("13 lists, cells and pools say how many rows, which model and how many objects")
    func lists() {
      let items = Input([1, 2, 3])
      let list = ListDataSource<Int, Int>(items: items.map { $0 }, dequeue: { $0 }, configure: { _, _ in })
      expectEqual("\(list)", "ListDataSource<Int, Int>: not computed")
      expectEqual(list.count, 3)
      expectEqual("\(list)", "ListDataSource<Int, Int>: 3 rows")
      var changes: [String] = []
      let token = list.observeChanges { change in
        changes.append("\(change)")
        change.apply()
      }
      items.write([1])
      expectEqual("\(list)", "ListDataSource<Int, Int>: 1 row")
      items.write([1])
      expectEqual(changes, ["2 removals"])
      let sections = ListDataSource<Int, Int>(
        sections: .constant([ListSection(id: "fruit", items: [1]), ListSection(id: "nuts", items: [])]),
        dequeue: { $0.row }, configure: { _, _ in })
      expectEqual(sections.count, 1)
      expectEqual("\(sections)", "ListDataSource<Int, Int>: 1 row in 2 sections")
      expectEqual("\(ListSection(id: "fruit", items: [1]))", "fruit: 1 item")
      expectEqual("\(ListPath(section: 1, row: 3))", "1.3")

      let cell = CellHost { Row() }
      cell.configure(with: "swan")
      cell.willDisplay()
      expectEqual("\(cell)", "CellHost<Row>: swan, displayed")
      let row = LoadingRow<String, Int> { $0.count }
      row.configure(with: "swan")
      expectEqual("\(row)", "LoadingRow<String, Int>: swan: nothing known")
      let pool = ReusePool<Int, Page>()
      pool.recycle(Page(), for: 1)
      expectEqual("\(pool)", "ReusePool<Int, Page>: 1 object")
      withExtendedLifetime(token) {}
    }

    @Test("13 boxes, tokens and animators say what is left of them")
    func others() async {
      final class Label {
        var text = ""
      }
      let input = Input("a")
      let box = Box(Label())
      expectEqual("\(box)", "Box<Label>: 0 bindings")
      box.bind(\.text, to: input)
      expectEqual("\(box)", "Box<Label>: 1 binding")
      let token = input.observe { _ in }
      expectEqual("\(token)", "ObservedToken: observing")
      token.cancel()
      expectEqual("\(token)", "ObservedToken: ended")

      expectEqual("\(ImmediateAnimator())", "ImmediateAnimator: every animation takes no time")
      let clock = ManualClock()
      let animator = ClockAnimator(clock: clock)
      expectEqual("\(animator)", "ClockAnimator: 0 planned")
      let animation = TransitionAnimation(
        child: Page(), isAppearing: true, duration: .seconds(1), delay: .zero, onFinish: {})
      expectEqual("\(animation)", "Page appears, after 0.0 seconds, for 1.0 seconds")
      animator.animate(animation)
      expectEqual("\(animator)", "ClockAnimator: 1 planned")
      await clock.sleepers(atLeast: 1)
      expectEqual("\(clock)", "ManualClock: 0.0 seconds, 1 sleeper")
      animation.finish()
      expectEqual("\(Appearance.gone) \(TransitionOutcome.finished)", "gone finished")
    }

    @Test("13 what tests use describes itself, too")
    func testing() async {
      let gate = ManualServer<Int>()
      let call = Waiting { try? await gate.wait() }
      await gate.arrived(1)
      expectEqual("\(gate)", "ManualServer<Int>: 1 call, 1 waiting")
      gate.answer(call: 1, with: .success(1))
      _ = await call.end()
      let recorder = Recorder()
      recorder.child("page").willAttach()
      expectEqual("\(recorder)", "Recorder: page+")
      expectEqual("\(recorder.child("page"))", "RecordedChild: page")
      expectEqual("\(StateJournal.Limits())", "Limits(restarts: 10, statusChangesPerSecond: 20)")
      expectEqual("\(StateJournal.Edge.next)", "next")
    }
  }
}
