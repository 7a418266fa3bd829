// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// An outbox and a load at one gate that lets in one request at a time.
  @MainActor
  struct OutboxGateTests {
    private let clock = ManualClock()
    private let server = ManualServer<Int>()
    private let gate = LoadGate(width: 1)
    private var options: LoadOptions { LoadOptions(retry: .never, clock: clock, gate: gate) }

    /// Each number has the lane of its tens.
    private func outbox(_ store: any OutboxStore<Int> = MemoryOutboxStore()) -> AsyncOutbox<Int, Int> {
      AsyncOutbox(store: store, options: options, lane: { "\($0 / 10)" }, isPermanent: { _, _ in true }) {
        [server] input, _ in
        try await server.wait(for: input)
      }
    }

    private func requestsAtRest() async -> [Int] {
      await turns(40)
      return server.arguments(as: Int.self)
    }

    @Test("3.24 neither it, nor what is sent before it in its lane or from the store, needs room", arguments: 0..<4)
    func behind(how: Int) async throws {
      let store = MemoryOutboxStore<Int>()
      if how == 3 { for key in [11, 21, 12] { store.put(key, key: "\(key)") } }
      let outbox = outbox(store)
      let begin = ManualServer<Void>()
      let news = AsyncResource<Int>(options: options) {
        try await begin.wait()
        return (try await outbox.perform(13).get()) + 1
      }
      news.start()
      await begin.arrived(1)
      // Another lane is first in the store, and what was performed before is in the lane.
      for number in [[], [11], [21, 22, 11, 12], []][how] { outbox.perform(number) }
      await expectEqual(requestsAtRest(), [])
      begin.answer(call: 1, with: .success(()))
      let before = [[], [11], [11, 12], [11, 12]][how]
      for number in before {
        let requests = await requestsAtRest()
        try #require(requests == before.prefix { $0 <= number })
        server.answer(for: number, with: .success(0))
      }
      try #require(await requestsAtRest() == before + [13])
      server.answer(for: 13, with: .success(6))
      await news.settled()
      expectEqual(news.value, 7)
      // What nothing awaits has waited for room.
      for number in [[], [], [21, 22], [21]][how] {
        try #require(await requestsAtRest().last == number)
        server.answer(for: number, with: .success(0))
      }
      await outbox.settled()
      expectEqual(gate.roomCount, 0)
      expectEqual(gate.waitingCount, 0)
      expectEqual(outbox.state.waitingCount, 0)
    }

    @Test("3.24 an input of the same outbox, in another lane")
    func lanes() async throws {
      let itself = Itself()
      let outbox = AsyncOutbox<Int, Int>(
        store: MemoryOutboxStore(), options: options, lane: { "\($0)" }, isPermanent: { _, _ in true }
      ) { [server] input, _ in
        guard input == 1, let outbox = itself.outbox else { return try await server.wait(for: input) }
        return try await outbox.perform(2).get() + 1
      }
      itself.outbox = outbox
      let handle = outbox.perform(1)
      try #require(await requestsAtRest() == [2])
      server.answer(for: 2, with: .success(6))
      try await expectEqual(handle.get(), 7)
      await outbox.settled()
      expectEqual(gate.roomCount, 0)
      expectEqual(outbox.state.waitingCount, 0)
    }

    private final class Itself {
      weak var outbox: AsyncOutbox<Int, Int>?
    }

    @Test("3.24, 17.1 a gate that closes while an input is awaited: it is sent after the opening, and needs no room")
    func closedMeanwhile() async throws {
      let outbox = outbox()
      let news = AsyncResource<Int>(options: options) { [gate] in
        gate.close()
        return try await outbox.perform(1).get() + 1
      }
      news.start()
      expectEqual(await requestsAtRest(), [])
      expectEqual(gate.roomCount, 1)
      gate.open()
      try #require(await requestsAtRest() == [1])
      expectEqual(gate.roomCount, 1)
      server.answer(for: 1, with: .success(6))
      await news.settled()
      expectEqual(news.value, 7)
      expectEqual(gate.roomCount, 0)
    }

    @Test("3.24 one that is taken back while it is awaited gives nothing room any more")
    func takenBack() async throws {
      let outbox = outbox()
      let begin = ManualServer<Void>()
      var handle: MutationTask<Int>?
      let news = AsyncResource<Int>(options: options) {
        handle = outbox.perform(1)
        _ = await handle?.outcome()
        try await begin.wait()
        return 7
      }
      news.start()
      try #require(await requestsAtRest() == [1])
      handle?.cancel()
      await begin.arrived(1)
      await outbox.settled()
      outbox.perform(2)
      await expectEqual(requestsAtRest(), [1])
      begin.answer(call: 1, with: .success(()))
      await news.settled()
      await expectEqual(requestsAtRest(), [1, 2])
      server.answer(for: 2, with: .success(0))
      await outbox.settled()
      expectEqual(gate.roomCount, 0)
      expectEqual(outbox.state.waitingCount, 0)
    }
  }
}
