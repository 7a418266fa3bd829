// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  struct ObservedTests: ObservingSuite {
    let log = Log()

    @Test("7.1 equal writes are cut off where values are equatable, or where an equality was given")
    func cutOff() {
      struct Opaque { var number: Int }
      let equatable = Input(1)
      let given = Input(Opaque(number: 1), isEqual: { $0.number == $1.number })
      let opaque = Input(Opaque(number: 1))
      let tokens = [observe(equatable), observe(given.map { "given \($0.number)" as Any })]
      let opaques = [observe(opaque), observe(opaque.flatMap { .constant($0) })]
      _ = log.take()
      equatable.write(1)
      given.write(Opaque(number: 1))
      expectEqual(log.take(), [])
      opaque.write(Opaque(number: 1))
      expectEqual(log.take().count, 2)
      withExtendedLifetime((tokens, opaques)) {}
    }

    @Test("7.1 a member of a value is an observed value of its own; each write changes one that is not equatable")
    func members() {
      struct Plain { var number = 1 }
      struct Whole {
        var x = 0
        var y = 0
        var plain = Plain()
      }
      let whole = Input(Whole())
      let tokens = [observe(whole.x, "x "), whole.plain.observe { [log] in log("plain \($0.number)") }]
      whole.change { $0.y = 1 }
      whole.change { $0.x = 2 }
      expectEqual(log.take(), ["x 0", "plain 1", "plain 1", "x 2", "plain 1"])
      withExtendedLifetime(tokens) {}
    }

    @Test("7.4 change is one notification and returns what its body returns")
    func change() {
      let input = Input([1])
      let token = observe(input)
      let last: Int? = input.change { list in
        list.append(2)
        list.append(3)
        return list.last
      }
      expectEqual(last, 3)
      input.change { _ in }
      expectEqual(log.take(), ["[1]", "[1, 2, 3]"])
      token.cancel()
    }

    @Test("7.4 a constant never changes, and can be derived from and observed")
    func constant() {
      let token = observe(Observed.constant(1).map { $0 + 1 }.zip(Input(5)))
      expectEqual(log.take(), ["(2, 5)"])
      token.cancel()
    }

    @Test("of very many observers each is called, and their places are given back when they leave")
    func many() {
      let input = Input(0)
      var sum = 0
      var tokens: [ObservedToken?] = (0..<10_000).map { _ in input.observe { sum += $0 } }
      input.write(1)
      expectEqual(sum, 10_000)
      for index in tokens.indices where !index.isMultiple(of: 4) { tokens[index] = nil }
      expect(input.node.observerCount <= 10_000)
      input.write(2)
      expectEqual(sum, 15_000)
      tokens = []

      input.write(3)
      expectEqual(sum, 15_000)
    }
  }
}
