// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

extension AllTests {
  @MainActor
  struct ObservedValuesTests {
    @Test("7.2 values gives the current value, and then the newest whenever the consumer requests one")
    func values() async {
      let input = Input(1)
      var values = input.values.makeAsyncIterator()
      await expectEqual(values.next(isolation: #isolation), 1)
      input.write(2)
      input.write(3)
      await expectEqual(values.next(isolation: #isolation), 3)
      let consumer = Waiting { [values = input.map { $0 * 10 }.values] in
        var seen: [Int] = []
        for await value in values {
          seen.append(value)
          if value == 40 { break }
        }
        return seen
      }
      await consumer.begun()
      input.write(4)
      await expectEqual(consumer.end(), [30, 40])
    }

    @Test(
      "7.2, 7.4 values ends when its consumer is cancelled, and the graph releases it, or what was dropped, with the next change"
    )
    func valuesCancelled() async {
      let input = Input(1)
      let consumer = Waiting { [derived = input.map { $0 }] in
        var count = 0
        for await _ in derived.values { count += 1 }
        return count
      }
      await consumer.begun()
      expectEqual(input.node.dependentCount, 1)
      consumer.cancel()
      await expectEqual(consumer.end(), 1)
      for _ in 0..<10 { _ = input.map { $0 + 1 }.values }
      input.write(2)
      expectEqual(input.node.dependentCount, 0)
    }

    @Test("7.4 the values of what is released end with their task alone, and keep no input")
    func valuesOfReleased() async {
      var input: Input? = Input(1)
      weak let weakInput = input
      let consumer = Waiting { [derived = input!.map { $0 }] in
        var seen: [Int] = []
        for await value in derived.values { seen.append(value) }
        return seen
      }
      await consumer.begun()
      input = nil
      expectNil(weakInput)
      expectNil(consumer.result)
      consumer.cancel()
      await expectEqual(consumer.end(), [1])
      _ = input
    }
  }
}
