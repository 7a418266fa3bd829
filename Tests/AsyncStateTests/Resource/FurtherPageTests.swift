// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Pages beside what else happens to their list, as a user writes the screen.
  @MainActor
  struct FurtherPageTests {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var likes = 0
    }
    /// A cursor that the server knows until it forgets all of them.
    struct Cursor: Equatable, Sendable {
      let session: Int
      let row: Int
    }
    typealias List = Paged<Row, Cursor>

    /// A server with pages of three rows, whose requests wait for the test if it says so.
    @MainActor final class Server {
      var session = 1
      var rowCount = 12
      /// Each cursor is forgotten at once.
      var forgetsAtOnce = false
      /// The first page is at a cursor of its own.
      var saysOwn = false
      var gate: ManualServer<Void>?
      private(set) var requested: [Int?] = []

      func page(at cursor: Cursor?) async throws -> List.Page {
        requested.append(cursor?.row)
        if let cursor, cursor.session != session || forgetsAtOnce { throw ExpiredCursorError() }
        let first = cursor?.row ?? 0
        let end = min(first + 3, rowCount)
        let page = List.Page(
          items: (first..<end).map { Row(id: $0) }, next: end < rowCount ? Cursor(session: session, row: end) : nil,
          own: saysOwn ? Cursor(session: session, row: first) : nil)
        try await gate?.wait()
        return page
      }

      func takeRequested() -> [Int?] {
        defer { requested = [] }
        return requested
      }
    }

    private let server = Server()

    private func makeFeed(pages: Int = 1) async -> AsyncResource<List> {
      let feed = AsyncResource(.pages { [server] page in try await server.page(at: page.cursor) })
      await feed.load()
      for _ in 1..<pages { await feed.loadNext() }
      _ = server.takeRequested()
      return feed
    }

    private func ids(_ feed: AsyncResource<List>) -> [Int] { feed.value?.items.map(\.id) ?? [] }

    // MARK: Cursors that have expired

    @Test("9.18 where the cursor of a page has expired, the list begins anew, and continues")
    func expired() async {
      let feed = await makeFeed(pages: 2)
      server.session = 2
      let outcome = await feed.loadNext()
      expectEqual(ids(feed), [0, 1, 2])
      expectEqual(server.takeRequested(), [6, nil])
      expectNil(feed.nextPage.error)
      expectNil(feed.error)
      expect(!feed.isStale)
      guard case .success = outcome else { return expect(false, "it was answered: \(outcome)") }
      await feed.loadNext()
      expectEqual(ids(feed), Array(0..<6))
      expectEqual(server.takeRequested(), [3])
    }

    @Test("9.15, 9.18 displayed rows do the same, and where each cursor has expired they end with its error")
    func expiredForRows() async {
      let feed = await makeFeed(pages: 2)
      server.session = 2
      feed.displaying(3..<6)
      await feed.settled()
      // They stay where they are in the list, and want the pages there.
      expectEqual(ids(feed), Array(0..<9))
      expectEqual(server.takeRequested(), [6, nil, 3, 6])
      server.forgetsAtOnce = true
      feed.displaying(7..<9)
      await feed.settled()
      expectEqual(ids(feed), Array(0..<3))
      expectEqual(server.takeRequested(), [9, nil, 3])
      expect(feed.nextPage.error is ExpiredCursorError)
      expectNil(feed.error)
    }

    @Test("9.11, 9.18 a refresh begins anew, once, at the first page or at a further one")
    func expiredInRefresh() async {
      server.saysOwn = true
      let feed = await makeFeed(pages: 2)
      server.session = 2
      await feed.load()
      expectEqual(ids(feed), Array(0..<6))
      expectEqual(server.takeRequested(), [0, nil, 3])
      expectNil(feed.error)
      server.saysOwn = false
      let other = await makeFeed(pages: 2)
      server.forgetsAtOnce = true
      await other.load()
      expectEqual(server.takeRequested(), [nil, 3, nil, 3])
      expectEqual(ids(other), Array(0..<6))
      expect(other.error is ExpiredCursorError)
    }

    @Test("3.18, 9.18 a list that begins anew beside a change that is being sent is stale")
    func expiredBesideChange() async {
      let feed = await makeFeed(pages: 2)
      let gate = ManualServer<Void>()
      let like = Waiting { await feed.mutate({ $0[id: 1]?.likes += 1 }, commit: { try await gate.wait() }) }
      await gate.arrived(1)
      server.session = 2
      await feed.loadNext()
      expectEqual(ids(feed), [0, 1, 2])
      expectEqual(feed.value?[id: 1]?.likes, 1)
      expect(feed.isStale)
      gate.answer(call: 1, with: .success(()))
      _ = await like.end()
    }
    // MARK: Calls that wait

    @Test("9.11 at the end of a list that is refreshed, the page is the one behind what the refresh has brought")
    func atTheEndDuringRefresh() async {
      server.rowCount = 3
      let feed = await makeFeed()
      guard case .notRequested = await feed.loadNext() else { return expect(false, "the list is at its end") }
      let gate = ManualServer<Void>()
      (server.rowCount, server.gate) = (5, gate)
      feed.start()
      await gate.arrived(1)
      let next = Waiting { await feed.loadNext() }
      await next.begun()
      gate.answer(call: 1, with: .success(()))
      await gate.answer(arriving: 2, with: .success(()))
      _ = await next.end()
      expectEqual(ids(feed), Array(0..<5))
      expectNil(feed.value?.next)
    }

    // MARK: Changes

    @Test(
      "3.12, 3.13 a page that arrives beside a change that has ended is one notification, and says whether it is stale",
      arguments: [true, false])
    func notifications(succeeds: Bool) async {
      let feed = await makeFeed()
      let (gate, change) = (ManualServer<Void>(), ManualServer<Void>())
      server.gate = gate
      let like = Waiting { await feed.mutate({ $0[id: 1]?.likes += 1 }, commit: { try await change.wait() }) }
      await change.arrived(1)
      let next = Waiting { await feed.loadNext() }
      await gate.arrived(1)
      change.answer(call: 1, with: succeeds ? .success(()) : .failure(Failure()))
      _ = await like.end()
      var seen: [String] = []
      let token = feed.observed.observe { seen.append("\($0.value?.items.count ?? 0) \($0.isInvalidated)") }
      seen = []
      gate.answer(call: 1, with: .success(()))
      _ = await next.end()
      expectEqual(seen, ["6 true"])
      expectEqual(feed.value?[id: 1]?.likes, (succeeds ? 1 : 0))
      withExtendedLifetime(token) {}
    }
  }
}
