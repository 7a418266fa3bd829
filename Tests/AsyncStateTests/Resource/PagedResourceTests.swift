// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PagedResourceTests {
    private typealias Row = PageBackend.Row
    private typealias List = PageBackend.List

    private let backend = PageBackend()

    private func isNoFirstPage(_ outcome: AsyncOutcome<List?>) -> Bool {
      if case .notRequested(nil) = outcome { true } else { false }
    }

    @Test("9.17 a page without items that is not the last one is skipped, and not for ever")
    func emptyPages() async {
      var requested: [Int?] = []
      let feed = AsyncResource(
        .pages { request -> List.Page in
          requested.append(request.cursor)
          let page = request.cursor ?? 0
          return List.Page(items: page == 1 || page == 4 ? [Row(id: page)] : [], next: page + 1)
        })
      await feed.load()
      expectEqual(feed.ids, [1])
      expectEqual(requested, [nil, 1])
      feed.willDisplay(row: 0)
      await feed.settled()
      expectEqual(feed.ids, [1, 4], "the row is near the end, until that is known")
      expectEqual(Array(requested.dropFirst(2)), Array(2...15).map(Optional.init))
      expectNil(feed.nextPage.error)
      expectNil(feed.value?.next)
    }

    @Test("9.11 a further page that is requested during a refresh is when that has ended, also where it fails")
    func retryDuringRefresh() async {
      let feed = await backend.feed()
      backend.failing = [3]
      await feed.loadNext()
      expect(feed.nextPage.error != nil)
      backend.failing = []
      backend.waitsFrom = 0
      for (refresh, result) in [(1, Result<Void, any Error>.failure(Failure())), (2, .success(()))] {
        let call = 2 * refresh - 1
        feed.start()
        await backend.gate.arrived(call)
        let retry = Waiting { await feed.loadNext() }
        await retry.begun()
        backend.gate.answer(call: call, with: result)
        await backend.gate.arrived(call + 1)
        backend.gate.answer(call: call + 1, with: .failure(Failure()))
        guard case .failure = await retry.end() else { return expect(false, "it was requested, and has failed") }
      }
      backend.waitsFrom = .max
      await feed.loadNext()
      expectEqual(feed.ids, Array(0..<6))
    }

    /// A list of some pages around row 30, and its refresh when the backend begins with row 31.
    struct Refresh {
      /// Each page says at which cursor it is.
      var namesOwn = false
      /// A page names the one behind it.
      var hasNext = true
      var next = 0
      var previous = 0
      let requests: [Int?]
      let rows: Range<Int>
    }

    @Test(
      "9.11 a refresh begins where the list does, if that is known, and keeps its length, in one change; a reload does neither",
      arguments: [
        Refresh(next: 2, requests: [nil, 34, 37], rows: 31..<40),
        Refresh(previous: 2, requests: [24, 27, 30], rows: 24..<33),
        Refresh(namesOwn: true, next: 1, requests: [30, 33], rows: 30..<36),
        Refresh(namesOwn: true, next: 1, previous: 1, requests: [27, 30, 33], rows: 27..<36),
        Refresh(namesOwn: true, hasNext: false, previous: 2, requests: [30, 27, 24], rows: 24..<33),
        Refresh(hasNext: false, previous: 2, requests: [nil, 28, 25], rows: 25..<34),
      ])
    func refreshes(refresh: Refresh) async {
      backend.begins = 30
      (backend.namesOwn, backend.hasNext) = (refresh.namesOwn, refresh.hasNext)
      let chat = await backend.feed()
      for _ in 0..<refresh.next { await chat.loadNext() }
      for _ in 0..<refresh.previous { await chat.loadPrevious() }
      backend.begins = 31
      _ = backend.takeRequested()
      var counts: Set<Int> = []
      let token = chat.observed.observe { counts.insert($0.value?.items.count ?? 0) }
      await chat.load()
      token.cancel()
      expectEqual(counts, [refresh.rows.count])
      expectEqual(backend.takeRequested(), refresh.requests)
      expectEqual(chat.ids, Array(refresh.rows))
      await chat.loadPrevious()
      await chat.load()
      expectEqual(chat.ids.count, refresh.rows.count + 3)
      await chat.reload().outcome()
      expectEqual(chat.ids, [31, 32, 33])
    }

    @Test("9.8, 9.11 where the first page of a list was removed, a refresh begins anew; where another was, it fails")
    func pageIsGone() async {
      backend.begins = 30
      let chat = await backend.feed()
      await chat.loadPrevious()
      backend.gone = 27
      _ = backend.takeRequested()
      await chat.load()
      expectEqual(backend.takeRequested(), [27, nil, 33])
      expectEqual(chat.ids, Array(30..<36))
      expectNil(chat.error)
      await chat.load()
      expectEqual(backend.takeRequested(), [nil, 33])
      backend.gone = 33
      guard case .failure = await chat.load() else { return expect(false) }
      expectEqual(chat.ids, Array(30..<36))
    }

    @Test(
      "9.11 one call can refresh the first page alone, or all pages, whatever the resource does else; others join it")
    func pagesOfOneCall() async {
      for feed in [
        AsyncResource(.pages { [backend] page in try await backend.page(at: page.cursor) }),
        AsyncFamily<Int, List> { [backend] _ in .pages { page in try await backend.page(at: page.cursor) } }[0],
      ] {
        await feed.load()
        await feed.loadNext()
        _ = backend.takeRequested()
        let refresh = feed.refresh(.firstPage)
        feed.start()
        _ = await refresh.outcome()
        expectEqual(backend.takeRequested(), [nil])
        expectEqual(feed.ids, [0, 1, 2])
        await feed.loadNext()
        _ = await feed.refresh().outcome()
        expectEqual(backend.takeRequested(), [3, nil, 3])
      }
    }

    @Test(
      "3.9, 9.11 a refresh whose third page fails keeps the list, is tried again there, and another load begins anew")
    func retriedRefresh() async {
      var requested: [Int] = []
      var failures = 0
      let options = LoadOptions(retry: RetryPolicy { failed in failed.count <= 1 ? .zero : nil }, clock: ManualClock())
      let feed = AsyncResource(
        options: options,
        .pages { page -> List.Page in
          let number = page.cursor ?? 0
          requested.append(number)
          if number == 2, failures > 0 {
            failures -= 1
            throw Failure()
          }
          return List.Page(items: [Row(id: number, text: "\(requested.count)")], next: number + 1)
        })
      await feed.load()
      await feed.loadNext()
      await feed.loadNext()
      requested = []
      failures = 1
      await feed.load()
      expectEqual(requested, [0, 1, 2, 2])
      expectEqual(feed.value?.items.map(\.text), ["1", "2", "4"])
      requested = []
      failures = 2
      await feed.load()
      expectEqual(requested, [0, 1, 2, 2])
      expect(feed.error is Failure)
      expectEqual(feed.value?.items.map(\.text), ["1", "2", "4"])
      requested = []
      await feed.load()
      expectEqual(requested, [0, 1, 2])
      expectEqual(feed.value?.items.map(\.text), ["1", "2", "3"])
    }

    @Test("9.15, 9.6 a row of a former key requests nothing of the new one")
    func startPagesOfAFormerKey() async {
      let key = Input<Int?>(0)
      let feed = AsyncResource(following: key.observed, previous: .untilAnswered) { [backend] (_: Int) in
        .pages { page in try await backend.page(at: page.cursor) }
      }
      await feed.load()
      backend.waitsFrom = 2
      feed.refresh()
      await backend.gate.arrived(1)
      feed.willDisplay(row: 2)
      key.write(1)
      await backend.gate.arrived(2)
      feed.willDisplay(row: 2)
      expectEqual(feed.nextPage.isRunning, false)
      backend.waitsFrom = .max
      backend.gate.answer(call: 1, with: .failure(Failure()))
      backend.gate.answer(call: 2, with: .success(()))
      await feed.settled()
      expectEqual(backend.takeRequested(), [nil, nil, nil, 3], "the row that was displayed beside the new key's load")
    }

    @Test("9.11 a refresh that is cancelled or superseded requests no further page")
    func superseded() async {
      let feed = await backend.feed(pages: 2)
      backend.waitsFrom = 0
      let refresh = feed.refresh()
      await backend.gate.arrived(1)
      let further = Waiting { await feed.loadNext() }
      await further.begun()
      feed.willDisplay(row: 5)
      feed.cancel()
      _ = await refresh.outcome()
      guard case .cancelled = await further.end() else { return expect(false, "it was cancelled, too") }
      await feed.settled()
      expectEqual(backend.takeRequested(), [nil])
      expectEqual(feed.ids, Array(0..<6))
    }

    @Test("9.11, 9.6 with a key that is followed: no page is added to the former key's list")
    func following() async {
      let key = Input<String?>("a")
      let gate = ManualServer<Void>()
      var asked: [String] = []
      let lists = AsyncResource(following: key.observed, previous: .untilAnswered) { [backend] (key: String) in
        .pages { page -> List.Page in
          asked.append("\(key) \(page.cursor ?? 0)")
          if key == "b" { try await gate.wait() }
          return try await backend.page(at: page.cursor)
        }
      }
      await lists.load()
      await lists.loadNext()
      expectEqual(lists.ids, Array(0..<6))
      key.write("b")
      expectEqual(lists.ids, Array(0..<6))
      expect(lists.snapshot.isProvisional)
      expect(await isNoFirstPage(lists.loadNext()))
      await gate.answer(arriving: 1, with: .success(()))
      await lists.settled()
      // The length of the former key's list is nothing that is known of this one.
      expectEqual(lists.ids, [0, 1, 2])
      expectEqual(asked, ["a 0", "a 3", "b 0"])
      key.write(nil)
      expect(await isNoFirstPage(lists.loadNext()))
    }

    @Test(
      "3.13, 3.19, 3.21 a page that was requested before a whole list came is dropped, and is requested for that one",
      arguments: ["received", "set by a change", "removed"])
    func olderPage(way: String) async {
      let gate = ManualServer<List.Page>()
      let feed = AsyncResource(
        .pages { page in
          page.cursor == nil ? List.Page(items: [Row(id: 1), Row(id: 2)], next: 2) : try await gate.wait()
        })
      await feed.load()
      let page = Task { await feed.loadNext() }
      await gate.arrived(1)
      let newer = List(first: .init(items: [Row(id: 1), Row(id: 2, text: "liked")], next: 2))
      switch way {
      case "received": feed.receive(newer)
      case "removed": feed.receive(nil)
      default: feed.update { $0 = newer }
      }
      gate.answer(call: 1, with: .success(.init(items: [Row(id: 2), Row(id: 3)], next: nil)))
      guard case .superseded = await page.value else { return expect(false, "it was for another list") }
      expectEqual(feed.value, way == "removed" ? nil : newer)
      feed.receive(newer)
      gate.answer(call: 2, with: .success(.init(items: [Row(id: 3)])))
      await feed.loadNext()
      expectEqual(feed.value?.items.map(\.text), ["", "liked", ""])
    }

    @Test(
      "9.15, 9.18 where the cursor of a page has expired, the list begins anew, also for rows; where each has, with its error"
    )
    func expiredForRows() async {
      let feed = await backend.feed(pages: 2)
      backend.expired = [6]
      feed.displaying(3..<6)
      await feed.settled()
      // They stay where they are in the list, and want the pages there.
      expectEqual(feed.ids, Array(0..<9))
      expectEqual(backend.takeRequested(), [6, nil, 3, 6])
      expect(!feed.isStale)
      backend.forgetsAtOnce = true
      feed.displaying(7..<9)
      await feed.settled()
      expectEqual(feed.ids, Array(0..<3))
      expectEqual(backend.takeRequested(), [9, nil, 3])
      expect(feed.nextPage.error is ExpiredCursorError)
      expectNil(feed.error)
    }

    @Test("9.11, 9.18 a refresh begins anew, once, at the first page or at a further one")
    func expiredInRefresh() async {
      backend.namesOwn = true
      let feed = await backend.feed(pages: 2)
      backend.expired = [0]
      await feed.load()
      expectEqual(feed.ids, Array(0..<6))
      expectEqual(backend.takeRequested(), [0, nil, 3])
      expectNil(feed.error)
      backend.namesOwn = false
      let other = await backend.feed(pages: 2)
      backend.forgetsAtOnce = true
      await other.load()
      expectEqual(backend.takeRequested(), [nil, 3, nil, 3])
      expectEqual(other.ids, Array(0..<6))
      expect(other.error is ExpiredCursorError)
    }

    @Test("3.18, 9.18 a list that begins anew beside a change that is being sent is stale")
    func expiredBesideChange() async {
      let feed = await backend.feed(pages: 2)
      let gate = ManualServer<Void>()
      let like = Waiting { await feed.mutate({ $0[id: 1]?.text = "liked" }, commit: { try await gate.wait() }) }
      await gate.arrived(1)
      backend.expired = [6]
      guard case .success = await feed.loadNext() else { return expect(false, "it was answered") }
      expectEqual(feed.ids, [0, 1, 2])
      expectEqual(feed.value?[id: 1]?.text, "liked")
      expect(feed.isStale)
      gate.answer(call: 1, with: .success(()))
      _ = await like.end()
    }

    @Test("9.11 at the end of a list that is refreshed, the page is the one behind what the refresh has brought")
    func atTheEndDuringRefresh() async {
      backend.rows = 0..<3
      let feed = await backend.feed()
      guard case .notRequested = await feed.loadNext() else { return expect(false, "the list is at its end") }
      (backend.rows, backend.waitsFrom) = (0..<5, 0)
      feed.start()
      await backend.gate.arrived(1)
      let next = Waiting { await feed.loadNext() }
      await next.begun()
      backend.gate.answer(call: 1, with: .success(()))
      await backend.gate.answer(arriving: 2, with: .success(()))
      _ = await next.end()
      expectEqual(feed.ids, Array(0..<5))
      expectNil(feed.value?.next)
    }

    @Test(
      "3.12, 3.13 a page that arrives beside a change that has ended is one notification, and says whether it is stale",
      arguments: [true, false])
    func notifications(succeeds: Bool) async {
      let feed = await backend.feed()
      let change = ManualServer<Void>()
      backend.waitsFrom = 0
      let like = Waiting { await feed.mutate({ $0[id: 1]?.text = "liked" }, commit: { try await change.wait() }) }
      await change.arrived(1)
      let next = Waiting { await feed.loadNext() }
      await backend.gate.arrived(1)
      change.answer(call: 1, with: succeeds ? .success(()) : .failure(Failure()))
      _ = await like.end()
      var seen: [String] = []
      let token = feed.observed.observe { seen.append("\($0.value?.items.count ?? 0) \($0.isInvalidated)") }
      seen = []
      backend.gate.answer(call: 1, with: .success(()))
      _ = await next.end()
      expectEqual(seen, ["6 true"])
      expectEqual(feed.value?[id: 1]?.text, succeeds ? "liked" : "")
      withExtendedLifetime(token) {}
    }
  }
}
