// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct BatchTests: ObservingSuite {
    let log = Log()

    @Test(
      "7.2 in a batch, inside another one or not, several inputs change as one, at its end, and the last write counts")
    func nestedBatches() {
      let left = Input(0)
      let right = Input(0)
      let token = left.zip(right).map { "\($0.0) \($0.1)" }.observe { [log] in log($0) }
      _ = log.take()
      batch { outer in
        outer.write(1, to: left)
        batch { inner in
          inner.write(2, to: left)
          inner.write(3, to: right)
          outer.write(4, to: left)
        }
        expectEqual(log.take(), ["2 3"])
        expectEqual(left.current, 2)
      }
      expectEqual(log.take(), ["4 3"])
      batch { _ in }
      withExtendedLifetime(token) {}
    }

    @Test("7.2, 7.3 what an observer writes to the inputs of a batch is delivered after it, to each input in order")
    func writesByAnObserver() {
      let inputs = (0..<5).map { _ in Input(0) }
      var tokens = inputs.enumerated().map { observe($1, "\($0): ") }
      tokens.append(
        inputs[2].observe { value in
          guard value == 1 else { return }
          for next in 2...3 { for input in inputs { input.write(next) } }
        })
      _ = log.take()
      batch { for input in inputs { $0.write(1, to: input) } }
      expectEqual(log.entries.prefix(5), ["0: 1", "1: 1", "2: 1", "3: 1", "4: 1"])
      let seen = log.take()
      for place in inputs.indices {
        expectEqual(seen.filter { $0.hasPrefix("\(place)") }, (1...3).map { "\(place): \($0)" })
      }
      withExtendedLifetime(tokens) {}
    }

    @Test("7.2 a batch over many inputs inside another one over the same and others", arguments: [1, 40])
    func manyInside(count: Int) {
      let inputs = (0..<2 * count).map { _ in Input(0) }
      let sum = inputs.dropFirst().reduce(inputs[0].map { $0 }) { sum, input in sum.zip(input).map { $0 + $1 } }
      let token = observe(sum)
      batch { outer in
        for input in inputs.prefix(count) { outer.write(100, to: input) }
        batch { inner in
          for number in [5, 1] { for input in inputs { inner.write(number, to: input) } }
        }
        for input in inputs.suffix(count) { outer.write(10, to: input) }
      }
      expectEqual(log.take(), ["0", "\(2 * count)", "\(110 * count)"])
      token.cancel()
    }

    @Test("7.2 a batch's equality is called before anything is written")
    func batchEquality() {
      struct Odd {
        var number: Int
      }
      var seen: [Int] = []
      let first = Input(1)
      let second = Input(
        Odd(number: 1),
        isEqual: { former, new in
          seen.append(first.current)
          return former.number == new.number
        })
      batch {
        $0.write(2, to: first)
        $0.write(Odd(number: 2), to: second)
      }
      expectEqual(seen, [1])
      expectEqual(first.current, 2)
      expectEqual(second.current.number, 2)
    }
  }
}
