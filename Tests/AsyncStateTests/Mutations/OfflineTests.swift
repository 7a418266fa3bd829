// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// An outbox as it is used for an hour without a network.
  @MainActor
  struct OfflineTests {
    /// An input that counts how many of its kind are in memory.
    final class Note {
      nonisolated(unsafe) static var count = 0  // Justified: only used on the main actor, by the one test.
      nonisolated(unsafe) static var most = 0  // Justified: as above.
      let number: Int

      init(_ number: Int) {
        self.number = number
        Self.count += 1
        Self.most = max(Self.most, Self.count)
      }

      deinit { Self.count -= 1 }
    }

    /// Keeps inputs outside of the memory: as their numbers.
    final class NumberStore: OutboxStore {
      let base = MemoryOutboxStore<Int>()
      var place: String { base.place }

      private func note(_ entry: OutboxEntry<Int>) -> OutboxEntry<Note> {
        OutboxEntry(
          key: entry.key, lane: entry.lane, input: Note(entry.input), attempts: entry.attempts, failure: entry.failure)
      }

      private func number(_ entry: OutboxEntry<Note>) -> OutboxEntry<Int> {
        OutboxEntry(
          key: entry.key, lane: entry.lane, input: entry.input.number, attempts: entry.attempts, failure: entry.failure)
      }

      func append(_ entry: OutboxEntry<Note>, isolation: isolated (any Actor)?) async throws {
        try await base.append(number(entry), isolation: isolation)
      }

      func first(besides lanes: Set<String>, isolation: isolated (any Actor)?) async throws -> OutboxEntry<Note>? {
        try await base.first(besides: lanes, isolation: isolation).map(note)
      }

      func entries(
        after key: String?, limit: Int, isolation: isolated (any Actor)?
      ) async throws -> [OutboxEntry<Note>] {
        try await base.entries(after: key, limit: limit, isolation: isolation).map(note)
      }

      func update(_ entry: OutboxEntry<Note>, isolation: isolated (any Actor)?) async throws {
        try await base.update(number(entry), isolation: isolation)
      }

      func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
        try await base.remove(key, isolation: isolation)
      }

      func removeAll(isolation: isolated (any Actor)?) async throws { try await base.removeAll(isolation: isolation) }
    }

    /// Where a request is away from the main actor.
    actor Network {
      private var passes = 0

      // With work: a release build drops the switch to an actor on which nothing is done.
      func pass() { passes += 1 }
    }

    /// Counts how many requests it has at a time, and remembers their order in each lane.
    final class Server {
      let clock = ManualClock()
      private let network = Network()
      private(set) var (now, most) = (0, 0)
      private(set) var received: [Int: [Int]] = [:]

      func receive(_ number: Int, _ lane: Int) async throws {
        now += 1
        most = max(most, now)
        await network.pass()
        defer { now -= 1 }
        // Each fiftieth request is refused once more by a network that is just coming back.
        if number % 50 == 0, received[lane]?.last != -number {
          received[lane, default: []].append(-number)
          throw Failure()
        }
        received[lane, default: []].append(number)
      }
    }

    @Test("17.1, 17.3, 17.11 an hour offline with 10,000 inputs: bounded memory, order kept, as wide as the gate")
    func anHour() async throws {
      let (store, server, online) = (NumberStore(), Server(), LoadGate(width: 3))
      let options = LoadOptions(retry: .exponential(first: .zero, retries: 2), clock: server.clock, gate: online)
      func make() -> AsyncOutbox<Note, Void> {
        AsyncOutbox(
          store: store, options: options, lane: { "\($0.number % 7)" }, isPermanent: { _, _ in false }
        ) { note, _ in try await server.receive(note.number, note.number % 7) }
      }
      var send = make()
      online.close()
      for minute in 0..<60 {
        for number in stride(from: minute, to: 10_000, by: 60) {
          // A form waits until its input is safe, and releases it.
          try await send.perform(Note(number)).accepted()
        }
        await server.clock.advance(by: .seconds(60))
        // The app is ended and started now and then.
        if minute % 20 == 19 {
          send = make()
          await send.resume()
        }
      }
      #expect(store.base.count == 10_000 && send.state.waitingCount == 10_000 && server.received.isEmpty)
      let accepted = store.base.entries.map(\.input)
      #expect(Note.count <= 2 && Note.most <= 300)
      Note.most = 0
      online.open()
      await send.settled()
      #expect(store.base.count == 0)
      #expect(server.most == 3)
      #expect(Note.most <= 10)
      for lane in 0..<7 {
        #expect(server.received[lane]?.filter { $0 > 0 } == accepted.filter { $0 % 7 == lane && $0 > 0 })
      }
    }
  }
}
