// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateJournal
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct GateUsersTests {
    let stage = GateStage()
    var gate: LoadGate { stage.gate }

    @Test("3.17, 3.13 a page request waits, and is joined by a second one")
    func pages() async {
      gate.open()
      let pages = ManualServer<Paged<Int, Int>.Page>()
      let list = AsyncResource(options: stage.options(), .pages { page in try await pages.wait(for: page.cursor ?? 0) })
      pages.answer(for: 0, with: .success(.init(items: [1], next: 1)))
      await list.load()
      gate.close()
      let first = Waiting { await list.loadNext() }
      let second = Waiting { await list.loadNext() }
      await second.begun()
      await reaches(list) { _ in list.nextPage.isWaiting }
      expect(list.nextPage.isRunning)
      expectEqual(pages.callCount, 1)
      gate.open()
      await pages.arrived(2)
      expect(list.nextPage.isRunning)
      expect(!list.nextPage.isWaiting)
      pages.answer(for: 1, with: .success(.init(items: [2], next: 2)))
      _ = await first.end()
      _ = await second.end()
      expectEqual(list.value?.items, [1, 2])
      expectEqual(pages.callCount, 2)
    }

    @Test("3.17, 17 an input whose time was up at a closed gate is sent when the gate opens")
    func outboxTimeout() async {
      let (server, store) = (ManualServer<Int>(), MemoryOutboxStore<String>())
      let send = AsyncOutbox<String, Int>(
        store: store, options: stage.options(timeout: .seconds(5)), isPermanent: { _, _ in false }
      ) { input, _ in try await server.wait(for: input) }
      gate.open()
      send.perform("a")
      await server.arrived(1)
      gate.close()
      await stage.clock.advance(by: .seconds(5))
      await send.settled()
      expectEqual(store.entries.map(\.input), ["a"])
      server.answer(for: "a", with: .success(1))
      gate.open()
      await send.settled()
      expect(store.entries.isEmpty)
      expectEqual(server.callCount, 2)
    }

    private func family(on board: AsyncTagBoard, _ options: LoadOptions) -> AsyncFamily<Int, Int> {
      let server = stage.server
      return AsyncFamily(options: options, board: board, tags: { key, _ in [AsyncTag("key", key)] }) { key in
        try await server.wait(for: key)
      }
    }

    @Test("3.17, 11.4 with a gate of its own and that of a family a board requests while both are open")
    func bothGates() async {
      let foreground = LoadGate()
      let board = AsyncTagBoard(gate: foreground)
      let (gated, free) = (
        family(on: board, LoadOptions(clock: stage.clock, gate: gate)),
        family(on: board, LoadOptions(clock: stage.clock))
      )
      gate.open()
      let held = [gated[1], free[2]]
      for key in 1...2 { stage.server.answer(for: key, with: .success(key)) }
      for resource in held { await resource.load() }
      func isRunning() -> [Bool] { held.map(\.isRunning) }
      for other in [foreground, gate] { other.close() }
      board.invalidate(AsyncTag("key", 1), AsyncTag("key", 2))
      gate.open()
      expectEqual(isRunning(), [false, false])
      gate.close()
      foreground.open()
      expectEqual(isRunning(), [false, true], "only what waits for the closed gate waits")
      stage.server.answer(for: 2, with: .success(20))
      await board.settled()
      gate.open()
      expectEqual(isRunning(), [true, false])
      stage.server.answer(for: 1, with: .success(10))
      await board.settled()
      expectEqual(held.map(\.value), [10, 20])
      expectEqual(stage.server.callCount, 4)
    }

    @Test("3.17, 11.4 a board that was released is not called by the gates that it has followed")
    func releasedBoard() {
      weak var released: AsyncTagBoard?
      do {
        let board = AsyncTagBoard(gate: gate)
        let family = family(on: board, LoadOptions(gate: gate))
        released = board
        withExtendedLifetime(family) {}
      }
      expectNil(released)
      gate.open()
    }

    @Test(
      "3.17, 12, 12.2 offline a stored value is displayed though the request waits, and ends it if it is fresh enough")
    func stored() async {
      let store = MemoryStore<Int, Int>(clock: stage.clock)
      for (key, age) in [(1, 30), (2, 90), (3, 30)] { store.put(key, for: key, age: .seconds(age)) }
      let options = LoadOptions(staleAfter: .seconds(60), clock: stage.clock, gate: gate)
      let family = AsyncFamily<Int, Int>(options: options, store: store) { [server = stage.server] key in
        try await server.wait(for: key)
      }
      let (fresh, old, other) = (family[1], family[2], family[3])
      await expectEqual(fresh.load(when: .stale).word, "fresh 1")
      expect(!fresh.isRunning)
      expectEqual(fresh.status, .data(1))
      // The last request need not wait for the store.
      let loads = [old.start(when: .stale), other.start()]
      for (entry, key) in [(old, 2), (other, 3)] {
        for await value in entry.observed.map(\.value).values where value != nil { break }
        expect(entry.isWaiting)
        expectEqual(entry.status, .data(key))
      }
      await expectEqual(stage.requests(), 0)
      gate.open()
      for key in 2...3 { stage.server.answer(for: key, with: .success(10 * key)) }
      for (load, key) in zip(loads, 2...3) { await expectEqual(load.outcome().word, "value \(10 * key)") }
      expectEqual(store.readCount, 3)
    }

    @Test("3.17, 10.2 an entry whose load waits is not evicted, and forgetting it ends the load")
    func family() async throws {
      let family = AsyncFamily<Int, Int>(options: stage.options(), keepUnused: 0) { [server = stage.server] key in
        try await server.wait(for: key)
      }
      family.prefetch(1)
      family.prefetch(2)
      family.trim()
      expectEqual(family.entries.count, 2)
      try await family.forget(1)
      stage.server.answer(for: 2, with: .success(2))
      await expectEqual(stage.requests(), 0)
      gate.open()
      await family.settled()
      expectEqual(stage.server.arguments(as: Int.self), [2])
    }

    @Test("3.10, 3.16 the time of a commit begins with its first call, and not at a closed gate")
    func commitTimesOutAfterGate() async {
      let likes = AsyncData<Int>(options: stage.options(timeout: .seconds(10)))
      likes.value = 1
      let like = Waiting { [server = stage.server] in
        await likes.mutate({ $0 += 1 }, commit: { try await server.wait() }).word
      }
      await like.begun()
      await stage.clock.advance(by: .seconds(20))
      expectEqual(likes.value, 2)
      expectEqual(stage.server.callCount, 0)
      gate.open()
      await stage.server.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .seconds(10))
      await expectEqual(like.end(), "failure LoadTimeoutError()")
      expectEqual(likes.value, 1)
      expect(likes.isStale)
    }
  }
}
