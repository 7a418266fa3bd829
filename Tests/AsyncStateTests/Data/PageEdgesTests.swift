// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PageEdgesTests {
    typealias Pages = Paged<String, Int>
    typealias Page = Pages.Page
    let data = AsyncData<Pages>()
    let later = ManualServer<Page>()
    let earlier = ManualServer<Page>()
    let log = Log()

    @MainActor final class Log { var cursors: [Int] = [] }

    init() {
      data.value = Pages(first: Page(items: ["m"], next: 1, previous: -1))
    }

    private func request(_ edge: PageEdge, at gate: ManualServer<Page>? = nil) -> Waiting<String> {
      let gate = gate ?? (edge == .next ? later : earlier)
      let page: @MainActor (Int) async throws -> Page = { [log] cursor in
        log.cursors.append(cursor)
        return try await gate.wait()
      }
      return Waiting { [data] in
        edge == .next ? await data.loadNext(fetch: page).word : await data.loadPrevious(fetch: page).word
      }
    }

    private func next() -> Waiting<String> { request(.next) }
    private func previous() -> Waiting<String> { request(.previous) }

    private var items: String { data.value?.items.joined(separator: " ") ?? "-" }

    @Test(
      "3.13 a page is requested with the cursor of its edge, joined, and extends the list there; the other edge stays",
      arguments: [true, false])
    func extended(atEnd: Bool) async {
      let gate = atEnd ? later : earlier
      let requests = (1...3).map { _ in atEnd ? next() : previous() }
      await gate.arrived(1)
      for request in requests { await request.begun() }
      expectEqual(data.nextPage.isRunning, atEnd)
      expectEqual(data.previousPage.isRunning, !atEnd)
      gate.answer(call: 1, with: .success(Page(items: ["k", "l"], next: 5, previous: -5)))
      for request in requests { await expectEqual(request.end(), (atEnd ? "m k l" : "k l m")) }
      expectEqual(data.value?.next, (atEnd ? 5 : 1))
      expectEqual(data.value?.previous, (atEnd ? -1 : -5))
      expectEqual(data.value?.pageCount, 2)
      expect(!data.nextPage.isRunning)
      expect(!data.previousPage.isRunning)
      expectEqual(log.cursors, [atEnd ? 1 : -1])
    }

    @Test("3.13 with no first page, and with no cursor at that edge, nothing is requested, and the outcome says which")
    func nothing() async {
      data.value = Pages(first: Page(items: ["m"]))
      let recorder = DataRecorder(data)
      for request in [next(), previous()] { await expectEqual(request.end(), "no further page") }
      data.reset()
      for request in [next(), previous()] { await expectEqual(request.end(), "no first page") }
      expectEqual(log.cursors, [])
      expectEqual(recorder.takeFlags(), "f")
    }

    @Test("3.13 a cancelled task gives up its interest; the last one that leaves ends the request alone")
    func givenUp() async {
      let requests = [previous(), previous()]
      await earlier.arrived(1)
      for request in requests { await request.begun() }
      requests[0].cancel()
      await expectEqual(requests[0].end(), "cancelled")
      expect(data.previousPage.isRunning)
      requests[1].cancel()
      await expectEqual(requests[1].end(), "cancelled")
      expect(!data.previousPage.isRunning)
      expect(data.state.core.order.isEmpty)
      expectEqual(log.cursors.count, 1)
    }

    @Test("3.13 a failure leaves value and error alone; it is displayed until a request at its edge starts")
    func failure() async {
      let first = previous()
      earlier.answer(call: 1, with: .failure(Failure()))
      await expectEqual(first.end(), "failure failure")
      expect(data.previousPage.error is Failure)
      expect(!data.previousPage.isRunning)
      expectNil(data.nextPage.error)
      expectNil(data.error)
      expectEqual(items, "m")
      expect(!data.isStale)
      later.answer(call: 1, with: .success(Page(items: ["n"])))
      await expectEqual(next().end(), "m n")
      expect(data.previousPage.error is Failure)
      let again = previous()
      await earlier.arrived(2)
      expect(data.previousPage.isRunning)
      expectNil(data.previousPage.error)
      earlier.answer(call: 2, with: .success(Page(items: ["l"])))
      await expectEqual(again.end(), "l m n")
      expectNil(data.previousPage.error)
      expectEqual(log.cursors, [-1, 1, -1])
    }

    enum Ending: CaseIterable { case load, value, error, reset, cancel }

    @Test(
      "3.13 a load, a value and an error supersede a page; reset and cancel cancel it; a late page changes nothing",
      arguments: Ending.allCases, PageEdge.allCases)
    func ended(ending: Ending, edge: PageEdge) async {
      let deaf = ManualServer<Page>(ignoresCancellation: true)
      let request = request(edge, at: deaf)
      await deaf.arrived(1)
      let gate = ManualServer<Pages?>()
      let recorder = DataRecorder(data)
      switch ending {
      case .load: data.start { try await gate.wait() }
      case .value: data.value = Pages(first: Page(items: ["v"], next: 5, previous: -5))
      case .error: data.error = Failure()
      case .reset: data.reset()
      case .cancel: data.cancel()
      }
      expectEqual(recorder.takeFlags(), "f")
      expect(!data.nextPage.isRunning)
      expect(!data.previousPage.isRunning)
      expectEqual(data.isRunning, (ending == .load))
      let expected = ending == .reset || ending == .cancel ? "cancelled" : "superseded"
      await expectEqual(request.end(), expected)
      let now = items
      deaf.answer(call: 1, with: .success(Page(items: ["late"])))
      await deaf.ended(1)
      gate.answer(call: 1, with: .success(data.value))
      await data.settled()
      expectEqual(items, now)
      expectNil(data.nextPage.error)
      expectNil(data.previousPage.error)
    }

    @Test("3.13 while a load runs, requests at both edges are refused")
    func refused() async {
      let gate = ManualServer<Pages?>()
      let load = data.start(.refresh) { try await gate.wait() }
      await gate.arrived(1)
      await expectEqual(next().end(), "superseded")
      await expectEqual(previous().end(), "superseded")
      expectEqual(log.cursors, [])
      load.cancel()
    }
  }
}

extension AsyncOutcome where Success == Paged<String, Int>? {
  /// The outcome as a word.
  var word: String {
    switch self {
    case .success(let pages?): pages.items.joined(separator: " ")
    case .success(nil): "no data"
    case .failure(let error): "failure \(error)"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested(nil): "no first page"
    case .notRequested: "no further page"
    }
  }
}
