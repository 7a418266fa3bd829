// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct LiveFamilyTests {
    private let stage = LiveStage()

    private func family(keepUnused: Int = 50, retry: RetryPolicy = .never) -> AsyncFamily<Int, Int> {
      let stage = stage
      return AsyncFamily(options: LoadOptions(retry: retry, clock: stage.clock), keepUnused: keepUnused) { (key: Int) in
        .live { stage.connect(key) }
      }
    }

    @Test("19.7 an entry that two screens hold has one stream, which ends when the last one has released it")
    func shared() async {
      let family = family()
      var first: AsyncResource<Int>? = family[1]
      var second: AsyncResource<Int>? = family[1]
      first?.start()
      stage.send(1)
      await first?.settled()
      second?.start(when: .stale)
      expectEqual(stage.keys, [1])
      first = nil
      family.trim()
      expect(!stage.isCancelled())
      second = nil
      family.trim()
      await stage.cancellation(of: 1)
      expectEqual(family.existing(1)?.value, 1)
      expectEqual(family.existing(1)?.isStale, true)
    }

    @Test(
      "19.7 the next element of an entry that is not held, or was prefetched, ends its stream, and is not displayed")
    func nextElement() async {
      var family = family()
      var entry: AsyncResource<Int>? = family[1]
      let data = entry?.data
      entry?.start()
      stage.send(1)
      await entry?.settled()
      entry = nil
      expect(!stage.isCancelled())
      stage.send(2)
      for await _ in (data?.observed ?? .constant(AsyncSnapshot())).values where data?.isStale == true { break }
      await data?.settled()
      await stage.cancellation(of: 1)
      expectEqual(data?.value, 1)
      family = self.family()
      family.prefetch(1)
      stage.send(1, on: 2)
      await family.settled()
      await stage.cancellation(of: 2)
      expectEqual(family.entries.map(\.snapshot.value), [1])
    }

    @Test("19.7 forgetting a key, and the release of the family, end its stream", arguments: [false, true])
    func forget(releases: Bool) async throws {
      var family: AsyncFamily<Int, Int>? = family()
      let entry = family?[1]
      entry?.start()
      stage.send(1)
      await entry?.settled()
      if releases { family = nil } else { try await family?.forget(1) }
      entry?.cancel()
      await stage.cancellation(of: 1)
      expectEqual(entry?.value, (releases ? 1 : nil))
    }

    /// The room has an element, its stream breaks, and another connection follows in a second.
    private func breaks(_ room: AsyncResource<Int>?, of family: AsyncFamily<Int, Int>) async {
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
      let family = family(keepUnused: 0, retry: RetryPolicy { _ in .seconds(1) })
      var room: AsyncResource<Int>? = family[1]
      await breaks(room, of: family)
      room = nil
      if trims { family.trim() } else { await stage.clock.advance(by: .seconds(1)) }
      expectEqual(stage.clock.sleeperCount, 0)
      await stage.clock.advance(by: .seconds(60))
      expectEqual(stage.connectionCount, 1)
      expect(family.entries.isEmpty)
    }

    @Test("19.7 a connection that awaits its first element ends, too")
    func connecting() async {
      let family = family(keepUnused: 0, retry: RetryPolicy { _ in .seconds(1) })
      var room: AsyncResource<Int>? = family[1]
      await breaks(room, of: family)
      await stage.clock.advance(by: .seconds(1))
      await stage.connected(2)
      family.trim()
      expect(!stage.isCancelled(2))
      room = nil
      family.trim()
      await stage.cancellation(of: 2)
      expect(family.entries.isEmpty)
      withExtendedLifetime(room) {}
    }

    @Test("10.2, 19.7 a member that has connected often is looked at as one")
    func manyConnections() async {
      let family = family()
      let room = family[1]
      for connection in 1...20 {
        stage.send(connection, on: connection)
        room.refresh()
        await family.settled()
      }
      var other: AsyncResource<Int>? = family[2]
      other?.start()
      stage.send(1, on: 21)
      await family.settled()
      other = nil
      family.trim()
      await stage.cancellation(of: 21)
      expect(!stage.isCancelled(20))
      withExtendedLifetime((room, other)) {}
    }

    @Test("10.9 a seed is displayed, provisional, before the first answer and after a reset; it may use the family")
    func seed() async {
      let list = [1: "one", 2: "two"]
      var seeded: [Int] = []
      let family = AsyncFamily<Int, String>(
        seed: { key in
          seeded.append(key)
          return list[key]
        }
      ) { "full \($0)" }
      expectEqual(family[1].value, "one")
      expect(family[1].snapshot.isProvisional)
      expect(family[1].isStale)
      expectNil(family[3].value)
      expectEqual(family[3].status, .loading)
      await family[1].load()
      expectEqual(family[1].value, "full 1")
      family[1].reset()
      expectEqual(family[1].value, "one")
      expectEqual(seeded, [1, 3, 1])
      try? await family.forget(1)
      expectNil(family[1].value)
      expectEqual(seeded, [1, 3, 1])
      var graph: AsyncFamily<Int, Int>!
      graph = AsyncFamily(seed: { key in key > 0 ? (graph[key - 1].value ?? 0) + 1 : 0 }) { $0 }
      expectEqual(graph[20].value, 20)
      expectEqual(graph.entries.count, 21)
    }

    @Test("7.4 a token of observe holds the entry; one of observed does not")
    func token() {
      let family = AsyncFamily<Int, Int>(keepUnused: 0) { $0 }
      var token: ObservedToken? = family[1].observe { _ in }
      var other: ObservedToken? = family[2].observed.observe { _ in }
      family.trim()
      expectEqual(family.entries.map(\.key), [1])
      token = nil
      family.trim()
      expect(family.entries.isEmpty)
      token = family[3].observe { _ in }
      token?.cancel()
      family.trim()
      expect(family.entries.isEmpty)
      other = nil
      withExtendedLifetime(other) {}
    }
  }
}
