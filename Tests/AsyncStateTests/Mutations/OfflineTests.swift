// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// An outbox as it is used for an hour without a network.
  @MainActor
  struct OfflineTests {
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

    @Test("17.1, 17.3 an hour offline with 1,000 inputs: order kept, as wide as the gate")
    func anHour() async throws {
      let (store, server, online) = (MemoryOutboxStore<Int>(), Server(), LoadGate(width: 3))
      let options = LoadOptions(retry: .exponential(first: .zero, retries: 2), clock: server.clock, gate: online)
      func make() -> AsyncOutbox<Int, Void> {
        AsyncOutbox(
          store: store, options: options, lane: { "\($0 % 7)" }, isPermanent: { _, _ in false }
        ) { number, _ in try await server.receive(number, number % 7) }
      }
      var send = make()
      online.close()
      for minute in 0..<60 {
        for number in stride(from: minute, to: 1_000, by: 60) {
          // A form waits until its input is safe, and releases it.
          try await send.perform(number).accepted()
        }
        await server.clock.advance(by: .seconds(60))
        // The app is ended and started now and then.
        if minute % 20 == 19 {
          send = make()
          await send.resume().restored()
        }
      }
      #expect(store.count == 1_000 && send.state.waitingCount == 1_000 && server.received.isEmpty)
      let accepted = store.entries.map(\.input)
      online.open()
      await send.settled()
      expectEqual(store.count, 0)
      expectEqual(server.most, 3)
      for lane in 0..<7 {
        expectEqual(server.received[lane]?.filter { $0 > 0 }, accepted.filter { $0 % 7 == lane && $0 > 0 })
      }
    }
  }
}
