// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct EntriesBesideOthersTests {
    let clock = ManualClock()

    // MARK: Gates

    @Test("2.1, 3.24 what an operation with room joins while its store is read needs no room")
    func joinedDuringRead() async {
      let gate = LoadGate(width: 1)
      let options = LoadOptions(staleAfter: .seconds(60), clock: clock, gate: gate)
      let store = MemoryStore<Int, Int>(clock: clock)
      let (reads, begin) = (ManualServer<Void>(), ManualServer<Void>())
      store.reads = reads
      let users = AsyncFamily<Int, Int>(options: options, store: store) { $0 }
      let user = users[1]
      let page = AsyncResource<Int>(options: options) {
        try await begin.wait()
        return try await user.get()
      }
      page.start()
      await begin.arrived(1)
      user.start(when: .stale)
      await reads.arrived(1)
      begin.answer(call: 1, with: .success(()))
      await user.awaited(by: 1)
      reads.answer(call: 1, with: .success(()))
      await page.settled()
      expectEqual(page.value, 1)
      expectEqual(gate.roomCount, 0)
    }

    @Test(
      "3.24 what an observer of an answer begins needs room, though an operation with room awaits that answer",
      arguments: [false, true])
    func begunByObserver(hasRetry: Bool) async {
      let gate = LoadGate(width: 1)
      let server = ManualServer<Int>()
      let options = LoadOptions(retry: hasRetry ? RetryPolicy { _ in nil } : .never, clock: clock, gate: gate)
      let token = AsyncResource(options: LoadOptions(retry: hasRetry ? RetryPolicy { _ in nil } : .never, clock: clock))
      {
        try await server.wait(for: 1)
      }
      let profile = AsyncResource(options: options) { try await server.wait(for: 2) }
      let seen = token.observe { if $0.isValueSet, !profile.isRunning { profile.start() } }
      let news = AsyncResource<Int>(options: options) {
        _ = try await token.get()
        return try await server.wait(for: 9)
      }
      news.start()
      server.answer(for: 1, with: .success(1))
      await server.arrived(for: 9)
      await turns(20)
      expectEqual(server.arguments(as: Int.self), [1, 9])
      expectEqual(gate.roomCount, 1)
      server.answer(for: 9, with: .success(9))
      server.answer(for: 2, with: .success(2))
      await profile.settled()
      expectEqual(profile.value, 2)
      expectEqual(news.value, 9)
      withExtendedLifetime(seen) {}
    }

    // MARK: Seeds

    @Test("3.12, 10.9 a request that could display a seed ends no command")
    func seedBesideCommand() async {
      let list = Input<[Int: Int]>([:])
      let gate = LoadGate(isOpen: false)
      let sent = Input(0)
      let posts = AsyncFamily<Int, Int>(seed: { list.current[$0] }, options: LoadOptions(clock: clock, gate: gate)) {
        _ in
        11
      }
      let post = posts[1]
      let like = Waiting {
        let outcome = await post.mutate({ $0 += 1 }, commit: { sent.write(sent.current + 1) })
        if case .success = outcome { return true }
        return false
      }
      await like.begun()
      list.write([1: 10])
      post.start(when: .stale)
      gate.open()
      await post.settled()
      expect(await like.end())
      expectEqual(sent.current, 1)
    }

    // MARK: Boards

    @Test("10.4, 11.4 what is stale by age keeps its place at the board, whatever changes in it")
    func staleAndChanged() async {
      let gate = ManualServer<Int>()
      let board = AsyncTagBoard(gate: LoadGate(width: 1))
      let posts = AsyncFamily<Int, Int>(options: LoadOptions(staleAfter: .seconds(60), clock: clock), board: board) {
        key in
        try await gate.wait(for: key)
      }
      let held = (1...2).map { posts[$0] }
      for key in 1...2 {
        gate.answer(for: key, with: .success(key))
        await held[key - 1].load()
      }
      await clock.advance(by: .seconds(61))
      board.refreshStale()
      await gate.arrived(3)
      let first = gate.arguments(as: Int.self)[2]
      let other = 3 - first
      held[other - 1].update { $0 += 1 }
      gate.answer(for: first, with: .success(10 * first))
      await gate.arrived(4)
      gate.answer(for: other, with: .success(10 * other))
      await board.settled()
      expectEqual(held.map(\.value), [10, 20])
      expect(!held.contains { $0.isStale })
    }

    // MARK: Stores

    @Test("3.19 a doubt about a value whose write waits marks that, though another mark waits before it")
    func markBehindWrite() async {
      let store = MemoryStore<Int, Int>(clock: clock)
      let writes = ManualServer<Void>(ignoresCancellation: true)
      store.writes = writes
      let server = Input(3)
      let posts = AsyncFamily<Int, Int>(options: LoadOptions(clock: clock), store: store) { _ in server.current
      }
      let post = posts[1]
      await post.load()
      await writes.arrived(1)
      post.reset()
      post.update { $0 += 1 }
      server.write(4)
      await post.load()
      post.reset()
      post.update { $0 += 1 }
      for call in 1...4 { writes.answer(call: call, with: .success(())) }
      await posts.settled()
      expectEqual(store[1]?.value, 4)
      expectEqual(store[1]?.isInvalidated, true)
    }

    @Test("3.18 a stored value that arrives while a change is sent is no write: it has none that is being sent")
    func storedBesideChange() async {
      let store = MemoryStore<Int, Int>(clock: clock)
      let (reads, commit) = (ManualServer<Void>(), ManualServer<Void>())
      store.reads = reads
      store.put(3, for: 1)
      let posts = AsyncFamily<Int, Int>(seed: { _ in 0 }, options: LoadOptions(clock: clock), store: store) { _ in 9 }
      let post = posts[1]
      let load = post.start(when: .stale)
      await reads.arrived(1)
      let change = Waiting { await post.mutate({ $0 += 1 }, commit: { try await commit.wait() }).word }
      await commit.arrived(1)
      reads.answer(call: 1, with: .success(()))
      _ = await load.outcome()
      commit.answer(call: 1, with: .success(()))
      _ = await change.end()
      expectEqual(post.value, 4)
      expect(!post.isStale)
    }
  }
}
