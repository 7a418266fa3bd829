// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateLists
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DescriptionTests {
    final class Page: ChildController {}

    final class Row: ReusableController {
      func configure(with model: String) {}
      func prepareForReuse() {}
    }

    @Test("13 the description of data, and of a snapshot, has its value, what runs and what is wrong, cut to a line")
    func data() async {
      let clock = ManualClock()
      let data = AsyncData<[Int]>(seed: [1], options: LoadOptions(clock: clock))
      await clock.advance(by: .seconds(5))
      expectEqual("\(data)", "AsyncData<Array<Int>>: 1 item, provisional")
      let load = data.begin(.refresh)
      load.report(progress: 0.4)
      expectEqual("\(data)", "AsyncData<Array<Int>>: 1 item, provisional, refreshing since 0.0 s, 40 %")
      await clock.advance(by: .milliseconds(1_299))
      expectEqual("\(data)", "AsyncData<Array<Int>>: 1 item, provisional, refreshing since 1.2 s, 40 %")
      load.succeed(with: [1, 2, 3])
      data.error = Failure()
      data.invalidate()
      expectEqual("\(data)", "AsyncData<Array<Int>>: 3 items, invalidated, error: failure")
      data.value = nil
      expectEqual("\(data)", "AsyncData<Array<Int>>: no data")
      data.reset()
      expectEqual("\(data)", "AsyncData<Array<Int>>: 1 item, provisional")
      var snapshot = AsyncSnapshot<String>(activity: LoadActivity(mode: .reload, failures: 1))
      expectEqual("\(snapshot)", "nothing known, loading, attempt 2")
      snapshot = AsyncSnapshot(value: String(repeating: "x", count: 100))
      expectEqual("\(snapshot)", String(repeating: "x", count: 79) + "…")
      let gate = ManualServer<Paged<Int, Int>.Page>()
      let list = AsyncData<Paged<Int, Int>>()
      list.value = Paged(first: Paged.Page(items: [1, 2], next: 1))
      let next = Task { await list.loadNext { _ in try await gate.wait() } }
      await gate.arrived(1)
      expectEqual("\(list)", "AsyncData<Paged<Int, Int>>: 2 items, next page loading")
      gate.answer(call: 1, with: .success(Paged.Page(items: [3])))
      _ = await next.value
    }

    @Test("13 a handle and an outcome say how the load ended, and a status which it is")
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
      let statuses: [AsyncStatus<[Int]>] = [.loading, .error(Failure()), .idle, .noData, .data([1, 2])]
      expectEqual(statuses.map(\.description), ["loading", "error: failure", "idle", "no data", "data: 2 items"])
      expectEqual("\(AsyncStatusKind.noData)", "noData")
      expectEqual("\(Paged(first: Paged<Int, Int>.Page(items: [1, 2])))", "2 items")
    }

    @Test("13 resources, families, stores, hosts, containers and observed values say what they are at the moment")
    func objects() async {
      let resource = AsyncResource { 1 }
      expectEqual("\(resource)", "AsyncResource<Int>: nothing known")
      let loading = AsyncResource(seed: 7, options: LoadOptions(clock: ManualClock())) { 1 }
      loading.refresh()
      expectEqual("\(loading)", "AsyncResource<Int>: 7, provisional, refreshing since 0.0 s")
      expectEqual("\(loading.snapshot)", "7, provisional, refreshing")
      loading.cancel()
      let host = AsyncHost<Int>(request: { _, _ in }) { _ in [] }
      expectEqual("\(host)", "AsyncHost<Int>: not started (nothing known)")
      host.start()
      host.data.value = 1
      expectEqual("\(host)", "AsyncHost<Int>: data (1)")
      let container = StateContainer(initialState: 1) { _ in [] }
      expectEqual("\(container)", "StateContainer<Int>: 1, gone, 0 children")
      container.appear(animated: false)
      expectEqual("\(container)", "StateContainer<Int>: 1, visible, 0 children")
      let input = Input(2)
      let double = input.map { $0 * 2 }
      expectEqual("\(input)", "Input<Int>: 2")
      expectEqual("\(double)", "Observed<Int>: not computed")
      expectEqual(double.current, 4)
      expectEqual("\(double)", "Observed<Int>: 4")
      let board = AsyncTagBoard()
      expectEqual("\(board)", "AsyncTagBoard: open, 0 loading")
      board.gate.close()
      expectEqual("\(board)", "AsyncTagBoard: closed, 0 loading")
      expectEqual("\(AsyncTag("item", 5))", "item 5")
      let store = MemoryStore<Int, Int>()
      store.writeError = Failure()
      let family = AsyncFamily<Int, Int>(keepUnused: 2, store: store) { $0 }
      expectEqual("\(family)", "AsyncFamily<Int, Int>: 0 entries")
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

    @Test("13 lists and cells say how many rows and which model, and a change of a list what changes")
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
      let input = Input([ListSection(id: 0, items: [1, 2, 3])])
      let sectioned = ListDataSource<Int, Int>(sections: input, dequeue: { $0.row }, configure: { _, _ in })
      changes = []
      let other = sectioned.observeChanges { change in
        changes.append("\(change)")
        change.apply()
      }
      input.write([ListSection(id: 0, items: [1, 2, 3]), ListSection(id: 1, items: [4])])
      input.write([ListSection(id: 0, items: [1, 2, 3])])
      input.write([ListSection(id: 0, items: [3, 1, 2, 4])])
      expectEqual(changes, ["1 inserted section", "1 removed section", "1 insertion, 1 move"])
      withExtendedLifetime((token, other)) {}
    }

    @Test("13 a clock says how many sleep, and what tests use describes itself, too")
    func testing() async {
      let clock = ManualClock()
      let animator = ClockAnimator(clock: clock)
      animator.animate(
        TransitionAnimation(child: Page(), isAppearing: true, duration: .seconds(1), delay: .zero, onFinish: {}))
      await clock.sleepers(atLeast: 1)
      expectEqual("\(clock)", "ManualClock: 0.0 seconds, 1 sleeper")
      await clock.advance(by: .seconds(1))
      expectEqual("\(clock)", "ManualClock: 1.0 seconds, 0 sleepers")
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
    }

    @Test("1.7, 13 a description is no reading: Observation tracks nothing of it, and a mirror shows the parts")
    func isNoReading() {
      let data = AsyncData<Int>()
      let tracker = AllTests.ObservationTests.Tracker()
      tracker.track { _ = "\(data)" }
      data.value = 1
      expectEqual(tracker.changes, 0)
      expectEqual(Mirror(reflecting: data).children.compactMap(\.label), ["value", "error", "activity"])
    }
  }
}
