// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct DescriptionTests {
    @Test("13 the description of data has its value, what runs and what is wrong")
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
    }

    @Test("13 a snapshot says which attempt runs, which page is loading, and nothing of what is too long")
    func snapshot() async {
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

    @Test("13 resources, families, hosts, containers and observed values say what they are at the moment")
    func others() {
      let resource = AsyncResource { 1 }
      expectEqual("\(resource)", "AsyncResource<Int>: nothing known")
      let loading = AsyncResource(seed: 7, options: LoadOptions(clock: ManualClock())) { 1 }
      loading.refresh()
      expectEqual("\(loading)", "AsyncResource<Int>: 7, provisional, refreshing since 0.0 s")
      expectEqual("\(loading.snapshot)", "7, provisional, refreshing")
      loading.cancel()
      let family = AsyncFamily<Int, Int> { $0 }
      expectEqual("\(family)", "AsyncFamily<Int, Int>: 0 entries")
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
