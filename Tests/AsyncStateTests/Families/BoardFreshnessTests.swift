// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct BoardFreshnessTests: TagBoardSuite {
    private func makeStage(width: Int = 4) -> FamilyStage {
      let stage = stage(width: width)
      stage.makeFamily(staleAfter: .seconds(60), keepUnused: .max)
      return stage
    }

    @Test("11.4 a return to the foreground requests what has become stale, is held and was requested, and nothing else")
    func returning() async throws {
      let stage = makeStage().hold(1, 2, 3)
      let isInForeground = Input(true)
      let token = stage.board?.gate.follow(isInForeground)
      for key in [1, 2, 4] { await stage.load(key, key) }
      isInForeground.write(false)
      expectEqual(stage.board?.gate.isOpen, false)
      await stage.clock.advance(by: .seconds(30))
      await stage.load(2, 2)
      await stage.clock.advance(by: .seconds(31))
      expectEqual(stage.requests, [1, 2, 4, 2])
      isInForeground.write(true)
      // 2 is fresh, 3 was never requested, 4 is not held.
      try #require(stage.held[1]?.isRunning == true)
      await stage.gate.arrived(5)
      stage.answer(1, 10)
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 2, 4, 2, 1])
      expectEqual(stage.held[1]?.value, 10)
      withExtendedLifetime(token) {}
    }

    @Test("11.4 what failed without a network is requested again with one, and a load that runs is left alone")
    func network() async throws {
      let stage = makeStage().hold(1, 2)
      let isOnline = Input(true)
      let token = stage.board?.gate.follow(isOnline)
      stage.fail(1)
      await stage.held[1]?.load()
      isOnline.write(false)
      let load = stage.held[2]?.start()
      await stage.gate.arrived(2)
      isOnline.write(true)
      try #require(stage.held[1]?.isRunning == true)
      await stage.gate.arrived(3)
      stage.answer(1, 1)
      stage.answer(2, 2)
      _ = await load?.outcome()
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 2, 1])
      #expect(stage.held[1]?.error == nil && stage.held[2]?.value == 2)
      withExtendedLifetime(token) {}
    }

    @Test("11.2 of many that are stale, those that a host displays are requested first")
    func displayedFirst() async {
      let stage = makeStage(width: 1).hold(1, 2, 3)
      for key in 1...3 { await stage.load(key, key) }
      let host = AsyncHost(stage.held[1]!) { _ in [] }
      host.start(when: .stale)
      host.appear(animated: false)
      await stage.clock.advance(by: .seconds(61))
      stage.board?.refreshStale()
      for key in [1, 3, 2] { stage.answer(key, 10) }
      await stage.board?.settled()
      expectEqual(stage.requests, [1, 2, 3, 1, 3, 2])
      host.disappear(animated: false)
    }
  }
}
