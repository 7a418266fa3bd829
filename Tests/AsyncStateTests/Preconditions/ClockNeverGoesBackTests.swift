// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ClockNeverGoesBackTests {
    @Test("moved by less than zero the clock stands still, and no sleeper wakes")
    func standsStill() async {
      let clock = ManualClock()
      await clock.advance(by: .seconds(5))
      let sleep = Waiting { (try? await clock.sleep(until: ManualClock.Instant(offset: .seconds(6)))) != nil }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(-3))
      expectEqual(clock.now.offset, .seconds(5))
      expectEqual(clock.sleeperCount, 1)
      await clock.advance(by: .seconds(1))
      #expect(await sleep.end())
    }
  }
}
