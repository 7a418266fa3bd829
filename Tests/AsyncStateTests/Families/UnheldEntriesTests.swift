// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct UnheldEntriesTests {
    private let endless = RetryPolicy { _ in .seconds(1) }

    // MARK: 19.7

    private func family(on stage: LiveStage) -> AsyncFamily<Int, Int> {
      AsyncFamily(options: LoadOptions(retry: endless, clock: stage.clock), keepUnused: 0) { (key: Int) in
        .live { stage.connect(key) }
      }
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
      expectEqual(stage.clock.sleeperCount, 0)
      await stage.clock.advance(by: .seconds(60))
      expectEqual(stage.connectionCount, 1)
      expect(family.entries.isEmpty)
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
      expect(!stage.isCancelled(2))
      room = nil
      family.trim()
      await stage.cancellation(of: 2)
      expect(family.entries.isEmpty)
      withExtendedLifetime(room) {}
    }

    @Test("10.2, 19.7 a member that has connected often is looked at as one")
    func manyConnections() async {
      let stage = LiveStage()
      let family = AsyncFamily<Int, Int>(options: LoadOptions(clock: stage.clock)) { (key: Int) in
        .live { stage.connect(key) }
      }
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
  }
}
