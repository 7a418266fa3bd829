// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct GraphReleaseTests {
    let log = Log()

    @Test("1.9, 7.2 an object that a batch replaces is released when all inputs of the batch are written")
    func batchReplaces() {
      struct Item {
        let number: Int
        let farewell: Farewell
      }
      let second = Input(0)
      let first = Input(Item(number: 0, farewell: Farewell {}))
      let third = Input(0)
      var sum: Observed<Int>?
      sum = second.zip(first).map { $0.0 + $0.1.number }.zip(third).map { $0.0 + $0.1 }
      first.write(
        Item(
          number: 1, farewell: Farewell { [log] in log("\(second.current) \(third.current) \(sum!.current)") }))
      let token = sum!.observe { [log] in log("sum \($0)") }
      _ = log.take()
      batch {
        $0.write(10, to: second)
        $0.write(Item(number: 2, farewell: Farewell {}), to: first)
        $0.write(30, to: third)
      }
      expectEqual(log.take(), ["10 30 42", "sum 42"])
      sum = nil
      withExtendedLifetime(token) {}
    }

    @Test("1.9 a value that a batch overwrites before its end is released when the new one is in its place")
    func draftReplaced() {
      let input = Input<(Int, Farewell?)>((0, nil))
      let other = Input(0)
      batch { outer in
        outer.write(1, to: other)
        outer.write(
          (
            1,
            Farewell { [log] in
              log("released")
              batch { $0.write((7, nil), to: input) }
            }
          ), to: input)
        outer.write((2, nil), to: input)
        expectEqual(log.take(), ["released"])
        expectEqual(input.current.0, 7)
      }
      expectEqual(input.current.0, 2)
      expectEqual(other.current, 1)
    }
  }
}
