// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct SchedulerTests {
    let clock = ManualClock()
    let trace = Recorder()
    let scheduler: Scheduler

    init() {
      scheduler = Scheduler(clock: clock, home: MainActor.shared)
    }

    private func schedule(_ name: String, at seconds: Int) -> Scheduler.Entry {
      scheduler.schedule(at: .seconds(seconds)) { [trace] in
        MainActor.assertIsolated()
        trace.note(name)
      }
    }

    @Test(
      "callbacks come at their time, on their actor; those of the same time in the order in which they were scheduled")
    func comes() async {
      for (name, seconds) in [("c", 2), ("a", 1), ("d", 2), ("b", 1), ("e", 2)] { _ = schedule(name, at: seconds) }
      await clock.sleepers(atLeast: 5)
      await clock.advance(by: .milliseconds(999))
      expectEqual(trace.takeTrace(), "")
      await trace.reaches("b") { await clock.advance(by: .milliseconds(1)) }
      expectEqual(trace.takeTrace(), "a b")
      await trace.reaches("e") { await clock.advance(by: .seconds(5)) }
      expectEqual(trace.takeTrace(), "c d e")
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("a callback may schedule and cancel others, which do not come, and leave no sleeper")
    func fromACallback() async {
      let doomed = schedule("doomed", at: 2)
      scheduler.schedule(at: .seconds(1)) { [scheduler, trace] in
        for _ in 1...2 { scheduler.cancel(doomed) }
        scheduler.schedule(at: .seconds(1)) { trace.note("now") }
      }
      await clock.sleepers(atLeast: 2)
      await trace.reaches("now") { await clock.advance(by: .seconds(1)) }
      expectEqual(trace.takeTrace(), "now")
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("a callback is not called by a task that is cancelled, whichever sleep it is that ended")
    func inNoCancelledTask() async {
      for name in ["a", "b"] {
        scheduler.schedule(at: .seconds(1)) { [trace] in trace.note(Task.isCancelled ? "\(name) cancelled" : name) }
      }
      await clock.sleepers(atLeast: 2)
      await clock.advance(by: .seconds(1))
      expectEqual(trace.takeTrace(), "a b")
      expectEqual(clock.sleeperCount, 0)
    }

    @Test(
      "a timeline counts from where it was begun, whatever its clock says; a sleep that is over ends a task that is cancelled, too"
    )
    func timeline() async throws {
      await clock.advance(by: .seconds(100))
      let timeline = Timeline(clock)
      expectEqual(timeline.now, .zero)
      await clock.advance(by: .seconds(3))
      expectEqual(timeline.now, .seconds(3))
      try await timeline.sleep(until: .seconds(3))
      try await timeline.sleep(until: .seconds(-1))
      let sleep = Waiting { (try? await timeline.sleep(until: .seconds(5))) != nil }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(2))
      expect(await sleep.end())
      let cancelled = Waiting {
        withUnsafeCurrentTask { $0?.cancel() }
        return (try? await timeline.sleep(until: .zero)) == nil
      }
      expect(await cancelled.end())
    }

    /// A clock that sleeps on its caller's actor, if it must sleep at all.
    struct HomeClock: IsolatedClock {
      var canSleep = true
      var now: ManualClock.Instant { ManualClock.Instant() }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws { throw Failure() }
      func sleepOnCaller(until deadline: ManualClock.Instant) async throws { if !canSleep { throw Failure() } }
    }

    @Test("of a clock that can sleep on its caller's actor a timeline wants just that, and nothing until what is past")
    func sleepOnCaller() async throws {
      try await Timeline(HomeClock()).sleep(until: .seconds(1))
      for time in [Duration.zero, .seconds(-1)] { try await Timeline(HomeClock(canSleep: false)).sleep(until: time) }
    }
  }
}
