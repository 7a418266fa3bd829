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

    /// One whose page at a cursor waits for the test.
    private func makeFeed(page cursor: Int, waitingFor gate: ManualServer<Void>) -> AsyncResource<List> {
      AsyncResource(
        .pages { [server] page in
          if page.cursor == cursor { try await gate.wait() }
          return try await server.page(at: page.cursor)
        })
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
      "3.12 a change may name a row by its index, also while a page is requested: it is never applied to the page alone",
      arguments: [true, false], [nil, true, false])
    func byIndex(isConfirmedBefore: Bool, succeeds: Bool?) async {
      let gate = ManualServer<Void>()
      let feed = makeFeed(page: 20, waitingFor: gate)
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
      expect(feed.isStale, "it is not known which of both is true")
      expectEqual(feed.value?.next, 7)
    }

    @Test("3.13 where an undecided change has added a page, the next one is that of the server, below the change")
    func otherEdge() async {
      let feed = makeFeed()
      await feed.load()
      let changing = await change(feed) { $0.append(.init(items: [100], next: 200)) }
      feed.displaying(5..<11)
      await feed.loadNext()
      expectEqual(server.requested, [nil, 10])
      expectEqual(feed.value?.items, Array(0..<20) + [100])
      commit.answer(call: 1, with: .success(()))
      _ = await changing.end()
      expectEqual(feed.value?.items, Array(0..<20) + [100])
      expectEqual(feed.value?.next, 200)
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
        expectEqual(feed.value?.next, 2)
        expect(!feed.nextPage.isRunning)
        expect(!feed.canRequestPages)
        await feed.loadNext()
        await feed.settled()
      }
      expectEqual(server.requested, [])
      key.write("a")
      expect(feed.canRequestPages)
      await feed.load()
      await feed.settled()
      expectEqual(server.requested, [nil], "the row 0 of ten wants no page")
      let preview = AsyncResource.preview(.value(list))
      preview.displaying(0..<1)
      expect(!preview.canRequestPages)
      expect(!preview.nextPage.isRunning)
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
        await gate.answer(arriving: call, with: .success(()))
      }
      _ = await (getting.end(), paging.end(), other.end())
      expectEqual(requested, [nil, 7])
      expectEqual(chat.value?.items, [1])
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
      expect(!chat.previousPage.isRunning)
      expectEqual(chat.value?.items, Array(500..<510))
      commit.answer(call: 1, with: isConfirmed ? .success(()) : .failure(Failure()))
      _ = await collapsing.end()
      await chat.settled()
      expectEqual(server.requested, [nil, 490])
      expectEqual(chat.value?.items, Array(490..<510))
    }

    @Test("9.15 while an undecided change displays a list that was made before, no page is requested")
    func edgeBelowReadyMade() async {
      let feed = makeFeed()
      await feed.load()
      let filtered = List(first: .init(items: [2, 4], next: 10))
      let filtering = await change(feed) { $0 = filtered }
      feed.displaying(0..<2)
      expect(!feed.nextPage.isRunning)
      commit.answer(call: 1, with: .failure(Failure()))
      _ = await filtering.end()
      feed.displaying(8..<10)
      await feed.settled()
      expectEqual(server.requested, [nil, 10])
      expectEqual(feed.value?.items, Array(0..<20))
    }
  }
}
