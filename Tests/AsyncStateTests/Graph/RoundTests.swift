// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct RoundTests: ObservingSuite {
    let log = Log()

    @Test("1.4 an observer of a derived value writes another of its sources: all get the first value, then the second")
    func writesAnotherSource() {
      let left = Input(0)
      let right = Input(0)
      let sum = left.zip(right).map { $0.0 + $0.1 }
      let tokens = [
        sum.observe { [log] value in
          log("first \(value)")
          if value == 1 { right.write(10) }
        },
        observe(sum, "second "),
      ]
      _ = log.take()
      left.write(1)
      expectEqual(log.take(), ["first 1", "second 1", "first 11", "second 11"])
      left.write(2)
      expectEqual(log.take(), ["first 12", "second 12"])
      withExtendedLifetime(tokens) {}
    }

    @Test(
      "1.5 in a batch, too, observers are called in the order in which they registered, whichever input they observe")
    func orderInBatch() {
      let left = Input(0)
      let right = Input(0)
      let both = left.zip(right).map { $0.0 * 10 + $0.1 }
      let tokens = [observe(right, "right "), observe(both, "both "), observe(left, "left ")]
      _ = log.take()
      batch {
        $0.write(1, to: left)
        $0.write(2, to: right)
      }
      expectEqual(log.take(), ["right 2", "both 12", "left 1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("1.5 an observer of an inner value that registers after it was chosen follows those of the choice")
    func orderAfterChoice() {
      let choice = Input(0)
      let inner = [Input(0), Input(0)]
      let chosen = choice.flatMap { inner[$0] }
      var tokens = (1...3).map { observe(chosen, "chosen \($0): ") }
      choice.write(1)
      tokens.append(observe(inner[1], "inner: "))
      _ = log.take()
      inner[1].write(5)
      expectEqual(log.take(), ["chosen 1: 5", "chosen 2: 5", "chosen 3: 5", "inner: 5"])
      withExtendedLifetime(tokens) {}
    }

    @Test("7.3 what an observer holds is released with the round in which it left", arguments: [1, 2])
    func leavesInItsRound(observedValues: Int) {
      var witness: Witness? = Witness()
      let released = Weak(witness)
      let input = Input(0)
      let derived = (0..<observedValues).map { number in input.map { $0 + number } }
      var leaver: ObservedToken?
      let tokens = derived.map { $0.observe { if $0 == 1 { leaver = nil } } }
      leaver = derived[0].observe { [witness] _ in withExtendedLifetime(witness) {} }
      witness = nil
      expect(released.object != nil)
      input.write(1)
      expectNil(leaver)
      expectNil(released.object)
      withExtendedLifetime(tokens) {}
    }
  }
}
