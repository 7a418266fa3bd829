// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct SettlingTests {
    let clock = ManualClock()
    let data: AsyncData<Paged<String, Int>>
    let deaf = ManualServer<Int>(ignoresCancellation: true)

    typealias Page = Paged<String, Int>.Page

    private var pages: Paged<String, Int> { Paged(first: Page(items: ["a"], next: 2, previous: 0)) }

    init() { data = AsyncData(options: LoadOptions(clock: clock)) }

    private func waits() -> () async throws -> Paged<String, Int>? {
      { [deaf, pages] in
        _ = try await deaf.wait()
        return pages
      }
    }

    private func settling() async -> Waiting<Void> {
      let waiting = Waiting { [data] in await data.settled() }
      await waiting.begun()
      return waiting
    }

    /// `settled()` waits until the deaf operation that was called last has its answer.
    private func returnsAfter(
      _ calls: Int, _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let waiting = await settling()
      for call in 1...calls {
        expectNil(waiting.result, "\(what)", sourceLocation: sourceLocation)
        deaf.answer(call: call, with: .success(0))
        await deaf.ended(call)
      }
      await waiting.end()
    }

    private func request(at edge: PageEdge) {
      let page: @MainActor (Int) async throws -> Page = { [deaf] cursor in
        _ = try await deaf.wait()
        return Page(items: ["\(cursor)"])
      }
      Task { [data] in
        _ = edge == .next ? await data.loadNext(fetch: page) : await data.loadPrevious(fetch: page)
      }
    }

    private func change() {
      Task { [data, deaf] in await data.mutate({ _ in }, commit: { _ = try await deaf.wait() }) }
    }

    /// Something with so many calls of an operation that ignores its cancel, of data that has a page.
    private struct Work {
      let what: String
      let calls: Int
      let begin: @MainActor (SettlingTests) async -> Void
    }

    private static let works: [Work] =
      [
        Work(what: "operations of superseded and cancelled loads that still run", calls: 3) { suite in
          for call in 1...3 {
            if call == 3 { suite.data.cancel() }
            suite.data.start(operation: suite.waits())
            await suite.deaf.arrived(call)
          }
          suite.data.value = nil
          expect(!suite.data.isRunning)
        },
        Work(what: "a load that waits for another one to end", calls: 2) { suite in
          suite.data.start(id: "a", operation: suite.waits())
          await suite.deaf.arrived(1)
          suite.data.invalidate()
          suite.data.start(id: "a", operation: suite.waits())
        },
        Work(what: "an operation whose time was up", calls: 1) { suite in
          let load = suite.data.start(options: LoadOptions(timeout: .seconds(1)), operation: suite.waits())
          await suite.deaf.arrived(1)
          await suite.clock.advance(by: .seconds(1))
          _ = await load.outcome()
          expect(suite.data.error is LoadTimeoutError)
        },
        Work(what: "commits", calls: 2) { suite in
          for _ in 1...2 { suite.change() }
          await suite.deaf.arrived(2)
        },
        Work(what: "the commit of a dropped change", calls: 1) { suite in
          suite.change()
          await suite.deaf.arrived(1)
          suite.data.value = nil
          expect(!suite.data.hasPendingChanges)
        },
      ]
      + PageEdge.allCases.flatMap { edge in
        [false, true].map { isCancelled in
          Work(
            what: "a request for the \(edge) page\(isCancelled ? " that was cancelled and still runs" : "")", calls: 1
          ) {
            suite in
            suite.request(at: edge)
            await suite.deaf.arrived(1)
            if isCancelled { suite.data.cancel() }
          }
        }
      }

    @Test("14.2 it waits for loads, pages and commits, also for what was given up and still runs")
    func waitsForWork() async {
      for work in Self.works {
        let suite = SettlingTests()
        suite.data.value = pages
        await work.begin(suite)
        await suite.returnsAfter(work.calls, work.what)
      }
    }

    @Test(
      "14.2 with nothing to wait for it returns at once; it waits for a load that is answered by hand, or whose handle is released",
      arguments: [true, false])
    func byHand(isAnswered: Bool) async {
      expect(await settling().result != nil)
      var load: PendingLoad<Paged<String, Int>>? = data.begin()
      let waiting = await settling()
      expectNil(waiting.result)
      if isAnswered { load?.succeed(with: nil) }
      load = nil
      await waiting.end()
      expect(!data.isRunning)
    }

    @Test("14.2 a caller that is cancelled returns, and others go on waiting")
    func cancelledCaller() async {
      data.start(operation: waits())
      await deaf.arrived(1)
      let first = await settling()
      first.cancel()
      await first.end()
      await returnsAfter(1)
    }

    @Test("14.2 a load that an observer starts when the last one ends is waited for, too")
    func startedByObserver() async {
      let recorder = DataRecorder(data)
      data.start(operation: waits())
      recorder.hooks = [{ data.start(operation: waits()) }]
      await deaf.arrived(1)
      await returnsAfter(2)
      expect(!data.isRunning)
    }
  }
}
