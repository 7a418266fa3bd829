// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct PollingTests {
    let stage = LoadStage()

    @Test(
      "3.11 polling loads, waits for the interval from the settling, also by an error, and loads again, until it is nil; one of less than zero is zero"
    )
    func polls() async {
      var asked: [String] = []
      let intervals: [Duration?] = [.seconds(10), .seconds(-1), nil]
      let resource = stage.resource(stage.waits())
      let polling = Waiting {
        await resource.poll(
          every: { snapshot in
            asked.append(SnapshotParts(snapshot).description)
            return intervals[asked.count - 1]
          })
      }
      for call in 1...3 {
        await stage.gate.arrived(call)
        await stage.clock.advance(by: .seconds(60))  // The time a request takes is not part of the interval.
        stage.gate.answer(call: call, with: call == 1 ? .failure(Failure()) : .success(call))
        if call == 1 {
          await stage.clock.sleepers(atLeast: 1)
          await stage.clock.advance(by: .seconds(9))
          expectEqual(stage.clock.sleeperCount, 1)
          await stage.clock.advance(by: .seconds(1))
        }
      }
      await polling.end()
      expectEqual(asked, ["- error(failure)", "2 set", "3 set"])
      expectEqual(stage.clock.sleeperCount, 0)
    }

    @Test(
      "3.11 two who poll at different moments make no more requests than one, and a refresh delays the next request")
    func shared() async {
      let clock = ManualClock()
      var requests: [Duration] = []
      let prices = AsyncResource(options: LoadOptions(clock: clock)) {
        requests.append(clock.now.offset)
        if requests.count == 2 { throw Failure() }
        return requests.count
      }
      let first = Waiting { await prices.poll(every: .seconds(5)) }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(2))
      let second = Waiting { await prices.poll(every: .seconds(5)) }
      await clock.sleepers(atLeast: 2)
      for _ in 0..<5 {
        await clock.advance(by: .seconds(1))
        await clock.sleepers(atLeast: 2)
      }
      expectEqual(requests, [.zero, .seconds(2), .seconds(7)], "due five seconds after the second, which failed")

      await clock.advance(by: .seconds(4))
      await prices.load()
      await clock.advance(by: .seconds(1))
      await clock.sleepers(atLeast: 2)
      await clock.advance(by: .seconds(4))
      await clock.sleepers(atLeast: 2)
      expectEqual(requests.dropFirst(3), [.seconds(11), .seconds(16)])
      first.cancel()
      second.cancel()
      await first.end()
      await second.end()
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("3.11, 9.3 the request of another key delays the next one of a poll, and a cancel ends no polling")
    func pollingAnotherKey() async {
      let clock = ManualClock()
      let key = Input<Int?>(1)
      var requests: [Int] = []
      let order = AsyncResource(following: key, options: LoadOptions(clock: clock)) { number in
        requests.append(number)
        return number
      }
      let polling = Waiting { await order.poll(every: .seconds(5)) }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(3))
      key.write(2)
      await order.settled()
      await clock.advance(by: .seconds(2))
      await order.settled()
      expectEqual(requests, [1, 2])
      order.cancel()
      await clock.advance(by: .seconds(3))
      await order.settled()
      expectEqual(requests, [1, 2, 2])
      polling.cancel()
      await polling.end()
    }

    @Test(
      "3.11 a load that is cancelled elsewhere does not end the polling; a cancel of its task does, also while it loads"
    )
    func cancels() async {
      var asked = 0
      let resource = stage.resource(stage.waits())
      let polling = Waiting {
        await resource.poll(
          every: { _ in
            asked += 1
            return .seconds(1)
          })
      }
      await stage.gate.arrived(1)
      resource.cancel()
      await stage.clock.sleepers(atLeast: 1)
      await stage.clock.advance(by: .seconds(1))
      await stage.gate.arrived(2)
      polling.cancel()
      await polling.end()
      expectEqual(asked, 1)
      expectEqual(SnapshotParts(resource.snapshot), SnapshotParts())
      expectEqual(stage.clock.sleeperCount, 0)
    }

    @Test("1.1, 3.11 a poll of no interval leaves the actor to others in each turn, though nothing is requested")
    func noIntervalWithoutRequest() async {
      let user = Input<Int?>(nil)
      let orders = AsyncResource<Int>(following: user) { $0 }
      let live = AsyncResource(.live { AsyncStream<Int> { _ = $0.yield(1) } })
      await live.load()
      for resource in [orders, live, .preview(.loading)] {
        var turns = 0
        let polling = Waiting {
          await resource.poll(every: { _ in
            turns += 1
            return turns < 1_000_000 ? .zero : nil
          })
        }
        await polling.begun()
        polling.cancel()
        await polling.end()
        expect(turns < 1_000)
      }
    }
  }
}
