// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct UnheldEntriesTests {
    private let clock = ManualClock()
    private let endless = RetryPolicy { _ in .seconds(1) }

    /// A server that fails when it is down.
    @MainActor
    private final class Server {
      var isDown = false
      private(set) var calls = 0

      func get(_ key: Int) throws -> Int {
        calls += 1
        if isDown { throw Failure(name: "down") }
        return key
      }
    }

    // MARK: 19.7

    private func family(on stage: LiveStage) -> AsyncFamily<Int, Int> {
      AsyncFamily(
        options: LoadOptions(retry: endless, clock: stage.clock), keepIdle: 0,
        live: { (key: Int) in stage.connect(key) })
    }

    /// The room has an element, its stream breaks, and another connection follows in a second.
    private func breaks(_ room: AsyncResource<Int>?, of family: AsyncFamily<Int, Int>, on stage: LiveStage) async {
      room?.start()
      stage.send(1)
      await family.settled()
      stage.end(1, throwing: Failure(name: "broken"))
      await stage.clock.sleepers(atLeast: 1)
    }

    @Test(
      "10.2, 19.7 a stream that has broken is not connected for ever when its last holder is released, and its entry leaves",
      arguments: [false, true])
    func stream(trims: Bool) async {
      let stage = LiveStage()
      let family = family(on: stage)
      var room: AsyncResource<Int>? = family[1]
      await breaks(room, of: family, on: stage)
      room = nil
      if trims { family.trim() } else { await stage.clock.advance(by: .seconds(1)) }
      #expect(stage.clock.sleeperCount == 0)
      await stage.clock.advance(by: .seconds(60))
      #expect(stage.connectionCount == 1 && family.entries.isEmpty)
    }

    @Test("19.7 a connection that awaits its first element ends, too")
    func connecting() async {
      let stage = LiveStage()
      let family = family(on: stage)
      var room: AsyncResource<Int>? = family[1]
      await breaks(room, of: family, on: stage)
      await stage.clock.advance(by: .seconds(1))
      await stage.connected(2)
      family.trim()
      #expect(!stage.isCancelled(2))
      room = nil
      family.trim()
      #expect(stage.isCancelled(2) && family.entries.isEmpty)
      withExtendedLifetime(room) {}
    }

    @Test("10.2, 19.7 a member that has connected often is looked at as one")
    func manyConnections() async {
      let stage = LiveStage()
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(clock: stage.clock), live: { (key: Int) in stage.connect(key) })
      let room = family[1]
      for connection in 1...20 {
        stage.send(connection, on: connection)
        room.refresh(superseding: true)
        await family.settled()
      }
      var other: AsyncResource<Int>? = family[2]
      other?.start()
      stage.send(1, on: 21)
      await family.settled()
      other = nil
      _ = family.existing(0)
      #expect(stage.isCancelled(21) && !stage.isCancelled(20))
      withExtendedLifetime((room, other)) {}
    }

    // MARK: 10.3

    /// What displays a list.
    private final class Table {}

    /// Lists of one row whose further page waits for the test.
    private func lists(_ page: Gate<Void>, keepIdle: IdleLimit) -> AsyncFamily<Int, Paged<Int, Int>> {
      AsyncFamily(
        options: LoadOptions(retry: endless, clock: clock), keepIdle: keepIdle,
        pages: { (_: Int, request) in
          if request.cursor != nil { try await page.wait() }
          return .init(items: [1], next: request.cursor == nil ? 1 : nil)
        })
    }

    @Test(
      "10.2, 10.3 the page that displayed rows want makes no further attempt when the last holder of its list is released",
      arguments: [false, true])
    func pageAttempts(trims: Bool) async {
      let (page, screen) = (Gate<Void>(), Table())
      let family = lists(page, keepIdle: 0)
      var list: AsyncResource<Paged<Int, Int>>? = family[1]
      await list?.load()
      list?.displaying(0..<1)
      await page.arrived(1)
      page.answer(call: 1, with: .failure(Failure()))
      await clock.sleepers(atLeast: 1)
      list = nil
      if trims { family.trim() } else { await clock.advance(by: .seconds(1)) }
      await family.settled()
      #expect(page.callCount == 1 && clock.sleeperCount == 0 && family.entries.isEmpty)
      withExtendedLifetime(screen) {}
    }

    @Test(
      "10.3 such a page ends while it is requested, too, and is wanted again when its list is held and displayed again")
    func runningPage() async {
      let (page, screen) = (Gate<Void>(), Table())
      let family = lists(page, keepIdle: 5)
      var list: AsyncResource<Paged<Int, Int>>? = family[1]
      await list?.load()
      list?.displaying(0..<1)
      await page.arrived(1)
      family.trim()
      #expect(list?.nextPage.isRunning == true)
      list = nil
      family.trim()
      await family.settled()
      #expect(page.callCount == 1)
      let again = family[1]
      #expect(again.value?.items == [1] && !again.nextPage.isRunning)
      again.displaying(0..<1)
      await page.arrived(2)
      page.answer(call: 2, with: .success(()))
      await again.settled()
      #expect(again.value?.items == [1, 1])
    }

    /// What requests an entry again.
    enum Cause: CaseIterable {
      case board
      case family
      case input
    }

    /// Holds an entry.
    @MainActor
    private final class Screen {
      let family: AsyncFamily<Int, Int>
      var entry: AsyncResource<Int>?

      init(_ family: AsyncFamily<Int, Int>) {
        self.family = family
        entry = family[1]
      }
    }

    /// A screen whose entry the library requests again, and whose requests fail.
    private func screen(_ cause: Cause, _ server: Server, _ board: AsyncTagBoard) async -> Screen {
      let input = AsyncResource { 1 }
      let family = AsyncFamily<Int, Int>(
        options: LoadOptions(retry: endless, clock: clock), keepIdle: 0, board: cause == .board ? board : nil,
        tags: { key, _ in [AsyncTag(key)] }
      ) { (key: Int, reporter: LoadReporter<Int>) in
        _ = try await reporter.get(input)
        return try server.get(key)
      }
      let screen = Screen(family)
      await screen.entry?.load()
      server.isDown = true
      switch cause {
      case .board: board.invalidate(AsyncTag(1))
      case .family:
        screen.entry?.invalidate()
        family.refreshStale()
      case .input: input.data.value = 2
      }
      await clock.sleepers(atLeast: 1)
      return screen
    }

    @Test(
      "10.2, 10.3 what was requested again by itself makes no further attempt when its last holder is released",
      arguments: Cause.allCases, [false, true])
    func attempts(cause: Cause, trims: Bool) async throws {
      let (server, board) = (Server(), AsyncTagBoard())
      let screen = await screen(cause, server, board)
      try #require(server.calls == 2)
      await clock.advance(by: .seconds(1))
      await clock.sleepers(atLeast: 1)
      #expect(server.calls == 3 && screen.entry?.isRunning == true)
      screen.entry = nil
      if trims { screen.family.trim() } else { await clock.advance(by: .seconds(1)) }
      await screen.family.settled()
      await board.settled()
      #expect(server.calls == 3 && clock.sleeperCount == 0 && screen.family.entries.isEmpty)
    }

    @Test("3.4, 10.3 it continues for a caller that has joined it", arguments: [false, true])
    func joined(isPrefetch: Bool) async {
      let (server, board) = (Server(), AsyncTagBoard())
      let screen = await screen(.board, server, board)
      if isPrefetch { screen.family.prefetch(1) } else { screen.entry?.start() }
      screen.entry = nil
      screen.family.trim()
      await clock.advance(by: .seconds(1))
      await clock.sleepers(atLeast: 1)
      #expect(server.calls == 3)
      server.isDown = false
      await clock.advance(by: .seconds(1))
      await screen.family.settled()
      #expect(server.calls == 4 && clock.sleeperCount == 0)
    }
  }
}
