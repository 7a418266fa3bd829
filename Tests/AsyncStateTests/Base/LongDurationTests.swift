// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

/// "For ever", as one may write it; and what is within two centuries of the longest duration that there can be.
private let endless: [Duration] = {
  let longest = Duration.seconds(Int64.max)
  let further: Duration = longest / 1_000_000_000 * 446_744_073
  return [longest, longest * 18 + further]
}()

extension AllTests {
  @MainActor
  struct LongDurationTests {
    /// A clock that is where it is to sleep until at once, and remembers how long that was.
    final class LeapingClock: Clock {
      private let manual = ManualClock()
      private let leaps = AsyncStream<Duration>.makeStream()

      var now: ManualClock.Instant { manual.now }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        let leap = now.duration(to: deadline)
        leaps.continuation.yield(leap)
        await manual.advance(by: leap)
      }

      func allLeaps() async -> [Duration] {
        leaps.continuation.finish()
        return await leaps.stream.reduce(into: []) { $0.append($1) }
      }
    }

    private let year = Duration.seconds(365 * 86_400)

    @Test("no clock sleeps for more than a hundred years at once, and the sleep is as long as it is to be")
    func parts() async throws {
      for (years, leaps) in [(250, [100, 100, 50]), (100, [100])] {
        let clock = LeapingClock()
        try await Timeline(clock).sleep(until: year * years)
        await expectEqual(clock.allLeaps(), leaps.map { year * $0 })
        expectEqual(clock.now.offset, year * years)
      }
    }

    @Test(
      "3.9, 3.10, 3.11 a timeout that is never reached lets the load answer; a back-off and a pause that never end are cancelled",
      arguments: endless)
    func loads(duration: Duration) async {
      let stage = LoadStage()
      await stage.clock.advance(by: year * 300)
      let load = stage.data.start(options: LoadOptions(timeout: duration), operation: stage.waits())
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: year * 300)
      await stage.gate.arrived(1)
      stage.gate.answer(call: 1, with: .success(7))
      await expectEqual(load.outcome().word, "value 7")

      let failing = stage.data.start(
        options: LoadOptions(retry: RetryPolicy { _ in duration }), operation: stage.operation { throw Failure() })
      await stage.clock.sleepers(atLeast: 1)
      failing.cancel()
      await expectEqual(failing.outcome().word, "cancelled")
      await stage.nothingIsLeft()

      let resource = stage.resource { 7 }
      let polling = Waiting { await resource.poll(every: { _ in duration }) }
      await stage.clock.sleepers(atLeast: 1)
      polling.cancel()
      await polling.end()
      expectEqual(resource.value, 7)
      expectEqual(stage.clock.sleeperCount, 0)
    }

    @Test("2.4 an age that is never reached keeps data fresh; one of less than zero is zero", arguments: endless)
    func age(duration: Duration) async {
      let clock = ManualClock()
      await clock.advance(by: year * 300)
      let lasting = AsyncData<Int>(options: LoadOptions(staleAfter: duration, clock: clock))
      let fleeting = AsyncData<Int>(options: LoadOptions(staleAfter: .zero - duration, clock: clock))
      await clock.advance(by: year * 300)
      lasting.value = 1
      fleeting.value = 1
      await clock.advance(by: year * 300)
      expect(!lasting.isStale)
      expect(fleeting.isStale)
    }

    @Test("6.6 an indicator that never appears, and one that never disappears, lose no answer", arguments: endless)
    @MainActor func pacing(duration: Duration) async {
      let clock = ManualClock()
      await clock.advance(by: year * 300)
      let never = HostStage(pacer: DisplayPacer(delay: duration, minimum: duration, clock: clock))
      let forEver = HostStage(pacer: DisplayPacer(delay: .zero, minimum: duration, clock: clock))
      await clock.advance(by: year * 300)
      for stage in [never, forEver] {
        stage.host.start()
        stage.data.value = 1
      }
      expectEqual(never.transitions(), ["W(data:1,f)", "D(nil,f)"])
      expectEqual(forEver.transitions(), ["W(loading,f)", "D(nil,f)"])
      expectEqual(forEver.host.status.kind, .data)
    }

    @Test("5.4 an animation that never ends has not ended, and can be finished", arguments: endless)
    func animation(duration: Duration) {
      var ends = 0
      let animation = TransitionAnimation(
        child: TracedChild("a", Recorder()), isAppearing: true, duration: duration, delay: duration,
        onFinish: { ends += 1 })
      ClockAnimator(clock: SleeplessClock()).animate(animation)
      expectEqual(ends, 0)
      animation.finish()
      expectEqual(ends, 1)
    }

    /// A clock that cannot be slept by, so that no sleeper is left.
    struct SleeplessClock: Clock {
      var now: ManualClock.Instant { ManualClock.Instant() }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw CancellationError() }
    }
  }
}
