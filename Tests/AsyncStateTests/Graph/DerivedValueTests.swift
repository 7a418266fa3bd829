// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct DerivedValueTests: ObservingSuite {
    let log = Log()

    @Test("7.2 a diamond notifies once, never with a mixed value, and each transform runs once")
    func diamond() {
      let input = Input(1)
      var runs: [String: Int] = [:]
      let double = input.map { value -> Int in
        runs["double", default: 0] += 1
        return value * 2
      }
      let triple = input.map { value -> Int in
        runs["triple", default: 0] += 1
        return value * 3
      }
      let both = double.zip(triple).map { pair -> String in
        runs["both", default: 0] += 1
        return "\(pair.0)+\(pair.1)"
      }
      let token = observe(both)
      runs = [:]
      input.write(2)
      expectEqual(log.take(), ["2+3", "4+6"])
      expectEqual(runs, ["double": 1, "triple": 1, "both": 1])
      token.cancel()
    }

    @Test("7.2 every derived value is new before any observer is called")
    func allNewBeforeAnybodyHears() {
      let input = Input(1)
      let double = input.map { $0 * 2 }
      let next = double.map { $0 + 1 }
      var seen: [[Int]] = []
      let tokens = [
        input.observe { _ in seen.append([input.current, double.current, next.current]) },
        next.observe { _ in seen.append([input.current, double.current, next.current]) },
      ]
      seen = []
      input.write(2)
      expectEqual(seen, [[2, 4, 5], [2, 4, 5]])
      withExtendedLifetime(tokens) {}
    }

    @Test("7.2 a transform runs at most once for a change, observed or read")
    func runsOnce() {
      let input = Input(1)
      var runs = 0
      let derived = input.map { value -> Int in
        runs += 1
        return value
      }
      expectEqual(runs, 0)
      expectEqual(derived.current, 1)
      expectEqual(derived.current, 1)
      expectEqual(runs, 1)
      let tokens = [observe(derived), observe(derived)]
      expectEqual(runs, 1)
      input.write(2)
      expectEqual(derived.current, 2)
      expectEqual(runs, 2)
      tokens.forEach { $0.cancel() }
      expectEqual(derived.current, 2)
      expectEqual(runs, 2)
      input.write(3)
      expectEqual(runs, 2)
      expectEqual(derived.current, 3)
      expectEqual(runs, 3)
    }

    @Test("7.2 what is not observed is not computed, however its source changes")
    func lazy() {
      let input = Input(1)
      let derived = input.map { _ -> Int in fatalError("computed") }
      let token = observe(input)
      input.write(2)
      withExtendedLifetime((derived, token)) {}
    }

    @Test("7.2 many diamonds on top of each other take no more than one run each, read or observed")
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
      expectEqual(top.current, 1)
      expectEqual(runs, 60)
      let token = observe(top)
      input.write(2)
      expectEqual(runs, 120)
      expectEqual(log.take(), ["1", "2"])
      token.cancel()
    }
  }
}
