// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

@testable import AsyncState

extension AllTests {
  /// Pages that are wanted because rows near them are displayed.
  @MainActor
  struct DisplayedPagesTests {
    typealias List = Paged<Int, Int>

    /// A server with pages of ten rows, whose requests wait for the test.
    @MainActor final class Server {
      let gate = ManualServer<Void>()
      private(set) var requested: [Int?] = []
      var waits: Bool
      var begins = 0

      init(waits: Bool = true) { self.waits = waits }

      func page(at cursor: Int?) async throws -> List.Page {
        requested.append(cursor)
        if waits { try await gate.wait() }
        let first = cursor ?? begins
        return List.Page(
          items: Array(first..<first + 10), next: first + 10, previous: first > 0 ? first - 10 : nil)
      }

      func answer(_ call: Int, _ error: (any Error)? = nil) async {
        await gate.answer(arriving: call, with: error.map { .failure($0) } ?? .success(()))
        await gate.ended(call)
      }
    }

    let server = Server()

    private func makeFeed(_ options: LoadOptions = LoadOptions()) -> AsyncResource<List> {
      AsyncResource(options: options, .pages { [server] page in try await server.page(at: page.cursor) })
    }

    /// A feed whose first page is there.
    private func makeLoadedFeed(_ options: LoadOptions = LoadOptions()) async -> AsyncResource<List> {
      let feed = makeFeed(options)
      feed.start()
      await server.answer(1)
      await feed.data.loadEnded()
      return feed
    }

    @Test("9.15 the rows of a list, reported as a range or one by one, and moved with the list")
    func rows() {
      var rows = DisplayedRows()
      expect(rows.range.isEmpty)
      for row in 4..<8 { rows = rows.inserting(row) }
      rows = rows.removing(4)
      expectEqual(rows.range, 5..<8)
      expectEqual(rows.moved { $0 + 10 }.range, 15..<18)
      expectEqual(rows.moved(by: 10).range, 15..<18)
      rows = DisplayedRows(2..<4).inserting(7).moved { $0 - 1 }
      expectEqual(rows.range, 1..<7)
      expectEqual(rows.moved { $0 == 6 ? nil : 5 - $0 }.range, 3..<5)
      expectEqual(rows.moved { _ in nil }.range, 1..<7)
      expect(DisplayedRows(3..<3).range.isEmpty)
      // Of a range, both ends move, or the one that is left takes the other one with it.
      expectEqual(DisplayedRows(2..<6).moved { $0 == 5 ? nil : $0 + 2 }.range, 4..<8)
      expectEqual(DisplayedRows(2..<6).moved { $0 == 2 ? nil : $0 + 2 }.range, 4..<8)
      expectEqual(DisplayedRows(2..<6).moved { _ in nil }.range, 2..<6)
      expectEqual(DisplayedRows(0..<3).moved { 10 - $0 }.removing(8).range, 9..<11)
      for range in [0..<Int.max, Int.min..<Int.max] {
        expect(DisplayedRows(range).moved { $0 - 100 }.range.contains(50))
      }
      // A row of a list that has said before that it displays all.
      expectEqual(DisplayedRows(0..<Int.max).inserting(5).range, 5..<6)
      expect(DisplayedRows().inserting(.max).inserting(.min).range.contains(50))
    }

    @Test("9.15 what is displayed before there is a list wants a page as soon as there is one")
    func reportedEarly() async {
      server.waits = false
      let feed = makeFeed()
      feed.displaying(0..<10)
      expect(server.requested.isEmpty)
      await feed.load()
      await feed.settled()
      expectEqual(server.requested, [nil, 10])
      feed.displaying(3..<15)
      expect(!feed.nextPage.isRunning)
      feed.displaying(8..<17)
      expect(!feed.nextPage.isRunning, "the last three rows are 17 to 19")
      feed.displaying(8..<18)
      expect(feed.nextPage.isRunning)
      await feed.settled()
      expectEqual(server.requested, [nil, 10, 20])
    }

    @Test("3.24, 9.15 a page waits for room at a full gate, and a refresh that takes its place there leaves it wanted")
    func fullGate() async {
      let gate = LoadGate(width: 1)
      let feed = await makeLoadedFeed(LoadOptions(gate: gate))
      let other = ManualServer<Int>()
      let busy = AsyncResource(options: LoadOptions(gate: gate)) { try await other.wait() }
      busy.start()
      await other.arrived(1)
      feed.displaying(5..<10)
      expect(feed.nextPage.isRunning)
      expectEqual(server.requested, [nil])
      let refresh = feed.refresh()
      expect(!feed.nextPage.isRunning)
      other.answer(call: 1, with: .success(1))
      await server.answer(2)
      _ = await refresh.outcome()
      expect(feed.nextPage.isRunning)
      await server.answer(3)
      await feed.settled()
      expectEqual(server.requested, [nil, nil, 10])
      expectEqual(feed.value?.items.count, 20)
    }

    @Test("9.15 a page that has failed is not requested by rows that are displayed, drawn again, replaced or inserted")
    func failureRests() async {
      let feed = await makeLoadedFeed()
      feed.displaying(5..<10)
      await server.answer(2, Failure())
      await feed.settled()
      for _ in 0..<20 {
        feed.displaying(5..<10)
        // A table loads its rows anew: all leave, in some order, and return in the same turn.
        for row in (5..<10).reversed() { feed.didEndDisplaying(row: row) }
        for row in 5..<10 { feed.willDisplay(row: row) }
        feed.willDisplay(row: 10)
        feed.didEndDisplaying(row: 10)
        feed.data.update { $0.insert(100, at: 0) }
        feed.data.update { $0.remove(at: 0) }
      }
      await feed.settled()
      expectEqual(server.requested, [nil, 10])
      expect(feed.nextPage.error != nil)
    }

    @Test("9.15 pages that were cancelled rest, in both directions")
    func cancelRests() async {
      server.begins = 500
      let feed = await makeLoadedFeed()
      feed.displaying(0..<10)
      await server.gate.arrived(2)
      feed.cancel()
      await feed.settled()
      feed.displaying(0..<10)
      expect(!feed.nextPage.isRunning)
      expect(!feed.previousPage.isRunning)
      expectEqual(server.requested.count, 2)
    }

    @Test("9.15 where several lists display one resource, the last report counts, and only its own list ends it")
    func severalLists() async {
      final class Screen {}
      server.waits = false
      let feed = makeFeed()
      await feed.load()
      let (first, second) = (Screen(), Screen())
      feed.displaying(9..<10, in: first, threshold: 3)
      feed.displaying(0..<2, in: second, threshold: 3)
      feed.endDisplaying(in: first)
      await feed.settled()
      expectEqual(server.requested, [nil, 10])
      expectEqual(feed.data.pageWish?.rows?.range, 0..<2)
      feed.endDisplaying(in: second)
      expectNil(feed.data.pageWish?.rows)
    }

    @Test("9.15 rows move with the list when a page is added before them, and want no other one by that")
    func backwards() async {
      server.waits = false
      server.begins = 500
      let chat = makeFeed()
      await chat.load()
      chat.displaying(0..<5)
      await chat.settled()
      expectEqual(server.requested, [nil, 490])
      chat.displaying(10..<15)
      await chat.settled()
      chat.displaying(2..<7)
      await chat.settled()
      expectEqual(server.requested, [nil, 490, 480])
      expectEqual(chat.value?.items.first, 480)
    }

    @Test("9.15, 1.6 a list that displays a released resource keeps nothing")
    func released() async {
      var feed: AsyncResource<List>? = await makeLoadedFeed()
      feed?.displaying(5..<10)
      await server.gate.arrived(2)
      let data = Weak(feed?.data)
      feed = nil
      expectNil(data.object)
    }

    @Test(
      "3.13, 3.21, 9.17 a cursor that cannot be compared, or is an object, may be another one; its page is dropped after a push"
    )
    func opaqueCursors() async {
      struct Opaque { var number: Int }
      let gate = ManualServer<Int>()
      let feed = AsyncResource(
        .pages { page -> Paged<Int, Opaque>.Page in
          let number = page.cursor?.number ?? 0
          if number > 0 { _ = try await gate.wait() }
          return .init(items: [number], next: Opaque(number: 6))
        })
      await feed.load()
      let call = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      feed.receive(.init(first: .init(items: [5], next: Opaque(number: 6))))
      gate.answer(call: 1, with: .success(0))
      _ = await call.end()
      expectEqual(feed.value?.items, [5])
      gate.answer(call: 2, with: .success(0))
      await feed.loadNext()
      expectEqual(feed.value?.items, [5, 6])
      expect(feed.value?.next != nil, "it may be the next one")

      final class Reader: Equatable {
        var position = 0
        static func == (left: Reader, right: Reader) -> Bool { left === right }
      }
      let reader = Reader()
      let file = AsyncResource(
        .pages { page -> Paged<Int, Reader>.Page in
          reader.position += 1
          return .init(items: [reader.position], next: reader.position < 4 ? reader : nil)
        })
      await file.load()
      for _ in 0..<5 { await file.loadNext() }
      expectEqual(file.value?.items, [1, 2, 3, 4])
    }

    @Test(
      "9.17 a page whose next cursor is the one that it was requested with is the last one",
      arguments: PageEdge.allCases)
    func standingCursor(edge: PageEdge) async {
      var requests = 0
      let feed = AsyncResource(
        .pages { page -> List.Page in
          requests += 1
          // An optimised build by Swift 6.3.1 loses the nil of the other one if this closure assigns one of them.
          let items = [page.cursor ?? 0]
          return edge == .next ? List.Page(items: items, next: 1) : List.Page(items: items, previous: 1)
        })
      await feed.load()
      feed.displaying(0..<10)
      await feed.settled()
      expectEqual(requests, 2)
      expectEqual(feed.value?.items, edge == .next ? [0, 1] : [1, 0])
      expectNil(feed.value?.next)
      expectNil(feed.value?.previous)
    }
  }
}
