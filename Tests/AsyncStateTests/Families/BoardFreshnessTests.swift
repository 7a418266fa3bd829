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

    @Test(
      "11.4 a gate that opens requests what has become stale, or failed, is held and was requested, and nothing else")
    func opening() async throws {
      let stage = makeStage().hold(1, 2, 3, 5, 6)
      let isInForeground = Input(true)
      let token = stage.board?.gate.follow(isInForeground)
      for key in [1, 2, 4] { await stage.load(key, key) }
      stage.fail(5)
      await stage.held[5]?.load()
      isInForeground.write(false)
      expectEqual(stage.board?.gate.isOpen, false)
      await stage.clock.advance(by: .seconds(30))
      await stage.load(2, 2)
      await stage.clock.advance(by: .seconds(31))
      stage.held[6]?.start()
      await stage.gate.arrived(6)
      isInForeground.write(true)
      // 2 is fresh, 3 was never requested, 4 is not held, and 6 is being requested.
      try #require(stage.held[1]?.isRunning == true && stage.held[5]?.isRunning == true)
      for key in [1, 5, 6] { stage.answer(key, 10) }
      await stage.board?.settled()
      expectEqual(stage.requests.prefix(6), [1, 2, 4, 5, 2, 6])
      expectEqual(stage.requests.dropFirst(6).sorted(), [1, 5])
      expectEqual(stage.held[1]?.value, 10)
      expectNil(stage.held[5]?.error)
      await stage.family.settled()
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
