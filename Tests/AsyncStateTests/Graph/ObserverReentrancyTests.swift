// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct ObserverReentrancyTests: ObservingSuite {
    let log = Log()

    @Test("7.3 an observer writes the same input: its observers get both values in order, derived ones may skip")
    func writesItself() {
      let input = Input(0)
      let tens = input.map { $0 * 10 }
      let tokens = [
        input.observe { [log] value in
          log("a\(value)")
          guard value == 1 else { return }
          input.write(2)
          log("reads \(input.current) \(tens.current)")
        },
        observe(input, "b"),
        observe(tens, "tens "),
      ]
      _ = log.take()
      input.write(1)
      expectEqual(log.take(), ["a1", "reads 2 20", "b1", "tens 20", "a2", "b2"])
      expectEqual(tens.current, 20)
      withExtendedLifetime(tokens) {}
    }

    @Test("1.4, 7.3 a transform that writes while an observer is registered: the observer is called with later changes")
    func transformWritesAtRegistration() {
      let input = Input(0)
      let steps = Input(0)
      // Computed anew after each of its writes, with a result that is no change.
      let derived = input.zip(steps).map { pair in
        if pair.1 < 3 { steps.write(pair.1 + 1) }
        return pair.0
      }
      let token = observe(derived)
      expectEqual(steps.current, 3)
      input.write(1)
      expectEqual(log.take(), ["0", "1"])
      withExtendedLifetime(token) {}
    }

    @Test("7.3 an observer that joins during a round starts with the value by then, and is called with it once")
    func joins() {
      let input = Input(0)
      let double = input.map { $0 * 2 }
      var tokens: [ObservedToken] = []
      tokens.append(
        input.observe { value in
          guard value == 1 else { return }
          tokens.append(self.observe(double, "joined "))
          input.write(2)
          tokens.append(self.observe(input, "late "))
        })
      tokens.append(observe(double, "there "))
      _ = log.take()
      input.write(1)
      expectEqual(log.take(), ["joined 2", "late 2", "there 2", "there 4", "joined 4"])
      // The first observer keeps what it adds to.
      tokens = []
    }

    @Test("1.5 observers that register in a call displace none of those that are still to be called")
    func placesStay() {
      let input = Input(0)
      let ended = (0..<8).map { _ in input.observe { _ in } }
      var added: [ObservedToken] = []
      let tokens = [
        // So many that the list needs more room, for which it drops those that have ended.
        input.observe { value in if value == 1 { added = (0..<40).map { _ in input.observe { _ in } } } },
        observe(input, "a"),
        observe(input, "b"),
      ]
      for token in ended { token.cancel() }
      _ = log.take()
      input.write(1)
      expectEqual(log.take(), ["a1", "b1"])
      input.write(2)
      expectEqual(log.take(), ["a2", "b2"])
      withExtendedLifetime((tokens, added)) {}
    }

    @Test("1.4 a write to something else inside an observer is delivered before it returns")
    func somethingElse() {
      let input = Input(0)
      let other = Input(0)
      let tokens = [
        input.observe { [log] value in
          other.write(value)
          log("wrote \(value)")
        },
        observe(other, "other "),
      ]
      _ = log.take()
      input.write(1)
      expectEqual(log.take(), ["other 1", "wrote 1"])
      withExtendedLifetime(tokens) {}
    }

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
