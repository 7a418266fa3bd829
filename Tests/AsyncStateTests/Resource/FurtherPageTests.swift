// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Pages beside what else happens to their list, as a user writes the screen.
  @MainActor
  struct FurtherPageTests {
    private let backend = PageBackend()

    // MARK: Cursors that have expired

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

    // MARK: Calls that wait

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

    // MARK: Changes

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
