// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct DerivedValueTests: ObservingSuite {
    let log = Log()

    @Test("7.2 many diamonds on top of each other take one run each for a change, observed or read, and else none")
    func stackedDiamonds() {
      let input = Input(1)
      var runs = 0
      var top: Observed<Int> = input
      for _ in 0..<60 {
        top = top.zip(top.map { $0 }).map { pair -> Int in
          runs += 1
          return (pair.0 + pair.1) / 2
        }
      }
      let other = input.observe { _ in }
      expectEqual(runs, 0)
      for _ in 1...2 { expectEqual(top.current, 1) }
      expectEqual(runs, 60)
      let token = observe(top)
      input.write(2)
      expectEqual(top.current, 2)
      expectEqual(runs, 120)
      expectEqual(log.take(), ["1", "2"])
      token.cancel()
      expectEqual(top.current, 2)
      expectEqual(runs, 120)
      input.write(3)
      expectEqual(runs, 120)
      expectEqual(top.current, 3)
      expectEqual(runs, 180)
      other.cancel()
    }

    // MARK: Chosen values

    @Test("7.4 an inner value that is being left in the same change is not computed any more")
    func leftInner() {
      let input = Input(0)
      var computed: [Int] = []
      let inner = input.map { value -> Int in
        computed.append(value)
        return value
      }
      let token = observe(input.flatMap { $0 == 0 ? inner : .constant(-1) })
      input.write(1)
      expectEqual(computed, [0])
      expectEqual(log.take(), ["0", "-1"])
      token.cancel()
    }

    @Test(
      "7.4 flatMap follows only the inner value it is on; where it joins and leaves without a write nothing is left")
    func comesAndGoes() {
      let choice = Input(0)
      let inner = (0..<3).map { Input($0) }
      let tokens = [observe(choice.flatMap { inner[$0 % 3] }), observe(inner[0].flatMap { _ in inner[0] })]
      for write in 1...1_000 { choice.write(write) }
      for input in inner { expect(input.node.downstream.state.dependents.count < 20) }
      _ = log.take()
      inner[1].write(10)
      inner[2].write(20)
      inner[0].write(30)
      expectEqual(log.take(), ["10", "30"])
      expectEqual(inner[2].node.dependentCount, 0)
      for token in tokens { token.cancel() }
      for input in inner { expectEqual(input.node.dependentCount, 0) }
    }
  }
}
