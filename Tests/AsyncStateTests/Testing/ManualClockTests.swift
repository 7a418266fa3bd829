// SPDX-License-Identifier: MIT
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct ManualClockTests {
    let clock = ManualClock()
    @MainActor final class Order { var woken: [String] = [] }
    let order = Order()

    /// Sleeps until `offset`, and notes that and when it woke.
    private func sleeper(_ name: String, until offset: Duration) -> Waiting<Bool> {
      Waiting { [clock, order] in
        do {
          try await clock.sleep(until: .init(offset: offset))
          order.woken.append("\(name) at \(clock.now.offset)")
          return true
        } catch {
          order.woken.append("\(name) cancelled")
          return false
        }
      }
    }

    @Test("the clock moves only when a test moves it, and moves that are made at once add up")
    func moves() async {
      expectEqual(clock.now, ManualClock.Instant())
      await clock.advance(by: .seconds(3))
      expectEqual(clock.now.offset, .seconds(3))
      await clock.advance(by: .seconds(-1))
      expectEqual(clock.now.offset, .seconds(3))
      let early = sleeper("early", until: .seconds(4))
      let late = sleeper("late", until: .seconds(8))
      await clock.sleepers(atLeast: 2)
      let first = Waiting { [clock] in await clock.advance(by: .seconds(2)) }
      let second = Waiting { [clock] in await clock.advance(by: .seconds(3)) }
      await first.end()
      await second.end()
      expectEqual(clock.now.offset, .seconds(8))
      expect(await early.end())
      expect(await late.end())
    }

    @Test("sleepers wake in order of deadline, and then of registration")
    func wakingOrder() async {
      let sleepers = [("c", 3), ("a", 1), ("b", 2), ("B", 2), ("d", 4)]
      var tasks: [Waiting<Bool>] = []
      for (index, (name, seconds)) in sleepers.enumerated() {
        tasks.append(sleeper(name, until: .seconds(seconds)))
        await clock.sleepers(atLeast: index + 1)
      }
      expectEqual(clock.sleeperCount, 5)
      // One at a time, because what a sleeper does when it has resumed is its own affair.
      for (index, seconds) in [1, 1, 1].enumerated() {
        await clock.advance(by: .seconds(seconds))
        for task in [[1], [2, 3], [0]][index] { _ = await tasks[task].end() }
      }
      expectEqual(order.woken, ["a at 1.0 seconds", "b at 2.0 seconds", "B at 2.0 seconds", "c at 3.0 seconds"])
      expectEqual(clock.sleeperCount, 1)
      tasks[4].cancel()
      await expectEqual(tasks[4].end(), false)
    }

    @Test("a sleep ends when its task is cancelled, and is not registered any more; if it was before, it never is")
    func cancelled() async {
      let task = sleeper("a", until: .seconds(1))
      await clock.sleepers(atLeast: 1)
      task.cancel()
      expectEqual(clock.sleeperCount, 0)
      await expectEqual(task.end(), false)
      await clock.advance(by: .seconds(1))
      let late = Waiting { [clock] in
        withUnsafeCurrentTask { $0?.cancel() }
        return (try? await clock.sleep(until: .init(offset: .seconds(3)))) == nil
      }
      await expectEqual(late.end(), true)
      expectEqual(clock.sleeperCount, 0)
      expectEqual(order.woken, ["a cancelled"])
    }

    @Test("a sleep that registers while the clock moves, and is due by then, is woken by the same move")
    func registersMeanwhile() async {
      // All on one actor: the sleeper that wakes begins its next sleep before the mover of the clock has a turn.
      let first = Waiting { [clock, order] in
        try? await clock.sleep(until: .init(offset: .seconds(1)))
        order.woken.append("first at \(clock.now.offset)")
        try? await clock.sleep(until: .init(offset: .seconds(2)))
        order.woken.append("second at \(clock.now.offset)")
      }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(5))
      await first.end()
      expectEqual(order.woken, ["first at 1.0 seconds", "second at 2.0 seconds"])
      expectEqual(clock.now.offset, .seconds(5))
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("only the sleeps are counted that the test means")
    func dueWithin() async {
      await clock.advance(by: .seconds(100))
      let timeout = sleeper("timeout", until: .seconds(110))
      await clock.sleepers(atLeast: 1)
      let waiting = Waiting { [clock] in
        await clock.sleepers(atLeast: 1, dueWithin: .seconds(1))
        return clock.sleeperCount
      }
      await waiting.begun()
      let other = sleeper("other", until: .seconds(102))
      let backOff = sleeper("back-off", until: .seconds(101))
      await expectEqual(waiting.end(), 3)
      await clock.sleepers(atLeast: 2, dueWithin: .seconds(2))
      await clock.advance(by: .seconds(10))
      for task in [timeout, other, backOff] { expect(await task.end()) }
    }

    @Test("sleeps, cancellations and moves on any thread leave no sleeper")
    func anyThread() async {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask { @concurrent [clock] in
            let task = Task { try? await clock.sleep(until: .init(offset: .seconds(number % 7))) }
            if number.isMultiple(of: 3) { task.cancel() }
            await task.value
          }
        }
        group.addTask { @concurrent [clock] in
          // A sleep that begins later than this does not suspend: its deadline is past.
          await clock.advance(by: .seconds(7))
        }
      }
      expectEqual(clock.sleeperCount, 0)
      expectEqual(clock.now.offset, .seconds(7))
    }
  }
}
