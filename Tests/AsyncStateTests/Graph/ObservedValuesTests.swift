// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

@Suite("7.2 Observed.values", .timeLimit(.minutes(5)))
@MainActor
struct ObservedValuesTests {
  @Test("7.2 values gives the current value, and then the newest whenever the consumer asks")
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

  @Test("7.2 values ends when its consumer is cancelled, and the graph lets go of it with the next change")
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

  @Test("7.2 values ends when nobody can write any more what it depends on")
  func valuesOfNothing() async {
    var seen: [Int] = []
    for await value in Observed.constant(1).values { seen.append(value) }
    var input: Input? = Input(2)
    let consumer = Waiting { [values = input!.map { $0 }.values] in
      var seen: [Int] = []
      for await value in values { seen.append(value) }
      return seen
    }
    input?.write(3)
    input = nil
    #expect(await consumer.end() == [3])
    #expect(seen == [1])
  }

  @Test("7.2 the values of data end when the data is released, whatever keeps the observed value")
  func valuesOfData() async {
    var data: AsyncData<Int>? = AsyncData()
    let observed = data!.observed
    let consumer = Waiting { [values = observed.map(\.value).values] in
      var seen: [Int?] = []
      for await value in values { seen.append(value) }
      return seen
    }
    await consumer.begun()
    data?.value = 1
    data = nil
    #expect(await consumer.end() == [nil, 1])
    #expect(observed.value.value == 1)
  }

  @Test("7.2 values ends then, however far below, and though somebody holds what it is the values of")
  func valuesFarBelow() async {
    var left: Input<Int>? = Input(1)
    var right: Input<Int>? = Input(10)
    let derived = left!.map { $0 }.zip(right!.map { $0 }).map { $0.0 + $0.1 }.map { $0 }
    let values = derived.values
    left = nil
    right?.write(20)
    right = nil
    _ = (left, right)
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    for await value in derived.values { seen.append(value) }
    #expect(seen == [21, 21])
  }

  @Test("7.2 of several streams below choices each ends with what it depends on since the last choice above it")
  func valuesBelowChoices() async {
    var (first, second): (Input<Int>?, Input<Int>?) = (Input(0), Input(0))
    var inner: [Input<Int>?] = (0..<3).map { Input($0 * 10) }
    let held = inner.map { $0!.observed }
    // A choice, a choice of choices, and what is made of one; all below the same inputs.
    let chosen = first!.flatMap { held[$0] }
    let streams = [
      chosen.values, second!.flatMap { $0 == 0 ? chosen : held[1] }.map { $0 + 1 }.values, chosen.map { $0 + 2 }.values,
    ]
    first?.write(2)
    second?.write(1)
    // Each stream depended on these at first, and now on what was chosen.
    inner[0] = nil
    first = nil
    second = nil
    inner[2]?.write(21)
    inner[2] = nil
    inner[1]?.write(12)
    inner[1] = nil
    _ = (first, second)
    var seen: [Int] = []
    for stream in streams { for await value in stream { seen.append(value) } }
    #expect(seen == [21, 13, 23])
  }

  @Test("7.2 values of facts ends when the facts are let go")
  func valuesOfFacts() async {
    var data: AsyncData<Int>? = AsyncData()
    let values = data!.observed.map(\.value).values
    data?.value = 1
    data = nil
    _ = data
    var seen: [Int?] = []
    for await value in values { seen.append(value) }
    #expect(seen == [1])
  }

  @Test("7.2 a stream ends when its input is let go inside an observer, after the round that runs")
  @MainActor func inputGoesInsideAnObserver() async {
    var input: Input<Int>? = Input(0)
    let token = input!.observe { if $0 == 1 { input = nil } }
    let derived = input!.map { $0 * 10 }
    let values = derived.values
    input?.write(1)
    var seen: [Int] = []
    for await value in values { seen.append(value) }
    #expect(seen == [10])
    withExtendedLifetime((token, derived)) {}
  }
}
