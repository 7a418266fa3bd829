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

    // MARK: Commits

    @Test("3.17, 3.12 a change is displayed while its commit waits, and is decided when the gate has opened")
    func commit() async {
      let resource = stage.resource()
      resource.data.value = 1
      let change = Waiting { [server = stage.server] in
        await resource.mutate({ $0 += 1 }, commit: { try await server.wait() }).word
      }
      await change.begun()
      #expect(resource.value == 2 && resource.data.hasPendingChanges)
      await expectEqual(stage.requests(), 0)
      gate.open()
      await stage.answer(1, nil)
      await expectEqual(change.end(), "value 2")
      #expect(!resource.data.hasPendingChanges && !resource.snapshot.isInvalidated)
    }

    // MARK: Pages

    @Test("3.17, 3.13 a page request waits, is joined by a second one, and is superseded by a refresh")
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
      await afterReleases()
      #expect(list.nextPage.isRunning && list.nextPage.isWaiting && pages.callCount == 1)
      gate.open()
      await pages.arrived(2)
      #expect(list.nextPage.isRunning && !list.nextPage.isWaiting)
      pages.answer(for: 1, with: .success(.init(items: [2], next: 2)))
      _ = await first.end()
      _ = await second.end()
      #expect(list.value?.items == [1, 2] && pages.callCount == 2)
      gate.close()
      let third = Waiting { await list.loadNext() }
      await third.begun()
      let refresh = list.refresh()
      if case .superseded = await third.end() {} else { Issue.record("The refresh has taken its place.") }
      pages.answer(for: 0, with: .success(.init(items: [3])))
      gate.open()
      _ = await refresh.outcome()
      #expect(list.value?.items == [3] && pages.callCount == 3)
      #expect(gate.waitingCount == 0 && !list.nextPage.isWaiting)
    }

    @Test(
      "3.17, 3.13, 13.1 a page request that is cancelled at the gate does not wait any more, and the journal says so")
    func cancelledPage() async {
      gate.open()
      let journal = StateJournal(clock: stage.clock)
      let list = AsyncResource(options: stage.options(), .pages { _ in Paged<Int, Int>.Page(items: [1], next: 1) })
      await list.load()
      journal.attach(list, name: "feed")
      gate.close()
      let request = Waiting { await list.loadNext() }
      await request.begun()
      await afterReleases()
      #expect(list.snapshot.nextPage.isWaiting)
      request.cancel()
      if case .cancelled = await request.end() {} else { Issue.record("It was given up.") }
      #expect(!list.nextPage.isWaiting && !list.nextPage.isRunning && list.value?.items == [1])
      expectEqual(
        journal.entries.map { "\($0.event) ← \($0.cause ?? 0)" },
        [
          "attached: value ← 0", "next page requested ← 0", "next page waits for its gate ← 2",
          "next page cancelled ← 2",
        ])
      await stage.nothingIsLeft(after: 0)
    }

    // MARK: Mutations

    private func send(_ overlap: MutationOverlap, _ server: ManualServer<Int>) -> AsyncMutation<String, Int> {
      AsyncMutation(overlap: overlap, options: stage.options()) { input in try await server.wait(for: input) }
    }

    @Test("3.17, 16.3 a mutation that waits is running and says so; one that is cancelled is never sent")
    func mutation() async {
      let server = ManualServer<Int>()
      let send = send(.automatic, server)
      let first = send.perform("a")
      #expect(send.isRunning && "\(send.status)" == "waiting for a network: a")
      await afterReleases()
      first.cancel()
      gate.open()
      await send.settled()
      #expect(server.callCount == 0 && "\(send.status)" == "idle")
      gate.close()
      let second = send.perform("b")
      gate.open()
      server.answer(for: "b", with: .success(2))
      _ = await second.outcome()
      expectEqual("\(send.status)", "succeeded: 2")
    }

    @Test("3.17, 16.2 queued inputs wait for their turn and for the gate; a replaced one is never sent")
    func overlaps() async {
      let server = ManualServer<Int>()
      for input in ["a", "b", "c"] { server.answer(for: input, with: .success(1)) }
      let queue = send(.queue, server)
      for input in ["a", "b"] { queue.perform(input) }
      await afterReleases()
      gate.open()
      await queue.settled()
      expectEqual(server.arguments(as: String.self), ["a", "b"])
      gate.close()
      let replace = send(.latest, server)
      replace.perform("a")
      replace.perform("c")
      await afterReleases()
      gate.open()
      await replace.settled()
      expectEqual(server.arguments(as: String.self), ["a", "b", "c"])
    }

    // MARK: Outboxes

    private func outbox(
      _ server: ManualServer<Int>, _ store: MemoryOutboxStore<String>, timeout: Duration? = nil
    ) -> AsyncOutbox<String, Int> {
      AsyncOutbox(
        store: store, options: stage.options(timeout: timeout), lane: { String($0.prefix(1)) },
        isPermanent: { _, _ in false }
      ) { input, _ in try await server.wait(for: input) }
    }

    @Test("3.17, 17 an input whose time was up at a closed gate is sent when the gate opens")
    func outboxTimeout() async {
      let (server, store) = (ManualServer<Int>(), MemoryOutboxStore<String>())
      let send = outbox(server, store, timeout: .seconds(5))
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
      #expect(store.entries.isEmpty && server.callCount == 2)
    }

    // MARK: Boards

    private func family(on board: AsyncTagBoard, _ options: LoadOptions) -> AsyncFamily<Int, Int> {
      let server = stage.server
      return AsyncFamily(options: options, board: board, tags: { key, _ in [AsyncTag("key", key)] }) { key in
        try await server.wait(for: key)
      }
    }

    @Test(
      "3.17, 11.4 a board follows its own gate and that of its family: it marks, and requests what is stale at the opening",
      arguments: [true, false])
    func board(isItsOwn: Bool) async {
      let board = isItsOwn ? AsyncTagBoard(gate: gate) : AsyncTagBoard()
      let family = family(on: board, LoadOptions(clock: stage.clock, gate: isItsOwn ? nil : gate))
      let held = family[1]
      gate.open()
      stage.server.answer(for: 1, with: .success(1))
      await held.load()
      gate.close()
      board.invalidate(AsyncTag("key", 1))
      await board.settled()
      #expect(stage.server.callCount == 1 && !held.isRunning)
      gate.open()
      #expect(held.isRunning)
      stage.server.answer(for: 1, with: .success(2))
      await board.settled()
      #expect(held.value == 2 && stage.server.callCount == 2)
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
      #expect(held.map(\.value) == [10, 20] && stage.server.callCount == 4)
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

    @Test("3.17, 11.2 a board begins nothing at the closed gate of its families, and then requests each entry once")
    func reloads() async {
      gate.open()
      let board = AsyncTagBoard(gate: LoadGate(width: 2))
      let family = AsyncFamily<Int, Int>(
        options: stage.options(), board: board, tags: { _, _ in ["all"] }
      ) { [server = stage.server] key in try await server.wait(for: key) }
      let held = (1...5).map { family[$0] }
      for key in 1...5 { stage.server.answer(for: key, with: .success(key)) }
      for resource in held { await resource.load() }
      for key in 1...5 { stage.server.answer(for: key, with: .success(key * 10)) }
      gate.close()
      board.invalidate("all")
      await expectEqual(stage.requests(), 5)
      #expect(held.allSatisfy { !$0.isRunning })
      gate.open()
      expectEqual(held.filter(\.isRunning).count, 2)
      await board.settled()
      #expect(held.map(\.value) == [10, 20, 30, 40, 50] && stage.server.callCount == 10)
    }

    // MARK: Stores

    @Test("3.17, 12 offline a stored value is displayed though the request waits, and ends it if it is fresh enough")
    func stored() async {
      let store = MemoryStore<Int, Int>(clock: stage.clock)
      store.put(7, for: 1, age: .seconds(30))
      store.put(8, for: 2, age: .seconds(90))
      let options = LoadOptions(staleAfter: .seconds(60), clock: stage.clock, gate: gate)
      let family = AsyncFamily<Int, Int>(options: options, store: store) { [server = stage.server] key in
        try await server.wait(for: key)
      }
      let (fresh, old) = (family[1], family[2])
      await expectEqual(fresh.load(when: .stale).word, "fresh 7")
      #expect(!fresh.isRunning && fresh.status == .data(7))
      let load = old.start(when: .stale)
      for await value in old.observed.map(\.value).values where value != nil { break }
      #expect(old.isWaiting && old.status == .data(8))
      await expectEqual(stage.requests(), 0)
      gate.open()
      stage.server.answer(for: 2, with: .success(80))
      await expectEqual(load.outcome().word, "value 80")
      expectEqual(store.readCount, 2)
    }

    @Test("3.17, 12.2 a request that need not wait for the store displays what is stored while it waits for the gate")
    func storedBeside() async {
      let store = MemoryStore<Int, Int>(clock: stage.clock)
      store.put(7, for: 1, age: .seconds(30))
      let family = AsyncFamily<Int, Int>(options: stage.options(), store: store) {
        [server = stage.server] key in
        try await server.wait(for: key)
      }
      let entry = family[1]
      entry.start()
      for await value in entry.observed.map(\.value).values where value != nil { break }
      #expect(entry.isWaiting && entry.status == .data(7))
      gate.open()
      stage.server.answer(for: 1, with: .success(70))
      await entry.settled()
      expectEqual(entry.value, 70)
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

    // MARK: The journal

    @Test("3.17, 13.1 that a load waits and continues is journaled, led to by its start")
    func journal() async {
      let journal = StateJournal(clock: stage.clock)
      let resource = stage.resource(retry: RetryPolicy { failed in failed.count < 2 ? .seconds(1) : nil })
      journal.attach(resource, name: "rates")
      resource.start()
      await expectEqual(stage.requests(), 0)
      gate.open()
      await stage.server.arrived(1)
      stage.server.answer(call: 1, with: .failure(Failure()))
      await stage.clock.sleepers(atLeast: 1)
      gate.close()
      await stage.clock.advance(by: .seconds(1))
      resource.cancel()
      expectEqual(
        journal.entries.map { "\($0.event) ← \($0.cause ?? 0)" },
        [
          "attached: idle ← 0", "load started (refresh) ← 0", "waits for its gate ← 2", "gate open ← 2",
          "attempt 1 failed, retrying: failure ← 2", "waits for its gate ← 2", "cancelled ← 0",
        ])
      await stage.nothingIsLeft(after: 1)
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
      #expect(likes.value == 2 && stage.server.callCount == 0)
      gate.open()
      await stage.server.arrived(1)
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .seconds(10))
      await expectEqual(like.end(), "failure LoadTimeoutError()")
      #expect(likes.value == 1 && likes.isStale)
    }
  }
}
