// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct BoardOpeningTests: TagBoardSuite {
    /// How an entry can be invalidated.
    enum Way: CaseIterable {
      case tag, family, resource
    }

    private func invalidate(_ stage: FamilyStage, _ way: Way) {
      switch way {
      case .tag: stage.board?.invalidate("all")
      case .family: stage.family.invalidate(where: { _ in true })
      case .resource: stage.held[1]?.invalidate()
      }
    }

    /// A load that runs when the board is opened, and whether it began before the invalidation.
    enum Running: CaseIterable {
      case none, older, newer
    }

    @Test(
      "11.2, 11.4 what was invalidated in whatever way is requested once, where a load runs that is too old, too",
      arguments: Way.allCases, Running.allCases)
    func opened(way: Way, running: Running) async {
      let stage = await loadedStage(1)
      let older = running == .older ? stage.held[1]!.start() : nil
      if older != nil { await stage.gate.arrived(2) }
      stage.board?.gate.close()
      invalidate(stage, way)
      expectEqual(isInvalidated(stage, 1), [true])
      if running == .newer {
        stage.held[1]!.start()
        await stage.gate.arrived(2)
      }
      stage.board?.gate.open()
      if let older { await expectEqual(older.outcome().word, "superseded") }
      let last = older == nil ? 2 : 3
      await stage.gate.answer(arriving: last, with: .success(last))
      await stage.board?.settled()
      expectEqual(stage.requests.count, last)
      expectEqual(stage.held[1]?.value, last)
      expectEqual(isInvalidated(stage, 1), [false])
    }

    @Test(
      "10.4, 11.4 a gate that opens, and refreshStale, request what is stale by age, or failed, is held and was requested, and nothing else",
      arguments: [false, true])
    func stale(isOpening: Bool) async throws {
      let stage = stage()
      stage.makeFamily(staleAfter: .seconds(60), keepUnused: .max)
      stage.hold(1, 2, 3, 5, 6)
      let isInForeground = Input(true)
      let token = stage.board?.gate.follow(isInForeground)
      for key in [1, 2, 4] { await stage.load(key, key) }
      stage.fail(5)
      await stage.held[5]?.load()
      if isOpening { isInForeground.write(false) }
      expectEqual(stage.board?.gate.isOpen, !isOpening)
      await stage.clock.advance(by: .seconds(30))
      await stage.load(2, 2)
      await stage.clock.advance(by: .seconds(31))
      stage.held[6]?.start()
      await stage.gate.arrived(6)
      if isOpening { isInForeground.write(true) } else { for _ in 1...2 { stage.board?.refreshStale() } }
      // 2 is fresh, 3 was never requested, 4 is not held, and 6 is being requested.
      try #require(stage.held[1]?.isRunning == true && stage.held[5]?.isRunning == true)
      expectEqual(stage.held[1]?.snapshot.activity?.mode, .refresh)
      for key in [1, 5, 6] { stage.answer(key, 10) }
      await stage.board?.settled()
      expectEqual(stage.requests.prefix(6), [1, 2, 4, 5, 2, 6])
      expectEqual(stage.requests.dropFirst(6).sorted(), [1, 5])
      expectEqual(stage.held[1]?.value, 10)
      expectNil(stage.held[5]?.error)
      await stage.family.settled()
      withExtendedLifetime(token) {}
    }

    @Test(
      "11.4 a load from while the app was offline that fails after the board was opened is followed by one request; a request of the board is not repeated"
    )
    func offlineLoad() async {
      let stage = await loadedStage(1)
      stage.board?.gate.close()
      stage.held[1]!.invalidate()
      let load = stage.held[1]!.start()
      await stage.gate.arrived(2)
      stage.board?.gate.open()
      stage.fail(1)
      await expectEqual(load.outcome().word, "failure failure")
      await stage.gate.arrived(3)
      stage.fail(1)
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 1, 1], "it has failed")
      expectEqual(isInvalidated(stage, 1), [true])
      // Nor if it succeeds, when the board closes and opens meanwhile.
      let other = await loadedStage(1, 2)
      other.board?.invalidate("all")
      await other.gate.arrived(4)
      for _ in 0..<3 {
        other.board?.gate.close()
        other.board?.gate.open()
      }
      for key in 1...2 { other.answer(key, 10 + key) }
      await other.board?.settled()
      expectEqual(other.requests.count, 4)
      expectEqual(isInvalidated(other, 1, 2), [false, false])
    }

    @Test("11.2, 3.13 an entry whose page is being requested is requested again when that has ended")
    func pages() async {
      typealias Pages = Paged<Int, Int>
      let board = AsyncTagBoard()
      let firsts = ManualServer<Pages?>()
      let family = AsyncFamily<Int, Pages>(board: board, tags: { _, _ in ["all"] }) { _ in try await firsts.wait() }
      let screen = family[1]
      let first = screen.start()
      firsts.answer(call: 1, with: .success(Pages(first: .init(items: [1], next: 2))))
      _ = await first.outcome()
      let nexts = ManualServer<Pages.Page>()
      let next = Waiting { _ = await screen.data.loadNext { _ in try await nexts.wait() } }
      await nexts.arrived(1)
      board.invalidate("all")
      nexts.answer(call: 1, with: .success(.init(items: [2], next: 3)))
      await next.end()
      await firsts.answer(arriving: 2, with: .success(Pages(first: .init(items: [0], next: 2))))
      await board.settled()
      expectEqual(screen.value?.items, [0])
      expect(!screen.snapshot.isInvalidated)
    }
  }
}
