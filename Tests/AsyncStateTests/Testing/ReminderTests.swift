// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Mistakes of a test that would wait until its time limit.
  @MainActor
  struct ReminderTests {
    let clock = ManualClock()
    let gate = ManualServer<Int>()
    let reports: AsyncStream<String>
    let report: AsyncStream<String>.Continuation

    init() { (reports, report) = AsyncStream.makeStream() }

    /// A wait for which five seconds are those of `clock`.
    private func waiting(_ wait: @escaping @MainActor () async -> Void) -> Waiting<Void> {
      reminding { Waiting(wait) }
    }

    /// Makes a task for whose waits five seconds are those of `clock`.
    private func reminding<Made>(_ make: () -> Made) -> Made {
      Reminder.$surroundings.withValue(
        Reminder.Surroundings(clock) { [report] in report.yield($0) }, operation: make)
    }

    private func firstReport() async -> String? {
      for await text in reports { return text }
      return nil
    }

    /// What is said about a wait that has lasted five seconds.
    private func reminder(of wait: @escaping @MainActor () async -> Void) async -> String {
      let waiting = waiting(wait)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: Reminder.delay)
      let text = await firstReport() ?? ""
      waiting.cancel()
      await waiting.end()
      expectEqual(clock.sleeperCount, 0)
      return text.replacing("AsyncStateTesting: a test has waited for five seconds for ", with: "")
    }

    @Test("14.4 what a test waits for is named, beside what there was after five seconds")
    func waits() async {
      let data = AsyncData<Int>()
      let first = data.start(id: "a") { [gate] in try await gate.wait() }
      await gate.arrived(1)
      data.start(id: "a") { [gate] in try await gate.wait() }  // Joins, and makes no call.
      let refreshed = AsyncData(seed: 7)
      let load = refreshed.start(.refresh) { try await ManualServer<Int>().wait() }
      let resource = AsyncResource { try await ManualServer<Int>().wait() }
      let call = Waiting { await resource.load() }
      let server = ManualServer<Int>(), still = ManualClock()
      let waits: [(@MainActor () async -> Void, String)] = [
        ({ [gate] in await gate.arrived(2) }, "call 2 at ManualServer<Int>: 1 call, 1 waiting."),
        ({ [gate] in await gate.ended(1) }, "the end of call 1 at ManualServer<Int>: 1 call, 1 waiting."),
        (
          { await server.arrived(for: "swan") },
          "a call with the argument swan at ManualServer<Int>: 0 calls, 0 waiting."
        ),
        (
          { await refreshed.settled() },
          "the end of everything that was started by AsyncData<Int>: 7, provisional, refreshing"
        ),
        (
          { await resource.awaited(by: 2) },
          "2 calls of load or get that wait for AsyncData<Int>: nothing known, loading"
        ),
        (
          { await still.sleepers(atLeast: 2, dueWithin: .seconds(1)) },
          "2 sleeps on ManualClock: 0.0 seconds, 0 sleepers."
        ),
      ]
      for (wait, expected) in waits {
        let text = await reminder(of: wait)
        expectEqual(String(text.prefix(expected.count)), expected)
      }
      gate.answer(call: 1, with: .success(1))
      _ = await first.outcome()
      load.cancel()
      call.cancel()
      _ = await call.end()
      await refreshed.settled()
      await resource.settled()
    }

    @Test("14.4 a wait that ends earlier says nothing")
    func inTime() async {
      let arrival = waiting { [gate] in await gate.arrived(1) }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(4.9))
      gate.answer(call: 1, with: .success(1))
      let call = Waiting { [gate] in try? await gate.wait() }
      await arrival.end()
      await expectEqual(call.end(), 1)
      expectEqual(clock.sleeperCount, 0)
      await clock.advance(by: .seconds(10))
      report.finish()
      await expectNil(firstReport())
    }

    @Test("14.4 a wait that ends as soon as its actor has time says nothing, however long that takes")
    func busyActor() async {
      let executor = HeldExecutor()
      let home = HeldActor(executor)
      let wait = reminding { Task { [gate] in await home.run { _ in await gate.ended(1) } } }
      await executor.queued(1)
      executor.runAll()
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: Reminder.delay)
      // The turn of the reminder.
      await executor.queued(1)
      let call = Waiting { [gate] in try? await gate.wait() }
      gate.answer(call: 1, with: .success(1))
      await expectEqual(call.end(), 1)
      await executor.queued(2)
      executor.runAll()
      await wait.value
      report.finish()
      await expectNil(firstReport())
      executor.open()
    }
  }
}
