// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct BoardReloadTests: TagBoardSuite {
    @Test("11.2, 11.4 what is held, and was found fresh by each call so far, is requested when its tag is invalidated")
    func foundFresh() async {
      let board = AsyncTagBoard()
      var requests = 0
      let numbers = AsyncFamily<Int, Int>(board: board, tags: { key, _ in [AsyncTag(key)] }) { _ in
        requests += 1
        return 2
      }
      let number = numbers[1]
      number.data.value = 1
      await number.load(when: .stale)
      expectEqual(requests, 0)
      board.invalidate(AsyncTag(1))
      await number.settled()
      expectEqual(requests, 1)
      expectEqual(number.value, 2)
    }

    @Test("11.2 at most `width` requests run at a time, those that were used last first", arguments: [-1, 1, 2, 3])
    func width(width: Int) async {
      let stage = await loadedStage(1, 2, 3, 4, 5, 6, width: width)
      stage.board?.invalidate("all")
      let limit = max(width, 1)
      for round in 0..<6 {
        await stage.gate.arrived(min(6 + round + limit, 12))
        expectEqual(stage.family.entries.count { $0.snapshot.isRunning }, min(limit, 6 - round))
        stage.answer(6 - round, 10)
        await stage.family[6 - round].settled()
      }
      await stage.board?.settled()
      expectEqual(stage.requests[6...].sorted(), Array(1...6))
      if limit == 1 { expectEqual(stage.requests[6...], [6, 5, 4, 3, 2, 1]) }
      expect(stage.family.entries.allSatisfy { $0.snapshot.value == 10 && !$0.snapshot.isInvalidated })
    }

    @Test("11.2 a reload that is superseded gives its place to the next")
    func superseded() async {
      let stage = await loadedStage(1, 2, width: 1)
      stage.board?.invalidate("all")
      await stage.gate.arrived(3)
      stage.family[2].data.value = 20
      await stage.gate.arrived(4)
      expectEqual(stage.requests, [1, 2, 2, 1])
      stage.answer(1, 11)
      await stage.board?.settled()
      expectEqual(stage.family[2].value, 20)
    }

    @Test("11.2 invalidations before the reload starts are one reload, and any number while it runs one more")
    func storm() async {
      let stage = await loadedStage(1, 2, width: 1)
      for _ in 0..<10 { stage.board?.invalidate("all") }
      await stage.gate.arrived(3)
      stage.answer(2, 12)
      await stage.gate.arrived(4)
      for _ in 0..<10 { stage.board?.invalidate("odd") }
      stage.answer(1, 11)
      await stage.gate.arrived(5)
      // The second one was requested, and invalidated before that began: once more.
      stage.answer(2, 22)
      stage.answer(1, 21)
      await stage.gate.arrived(6)
      await stage.board?.settled()
      expectEqual(stage.requests.count { $0 == 1 }, 3)
      expectEqual(stage.requests.count { $0 == 2 }, 3)
      expectEqual(isInvalidated(stage, 1, 2), [false, false])
    }

    @Test("11.2, 11.4, 11.5 what waits for its turn begins neither after a close, nor when it is not held any more")
    func closing() async {
      let stage = await loadedStage(1, 2, 3, 4, width: 1)
      let refresh = stage.board?.invalidate("all")
      await stage.gate.arrived(5)
      stage.drop(3)
      stage.answer(4, 14)
      await stage.gate.arrived(6)
      stage.board?.gate.close()
      stage.answer(2, 12)
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 2, 3, 4, 4, 2])
      stage.drop(1)
      stage.board?.gate.open()
      expect(stage.family.entries.allSatisfy { !$0.snapshot.isRunning })
      expectEqual(isInvalidated(stage, 1, 2, 3, 4), [true, false, true, false])
      // So there is nothing to wait for.
      let end = Waiting { await refresh?.finished() }
      await end.begun()
      expect(end.result != nil)
      end.cancel()
    }

    /// Counts what runs, and what is alive of it.
    @MainActor
    private final class Server {
      private(set) var (count, running, most) = (0, 0, 0)
      private(set) var keys: [Int] = []

      func value(of key: Int) async -> Int {
        count += 1
        running += 1
        most = max(most, running)
        keys.append(key)
        await afterReleases()
        running -= 1
        return count
      }
    }

    @Test("3.24, 11.2, 11.4 1,000 held entries: each requested once, a few at a time, those that are displayed first")
    func held() async throws {
      let (count, server) = (1_000, Server())
      let (clock, gate, board) = (ManualClock(), LoadGate(width: 6), AsyncTagBoard())
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(staleAfter: .seconds(60), clock: clock, gate: gate), board: board
      ) { key in await server.value(of: key) }
      let held = (0..<count).map { family[$0] }
      for resource in held { await resource.load() }
      let hosts = (0..<10).map { AsyncHost(held[$0]) { _ in [] } }
      for host in hosts {
        host.start(when: .stale)
        host.appear(animated: false)
      }
      gate.close()
      await clock.advance(by: .seconds(61))
      gate.open()
      // What is not sent yet is a number in a line, and no request.
      expectEqual(held.count { $0.isRunning }, 6)
      expectEqual("\(board)", "AsyncTagBoard: open, 6 loading")
      await board.settled()
      try #require(server.count == 2 * count && server.most == 6)
      expectEqual(Set(server.keys[count..<count + 10]), Set(0..<10))
      expect(held.allSatisfy { !$0.isStale && !$0.isRunning })
      for host in hosts { host.disappear(animated: false) }
    }

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

    @Test("11.4 a load from offline that fails after the opening is followed by one request, which is not repeated")
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

    // MARK: Requests that run

    @Test(
      "11.2, 14.2 a first load that hangs is superseded when its tag is invalidated, and its caller has the newer answer; what only a caller holds is not requested after that",
      arguments: [true, false])
    func hanging(isHeld: Bool) async {
      let stage = stage()
      if isHeld { stage.hold(1) }
      let call = Waiting { await stage.family[1].load().word }
      await stage.gate.arrived(1)
      // The load of a person is none of the board's.
      await stage.board?.settled()
      stage.board?.invalidate("all")
      let settling = Waiting { await stage.board?.settled() }
      await stage.gate.arrived(2)
      expectNil(settling.result)
      // This one is awaited.
      if !isHeld { stage.board?.invalidate("all") }
      stage.gate.answer(call: 2, with: .success(2))
      await expectEqual(call.end(), "value 2")
      await settling.end()
      expectEqual(stage.requests, [1, 1])
      expectEqual(isInvalidated(stage, 1), [!isHeld])
    }

    @Test(
      "11.2 a value arrives under steady invalidations: what has superseded another load is awaited, then it follows")
    func steady() async {
      let stage = stage().hold(1)
      let screen = stage.held[1]!
      screen.start()
      for round in 1...10 {
        // The load of before, then the one that supersedes it.
        await stage.gate.arrived(2 * round - 1)
        for _ in 0..<3 { stage.board?.invalidate("all") }
        await stage.gate.arrived(2 * round)
        for _ in 0..<3 { stage.board?.invalidate("all") }
        stage.gate.answer(call: 2 * round, with: .success(round))
        for await snapshot in screen.observed.values where snapshot.value == round { break }
      }
      await stage.gate.answer(arriving: 21, with: .success(11))
      await stage.board?.settled()
      expectEqual(screen.value, 11)
      expect(!screen.isStale)
      expectEqual(stage.requests.count, 21)
    }

    @Test("11.2 a load that was superseded keeps its mode, its pages and what holds the gate of the board: one place")
    func place() async {
      let stage = await loadedStage(1, 2, width: 1)
      let reload = stage.held[2]!.reload()
      await stage.gate.arrived(3)
      stage.board?.invalidate("all")
      await expectEqual(reload.outcome().word, "superseded")
      expectEqual(stage.held[2]?.snapshot.activity?.mode, .reload)
      expectEqual(stage.held[1]?.isRunning, false)
      await stage.gate.answer(arriving: 4, with: .success(20))
      await stage.gate.answer(arriving: 5, with: .success(10))
      await stage.board?.settled()
      expectEqual(stage.held[1]?.value, 10)
      expectEqual(stage.held[2]?.value, 20)
    }

    // MARK: Resources

    @Test("11.5 a resource outside of a family is marked and requested again by tag, as long as something holds it")
    func resource() async {
      let board = AsyncTagBoard()
      let server = ManualServer<[Int]>()
      var list: AsyncResource<[Int]>? = AsyncResource { try await server.wait() }
      board.add(list!, tags: ["posts"])
      // It was not requested before.
      board.invalidate("posts")
      await board.settled()
      expectEqual(server.callCount, 0)
      server.answer(call: 1, with: .success([1]))
      await list?.load()
      board.invalidate("others")
      await board.settled()
      let refresh = board.invalidate("posts")
      await server.answer(arriving: 2, with: .success([1, 2]))
      await refresh.finished()
      expectEqual(list?.value, [1, 2])
      expectEqual(list?.isStale, false)
      // Added again: with other tags alone.
      board.add(list!, tags: ["letters"])
      board.invalidate("posts")
      expectEqual(list?.isStale, false)
      list?.forget()
      board.invalidate("letters")
      await board.settled()
      expectEqual(server.callCount, 2)
      let data = list?.data
      list = nil
      board.invalidate("letters")
      await board.settled()
      expectEqual(server.callCount, 2)
      expectNil(data?.value)
    }
  }
}
