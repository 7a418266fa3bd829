// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

@Suite("7.2 Observed.values", .timeLimit(.minutes(5)))
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

  @Test("7.2 values ends when it is cancelled, also where no input is left that could be written")
  func valuesOfNothing() async {
    var input: Input? = Input(2)
    let derived = input!.map { $0 * 10 }
    input?.write(3)
    input = nil
    let consumer = Waiting {
      var seen: [Int] = []
      for await value in derived.values { seen.append(value) }
      return seen
    }
    await consumer.begun()
    consumer.cancel()
    #expect(await consumer.end() == [30])
    _ = input
  }

  @Test("7.2 the values of data continue until the data is released, whatever keeps what is observed")
  func valuesOfData() async {
    var data: AsyncData<Int>? = AsyncData()
    let observed = data!.observed
    var values = observed.map(\.value).values.makeAsyncIterator()
    #expect(await values.next(isolation: #isolation) == .some(nil))
    data?.value = 1
    data = nil
    #expect(await values.next(isolation: #isolation) == 1)
    #expect(observed.current.value == 1)
  }
}
