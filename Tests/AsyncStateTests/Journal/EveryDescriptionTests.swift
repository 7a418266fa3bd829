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
      expectEqual("\(load.task)", "LoadTask<Int>: running")
      load.succeed(with: 7)
      expectEqual("\(load.task)", "LoadTask<Int>: value: 7")
      let cancelled = data.begin()
      cancelled.task.cancel()
      expectEqual("\(cancelled.task)", "LoadTask<Int>: cancelled")
      let outcomes: [AsyncOutcome<[Int]?>] = [
        .success([1]), .success(nil), .failure(Failure()), .cancelled, .superseded, .notRequested([]),
        .notRequested(nil),
      ]
      expectEqual(
        outcomes.map(\.description),
        [
          "value: 1 item", "no data", "failure: failure", "cancelled", "superseded", "not requested: 0 items",
          "not requested: no data",
        ])
      expectEqual("\(AsyncOutcome.success(1))", "value: 1")
      expectEqual("\(LoadActivity(mode: .reload))", "loading")
    }

    @Test("13 what a request is made with says what it is")
    func requests() {
      expectEqual("\(LoadCondition.always) \(LoadCondition.stale)", "always stale")
      expectEqual("\(LoadMode.reload) \(LoadTimeoutError())", "reload LoadTimeoutError()")
      expectEqual("\(Paged(first: Paged<Int, Int>.Page(items: [1, 2])))", "2 items")
      expect("\(Paged<Int, Int>.Page(items: [1, 2], next: 3))".contains("[1, 2]"))
    }

    @Test("13 a status and everything that displays one say which")
    func statuses() async {
      let statuses: [AsyncStatus<[Int]>] = [
        .loading, .error(Failure()), .idle, .noData, .data([1, 2]),
      ]
      expectEqual(statuses.map(\.description), ["loading", "error: failure", "idle", "no data", "data: 2 items"])
      expectEqual("\(AsyncStatusKind.noData) \(IdleDisplay.idle)", "noData idle")
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
      store.writeError = nil
      await family[6].load()
      await family.settled()
      expect(family.entries.map(\.description).contains("6: 6, not held"))
      expectEqual("\(store)", "MemoryStore<Int, Int>: 2 values")
      expectEqual("\(StoredValue<Int>(7, age: .seconds(1)))", "7, 1.0 seconds old")
      expectEqual("\(StoredValue<[Int]>(nil, isInvalidated: true))", "no data, of unknown age, invalidated")
    }

    @Test("13 lists and cells say how many rows and which model")
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
      expectEqual("\(cell)", "CellHost<Row>: empty")
      cell.configure(with: "swan")
      cell.willDisplay()
      expectEqual("\(cell)", "CellHost<Row>: swan, displayed")
      let row = LoadingRow<String, Int> { $0.count }
      expectEqual("\(row)", "LoadingRow<String, Int>: empty: nothing known")
      row.configure(with: "swan")
      expectEqual("\(row)", "LoadingRow<String, Int>: swan: nothing known")
      withExtendedLifetime(token) {}
    }

    @Test("13 a change of a list says what changes")
    func listChanges() {
      let sections = Input([ListSection(id: 0, items: [1, 2, 3])])
      let list = ListDataSource<Int, Int>(sections: sections, dequeue: { $0.row }, configure: { _, _ in })
      var changes: [String] = []
      let token = list.observeChanges { change in
        changes.append("\(change)")
        change.apply()
      }
      sections.write([ListSection(id: 0, items: [1, 2, 3]), ListSection(id: 1, items: [4])])
      sections.write([ListSection(id: 0, items: [1, 2, 3])])
      sections.write([ListSection(id: 0, items: [3, 1, 2, 4])])
      expectEqual(changes, ["1 inserted section", "1 removed section", "1 insertion, 1 move"])
      withExtendedLifetime(token) {}
    }

    @Test("13 a clock says how many sleep")
    func others() async {
      let clock = ManualClock()
      let animator = ClockAnimator(clock: clock)
      animator.animate(
        TransitionAnimation(child: Page(), isAppearing: true, duration: .seconds(1), delay: .zero, onFinish: {}))
      await clock.sleepers(atLeast: 1)
      expectEqual("\(clock)", "ManualClock: 0.0 seconds, 1 sleeper")
      await clock.advance(by: .seconds(1))
      expectEqual("\(clock)", "ManualClock: 1.0 seconds, 0 sleepers")
      expectEqual("\(Appearance.gone) \(TransitionOutcome.finished)", "gone finished")
    }

    @Test("13 what tests use describes itself, too")
    func testing() async {
      let gate = ManualServer<Int>()
      expectEqual("\(gate)", "ManualServer<Int>: 0 calls, 0 waiting")
      let call = Waiting { try? await gate.wait() }
      await gate.arrived(1)
      expectEqual("\(gate)", "ManualServer<Int>: 1 call, 1 waiting")
      gate.answer(call: 1, with: .success(1))
      _ = await call.end()
      expectEqual("\(gate)", "ManualServer<Int>: 1 call, 0 waiting")
      let recorder = Recorder()
      expectEqual("\(recorder)", "Recorder: no marks")
      recorder.child("page").willAttach()
      expectEqual("\(recorder)", "Recorder: page+")
      expectEqual("\(recorder.child("page"))", "RecordedChild: page")
      expectEqual("\(StateJournal.Limits())", "Limits(restarts: 10, statusChangesPerSecond: 20)")
      expectEqual("\(StateJournal.Edge.next)", "next")
    }
  }
}
