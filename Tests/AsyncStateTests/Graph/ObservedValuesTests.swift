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
      #expect(await values.next(isolation: #isolation) == 1)
      input.write(2)
      input.write(3)
      #expect(await values.next(isolation: #isolation) == 3)
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
      #expect(await consumer.end() == [30, 40])
    }

    @Test("7.2 values ends when its consumer is cancelled, and the graph releases it with the next change")
    func valuesCancelled() async {
      let input = Input(1)
      let consumer = Waiting { [derived = input.map { $0 }] in
        var count = 0
        for await _ in derived.values { count += 1 }
        return count
      }
      await consumer.begun()
      #expect(input.node.dependentCount == 1)
      consumer.cancel()
      #expect(await consumer.end() == 1)
      input.write(2)
      #expect(input.node.dependentCount == 0)
    }

    @Test("7.4 values ends after the last value when all inputs that it depends on are released")
    func valuesOfInputs() async {
      var first: Input? = Input(1)
      var second: Input? = Input(10)
      // By two ways from the first.
      let sum = first!.map { $0 }.zip(first!.zip(second!).map { $0 + $1 }).map { $0.1 }
      let consumer = Waiting {
        var seen: [Int] = []
        for await value in sum.values { seen.append(value) }
        return seen
      }
      await consumer.begun()
      first = nil
      second?.write(20)
      #expect(sum.current == 21 && consumer.result == nil)
      second = nil
      #expect(await consumer.end() == [11, 21])
      _ = (first, second)
    }

    @Test("7.4 values of what cannot be written is its value, and ends")
    func valuesOfNothing() async {
      var input: Input? = Input(2)
      let derived = input!.map { $0 * 10 }
      input?.write(3)
      input = nil
      for observed in [derived, .constant(30), Observed<Int>.constant(3).map { $0 * 10 }] {
        var seen: [Int] = []
        for await value in observed.values { seen.append(value) }
        #expect(seen == [30])
      }
      _ = input
    }

    @Test("7.4 values of what chooses another value ends with its task alone: what it would choose is not known")
    func valuesOfAChoice() async {
      var input: Input? = Input(1)
      let chosen = input!.flatMap { Observed<Int>.constant($0) }
      let consumer = Waiting {
        var seen: [Int] = []
        for await value in chosen.values { seen.append(value) }
        return seen
      }
      await consumer.begun()
      input = nil
      consumer.cancel()
      #expect(await consumer.end() == [1])
      _ = input
    }

    @Test("7.4 a stream that is cancelled, or was dropped, leaves nothing in its inputs")
    func valuesAreRemoved() async {
      let input = Input(1)
      for _ in 0..<10 {
        var values = Optional(input.map { $0 + 1 }.values)
        _ = values
        values = nil
      }
      let consumer = Waiting { [values = input.values] in for await _ in values {} }
      await consumer.begun()
      #expect(input.node.inputEnd?.streamCount == 1)
      consumer.cancel()
      await consumer.end()
      #expect(input.node.inputEnd?.streamCount == 0)
    }

    @Test("7.4 the values of a resource, and of an entry that is removed from its family, end with it")
    func valuesOfResources() async {
      var resource: AsyncResource? = AsyncResource { 1 }
      let family = AsyncFamily<Int, Int> { $0 }
      let values = resource!.observed.map(\.value).values
      let entries = family[1].observed.map(\.value).values
      await resource?.load()
      await family[1].load()
      resource = nil
      #expect(family.trim(toIdle: 0) == 1)
      for values in [values, entries] {
        var seen: [Int?] = []
        for await value in values { seen.append(value) }
        #expect(seen == [1])
      }
      _ = resource
    }

    @Test("7.4 the values of data end when the data is released, whatever keeps what is observed")
    func valuesOfData() async {
      var data: AsyncData<Int>? = AsyncData()
      let observed = data!.observed
      var values = observed.map(\.value).values.makeAsyncIterator()
      #expect(await values.next(isolation: #isolation) == .some(nil))
      data?.value = 1
      data = nil
      #expect(await values.next(isolation: #isolation) == 1)
      #expect(await values.next(isolation: #isolation) == nil)
      #expect(observed.current.value == 1)
    }
  }
}
