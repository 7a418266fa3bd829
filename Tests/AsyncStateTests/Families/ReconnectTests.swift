// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ReconnectTests {
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

    private let count = 1_000

    @Test("3.24, 11.2, 11.4 1,000 held entries: each requested once, a few at a time, those that are displayed first")
    func held() async throws {
      let (server, clock, gate, board) = (Server(), ManualClock(), LoadGate(width: 6), AsyncTagBoard())
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
  }
}
