// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  @MainActor
  struct ObservedAllTests {
    @Test("7.2 several values as one array, in their order", arguments: [0, 1, 2, 3, 7, 100])
    func order(count: Int) {
      let inputs = (0..<count).map { Input($0) }
      let all = Observed.all(inputs.map(\.observed))
      expectEqual(all.current, Array(0..<count))
      for input in inputs { input.change { $0 += 1 } }
      expectEqual(all.current, Array(1..<(count + 1)))
    }

    @Test("7.2 a batch over several of them is one change, and an equal value is none")
    func batched() {
      let inputs = (0..<9).map { Input($0) }
      var seen: [[Int]] = []
      let token = Observed.all(inputs.map(\.observed)).observe { seen.append($0) }
      batch { batch in for input in inputs { batch.write(1, to: input) } }
      inputs[4].write(1)
      inputs[8].write(2)
      expectEqual(seen, [Array(0..<9), Array(repeating: 1, count: 9), Array(repeating: 1, count: 8) + [2]])
      withExtendedLifetime(token) {}
    }

    @Test("7.2 of an array that changes itself")
    func changing() {
      let rows = Input([Input(1), Input(2)])
      let total = rows.flatMap { Observed.all($0.map(\.observed)) }.map { $0.reduce(0, +) }
      var seen: [Int] = []
      let token = total.observe { seen.append($0) }
      let third = Input(10)
      rows.change { $0.append(third) }
      third.write(20)
      rows.change { $0.removeFirst() }
      expectEqual(seen, [3, 13, 23, 22])
      withExtendedLifetime(token) {}
    }
  }
}
