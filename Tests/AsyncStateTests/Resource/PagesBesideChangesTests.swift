// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Lists in pages whose rows are changed by a person, before the server has confirmed that, or without a server.
  @MainActor
  struct PagesBesideChangesTests {
    typealias List = Paged<Int, Int>

    /// It answers at once.
    let server = AllTests.DisplayedPagesTests.Server(waits: false)
    let commit = ManualServer<Void>()

    private func makeFeed() -> AsyncResource<List> {
      AsyncResource(.pages { [server] page in try await server.page(at: page.cursor) })
    }

    /// A change that waits for the test.
    private func change(
      _ feed: AsyncResource<List>, _ patch: @escaping (inout List) -> Void
    ) async -> Waiting<AsyncOutcome<List?>> {
      let change = Waiting { [commit] in await feed.mutate(patch) { try await commit.wait() } }
      await commit.arrived(1)
      return change
    }

    @Test(
      "9.15 rows move with a page that is added before them, also where an undecided change has written the list anew")
    func movedRows() async {
      server.begins = 500
      let chat = makeFeed()
      await chat.load()
      let changing = await change(chat) { list in
        list = List(first: .init(items: list.items, next: list.next, previous: list.previous))
      }
      chat.displaying(0..<5)
      await chat.loadPrevious()
      #expect(!chat.previousPage.isRunning, "the rows 10 to 14 want no page")
      commit.answer(call: 1, with: .success(()))
      _ = await changing.end()
      #expect(server.requested == [nil, 490] && chat.value?.items == Array(490..<510))
    }

    @Test("9.15 the same where an undecided change removes rows of the page: the page before it is wanted")
    func movedByChangedRows() async {
      server.begins = 500
      let chat = makeFeed()
      await chat.load()
      let changing = await change(chat) { list in
        for row in 491..<499 { list.items.firstIndex(of: row).map { _ = list.remove(at: $0) } }
      }
      chat.displaying(0..<5)
      await chat.loadPrevious()
      // What was displayed are the rows 2 to 6 by now, and 12 to 16 when that page is there.
      commit.answer(call: 1, with: .success(()))
      _ = await changing.end()
      await chat.settled()
      #expect(server.requested == [nil, 490, 480] && chat.value?.items.prefix(12) == Array(480..<491) + [499])
    }

    @Test("3.18 a page puts what is confirmed below what is not, so the list is stale")
    func reordered() async {
      for removesIt in [true, false] {
        let feed = makeFeed()
        await feed.load()
        let adding = ManualServer<Void>()
        func add(_ list: inout List) { list.items.firstIndex(of: 3).map { list.insert(77, at: $0) } }
        let added = Waiting { await feed.mutate({ add(&$0) }, commit: { try await adding.wait() }) }
        await adding.arrived(1)
        let removed = removesIt ? 77 : 5
        await feed.mutate { list in
          list.items.firstIndex(of: removed).map { _ = list.remove(at: $0) }
        } commit: {
        }
        expectEqual(feed.value?.items.contains(77), !removesIt)
        await feed.loadNext()
        #expect(feed.isStale)
        adding.answer(call: 1, with: .success(()))
        _ = await added.end()
        #expect(feed.isStale)
      }
    }

    @Test("9.15, 3.19 rows that a page displays again, because what is confirmed is below it, move no row before them")
    func movedByReordering() async {
      server.begins = 500
      let chat = makeFeed()
      await chat.load()
      let adding = ManualServer<Void>()
      func add(_ list: inout List) {
        list.items.firstIndex(of: 508).map { for row in 70..<80 { list.insert(row, at: $0) } }
      }
      let added = Waiting { await chat.mutate({ add(&$0) }, commit: { try await adding.wait() }) }
      await adding.arrived(1)
      await chat.mutate { list in
        for row in 70..<80 { list.items.firstIndex(of: row).map { _ = list.remove(at: $0) } }
      } commit: {
      }
      // Of the page before, the changes leave two rows.
      let removing = ManualServer<Void>()
      let removed = Waiting {
        await chat.mutate(
          { list in for row in 491..<499 { list.items.firstIndex(of: row).map { _ = list.remove(at: $0) } } },
          commit: { try await removing.wait() })
      }
      await removing.arrived(1)
      chat.displaying(0..<5)
      await chat.loadPrevious()
      adding.answer(call: 1, with: .success(()))
      removing.answer(call: 1, with: .success(()))
      _ = await (added.end(), removed.end())
      await chat.settled()
      expectEqual(server.requested, [nil, 490, 480], "the rows 2 to 6 want it")
    }

    @Test("3.18, 9.18 a page that is made of the list so far is in doubt for each change that is sent meanwhile")
    func counting() async {
      @MainActor final class Rows { var rows = Array(0..<20) }
      let rows = Rows()
      let page = ManualServer<Void>()
      func makeFeed() -> AsyncResource<List> {
        AsyncResource(
          .pages { request -> List.Page in
            let first = request.list?.items.count ?? 0
            if request.cursor != nil { try await page.wait() }
            let end = min(first + 5, rows.rows.count)
            return List.Page(items: Array(rows.rows[first..<end]), next: end < rows.rows.count ? end : nil)
          })
      }
      func delete(_ row: Int, _ feed: AsyncResource<List>, _ commit: ManualServer<Void>) -> Waiting<AsyncOutcome<List?>>
      {
        Waiting {
          await feed.mutate { list in
            list.items.firstIndex(of: row).map { _ = list.remove(at: $0) }
          } commit: {
            rows.rows.removeAll { $0 == row }
            try await commit.wait()
          }
        }
      }
      var call = 0
      for isPageFirst in [true, false] {
        rows.rows = Array(0..<20)
        let feed = makeFeed()
        await feed.load()
        let commit = ManualServer<Void>()
        let next = Waiting { await feed.loadNext() }
        call += 1
        await page.arrived(call)
        // The server has deleted the row, and its answer is on its way.
        let deleting = delete(0, feed, commit)
        await commit.arrived(1)
        if !isPageFirst {
          commit.answer(call: 1, with: .success(()))
          _ = await deleting.end()
        }
        page.answer(call: call, with: .success(()))
        _ = await next.end()
        if isPageFirst { commit.answer(call: 1, with: .success(())) }
        _ = await deleting.end()
        #expect(feed.isStale, "the page is first: \(isPageFirst)")
      }
    }

    /// How a change ends while a page is requested.
    enum End: CaseIterable {
      case succeedsUndisplayed
      case failsOnThePage
      case failsElsewhere
    }

    @Test(
      "3.18 a page that was perhaps made before a sent change has ended is in doubt, also where a pushed list was fresh",
      arguments: End.allCases)
    func endedMeanwhile(end: End) async {
      let gate = ManualServer<Void>()
      let feed = AsyncResource(
        .pages { [server] page -> List.Page in
          if page.cursor == 10 { try await gate.wait() }
          return try await server.page(at: page.cursor)
        })
      await feed.load()
      let list = feed.value
      let changing = await change(feed) { list in
        list.items.firstIndex(of: end == .failsElsewhere ? 5 : 12).map { _ = list.remove(at: $0) }
      }
      if end == .succeedsUndisplayed { feed.data.value = list }
      let next = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      commit.answer(call: 1, with: end == .succeedsUndisplayed ? .success(()) : .failure(Failure()))
      _ = await changing.end()
      #expect(feed.isStale)
      feed.receive(list)
      gate.answer(call: 1, with: .success(()))
      _ = await next.end()
      #expect(feed.value?.items == Array(0..<20) && feed.isStale)
    }

    @Test(
      "3.12 a change may name a row by its index, also while a page is requested: it is never applied to the page alone",
      arguments: [true, false], [nil, true, false])
    func byIndex(isConfirmedBefore: Bool, succeeds: Bool?) async {
      let gate = ManualServer<Void>()
      let feed = AsyncResource(
        .pages { [server] page -> List.Page in
          if page.cursor == 20 { try await gate.wait() }
          return try await server.page(at: page.cursor)
        })
      await feed.load()
      await feed.loadNext()
      let next = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      var changing: Waiting<AsyncOutcome<List?>>?
      func decide() async {
        if let succeeds { commit.answer(call: 1, with: succeeds ? .success(()) : .failure(Failure())) }
        _ = await changing?.end()
      }
      if succeeds == nil {
        feed.update { $0.remove(at: 19) }
      } else {
        changing = await change(feed) { $0.remove(at: 19) }
        if isConfirmedBefore { await decide() }
      }
      gate.answer(call: 1, with: .success(()))
      _ = await next.end()
      if !isConfirmedBefore { await decide() }
      expectEqual(feed.value?.items, Array(0..<30).filter { $0 != 19 || succeeds == false })
    }

    @Test(
      "3.12, 3.18 a page that was requested before a row was deleted or changed does not bring back the former row",
      arguments: [true, false])
    func olderRows(isPushed: Bool) async {
      struct Row: Identifiable, Equatable {
        let id: Int
        var text = "old"
      }
      let gate = ManualServer<Paged<Row, Int>.Page>()
      let feed = AsyncResource(
        .pages { page -> Paged<Row, Int>.Page in
          if page.cursor != nil { return try await gate.wait() }
          return .init(items: [Row(id: 1), Row(id: 2), Row(id: 3)], next: 3)
        })
      await feed.load()
      let next = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      func change(_ list: inout Paged<Row, Int>) {
        list[id: 2] = nil
        list[id: 3]?.text = "new"
        list[id: 4]?.text = "new"
        list[id: 5] = nil
      }
      if isPushed { feed.update { change(&$0) } } else { await feed.mutate({ change(&$0) }, commit: {}) }
      // The server had read it before.
      gate.answer(call: 1, with: .success(.init(items: (2...6).map { Row(id: $0) }, next: 7)))
      _ = await next.end()
      expectEqual(feed.value?.items.map { "\($0.id)\($0.text)" }, ["1old", "3new", "4new", "6old"])
      #expect(feed.isStale, "it is not known which of both is true")
      expectEqual(feed.value?.next, 7)
    }

    @Test("3.13, 3.19 a page is dropped where a change has set the whole list since, and is requested again")
    func wholeListPushed() async {
      struct Row: Identifiable, Equatable { let id: Int }
      let gate = ManualServer<Paged<Row, Int>.Page>()
      let feed = AsyncResource(
        .pages { page -> Paged<Row, Int>.Page in
          page.cursor == nil ? .init(items: [Row(id: 1)], next: 3) : try await gate.wait()
        })
      await feed.load()
      let list = feed.value!
      let next = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      feed.update { $0 = list }
      gate.answer(call: 1, with: .success(.init(items: [Row(id: 3)])))
      guard case .superseded = await next.end() else { return #expect(Bool(false), "it would be removed") }
      gate.answer(call: 2, with: .success(.init(items: [Row(id: 3)])))
      await feed.loadNext()
      expectEqual(feed.value?.items.map(\.id), [1, 3])
    }

    @Test("3.13 where an undecided change has added a page, the next one is that of the server, below the change")
    func otherEdge() async {
      let feed = makeFeed()
      await feed.load()
      let changing = await change(feed) { $0.append(.init(items: [100], next: 200)) }
      feed.displaying(5..<11)
      await feed.loadNext()
      #expect(server.requested == [nil, 10] && feed.value?.items == Array(0..<20) + [100])
      commit.answer(call: 1, with: .success(()))
      _ = await changing.end()
      #expect(feed.value?.items == Array(0..<20) + [100] && feed.value?.next == 200)
    }

    @Test(
      "9.15 a pushed list lies above a change that displays another one: a page would put the change on top, and hide displayed rows",
      arguments: [true, false])
    func edgeBelowUpdate(isConfirmed: Bool) async {
      server.begins = 500
      let chat = makeFeed()
      await chat.load()
      let whole = chat.value
      let collapsing = await change(chat) { list in
        list = List(first: .init(items: Array(list.items.prefix(4)), next: list.next))
      }
      chat.update { list in whole.map { list = $0 } }
      chat.displaying(0..<5)
      #expect(!chat.previousPage.isRunning && chat.value?.items == Array(500..<510))
      commit.answer(call: 1, with: isConfirmed ? .success(()) : .failure(Failure()))
      _ = await collapsing.end()
      await chat.settled()
      #expect(server.requested == [nil, 490] && chat.value?.items == Array(490..<510))
    }

    struct Row: Identifiable, Equatable {
      var id: Int
    }

    @Test("9.15, 9.17 a row that a person has added, and a page with it and the row before it, stays behind that row")
    func addedAndRepeated() async {
      for isDisplayed in [true, false] {
        let commit = ManualServer<Void>()
        var requested: [Int?] = []
        let chat = AsyncResource(
          .pages { (page: PageRequest<Row, Int>) -> Paged<Row, Int>.Page in
            requested.append(page.cursor)
            let ids = page.cursor == nil ? [100, 110, 120, 130] : [80, 81, 90, 95, 100, 105]
            return .init(items: ids.map(Row.init), previous: page.cursor == nil ? 8 : 7)
          })
        await chat.load()
        let adding = Waiting {
          await chat.mutate { list in
            if isDisplayed { list.insert(Row(id: 105), at: 1) } else { list[id: 81] = nil }
          } commit: {
            try await commit.wait()
          }
        }
        await commit.arrived(1)
        for row in chat.value!.items.indices { chat.willDisplay(row: row) }
        await chat.loadPrevious()
        let former = isDisplayed ? [80, 81, 90, 95] : [80, 90, 95]
        expectEqual(chat.value?.items.map(\.id), former + [100, 105, 110, 120, 130])
        expectEqual(
          chat.data.pageWish?.rows?.range, (isDisplayed ? 4..<9 : 3..<8), "the rows move with their list"
        )
        expectEqual(requested, [nil, 8])
        commit.answer(call: 1, with: .success(()))
        _ = await adding.end()
      }
    }

    @Test("3.13 a page that arrives while an undecided change displays another list arrives below it")
    func arrivesBelow() async {
      let gate = ManualServer<Void>()
      let feed = AsyncResource(
        .pages { [server] page -> List.Page in
          if page.cursor == 10 { try await gate.wait() }
          return try await server.page(at: page.cursor)
        })
      await feed.load()
      feed.displaying(5..<10)
      await gate.arrived(1)
      let changing = await change(feed) { $0 = List(first: .init(items: [100])) }
      gate.answer(call: 1, with: .success(()))
      await feed.loadNext()
      #expect(feed.value?.items == [100] && !feed.nextPage.isRunning)
      commit.answer(call: 1, with: .failure(Failure()))
      _ = await changing.end()
      #expect(server.requested == [nil, 10] && feed.value?.items == Array(0..<20))
    }

    @Test("9.15 the same where the change is refused: the page is that of the former edge")
    func otherEdgeRefused() async {
      let feed = makeFeed()
      await feed.load()
      let changing = await change(feed) { $0 = List(first: .init(items: [100], next: 200)) }
      feed.displaying(0..<1)
      feed.displaying(5..<10)
      #expect(!feed.nextPage.isRunning)
      commit.answer(call: 1, with: .failure(Failure()))
      _ = await changing.end()
      await feed.settled()
      #expect(server.requested == [nil, 10] && feed.value?.items == Array(0..<20))
    }

    @Test("9.15 rows are removed by a change so that a page is wanted: it is there, whatever becomes of the change")
    func removedToTheEnd() async {
      let feed = makeFeed()
      await feed.load()
      feed.displaying(0..<5)
      let removing = await change(feed) { list in for _ in 0..<4 where list.items.count > 6 { list.remove(at: 5) } }
      commit.answer(call: 1, with: .failure(Failure()))
      _ = await removing.end()
      await feed.settled()
      #expect(server.requested == [nil, 10] && feed.value?.items == Array(0..<20))
    }

    @Test("9.15 a list by hand has no page on its way where none can be requested: without a key, and in a preview")
    func withoutKey() async {
      let list = List(first: .init(items: [1], next: 2))
      let key = Input<String?>(nil)
      let feed = AsyncResource(following: key.observed) { [server] (_: String) in
        .pages { page in try await server.page(at: page.cursor) }
      }
      feed.start()
      for write in [{ feed.data.value = list }, { feed.receive(list) }, { feed.update { $0 = list } }] {
        write()
        feed.displaying(0..<1)
        #expect(feed.value?.next == 2 && !feed.nextPage.isRunning && !feed.canRequestPages)
        await feed.loadNext()
        await feed.settled()
      }
      expectEqual(server.requested, [])
      key.write("a")
      #expect(feed.canRequestPages)
      await feed.load()
      await feed.settled()
      expectEqual(server.takeRequested(), [nil], "the row 0 of ten wants no page")
      #expect(!AsyncResource.preview(.value(list)).canRequestPages)
    }

    @Test("3.13, 9.3 a list without rows that a `get` was answered with is extended at the edge that it has")
    func emptyList() async throws {
      var requested: [Int?] = []
      let gate = ManualServer<Void>()
      let chat = AsyncResource(
        .pages { page -> List.Page in
          requested.append(page.cursor)
          try await gate.wait()
          return page.cursor == nil ? List.Page(items: [], previous: 7) : List.Page(items: [1], next: 5)
        })
      // Neither has been resumed when the other is, whatever the order.
      let getting = Waiting { () -> AsyncOutcome<List?> in
        _ = try? await chat.get()
        return await chat.loadPrevious()
      }
      let paging = Waiting { await chat.loadPrevious() }
      let other = Waiting { await chat.loadNext() }
      await other.begun()
      for call in 1...2 {
        await gate.arrived(call)
        gate.answer(call: call, with: .success(()))
      }
      _ = await (getting.end(), paging.end(), other.end())
      #expect(requested == [nil, 7] && chat.value?.items == [1])
    }
  }
}
