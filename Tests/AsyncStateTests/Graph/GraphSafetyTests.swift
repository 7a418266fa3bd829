// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  struct GraphSafetyTests {
    let log = Log()

    @Test("1.9 a chain of 20,000 derived values on an actor: made, read, observed, written, released")
    func deepChain() async {
      actor Home {
        func run() -> [Int] {
          var seen: [Int] = []
          let input = Input(0)
          var top: Observed<Int> = input
          for _ in 0..<20_000 { top = top.map { $0 &+ 1 } }
          seen.append(top.current)
          var token: ObservedToken? = top.observe { seen.append($0) }
          input.write(1)
          token = nil
          input.write(2)
          seen.append(top.current)
          token = top.observe { _ in }
          top = .constant(0)
          _ = token
          return seen
        }

        func runWide() -> Int {
          let input = Input(0)
          var top: Observed<Int> = input
          for _ in 0..<5_000 { top = top.zip(input).map { $0.0 &+ $0.1 } }
          for _ in 0..<5_000 { top = top.flatMap { .constant($0) } }
          var last = 0
          let token = top.observe { last = $0 }
          input.write(1)
          token.cancel()
          return last
        }
      }
      let home = Home()
      await expectEqual(home.run(), [20_000, 20_000, 20_001, 20_002])
      await expectEqual(home.runWide(), 5_001)
    }

    @Test("1.9 values that depend on each other stop with a message")
    func cycle() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let flag = Input(false)
        let name = Input("x")
        var other: Observed<String> = name
        let first = flag.flatMap { $0 ? other : name }
        other = first.map { $0 + "!" }
        _ = first.current
        flag.write(true)
        print(first.current)
      }
      expectEqual(result?.errorText.contains("depends on itself"), true)
    }

    @Test("1.9, 1.4 a transform that writes: readers see it at once, observers are called when the transform is done")
    func transformWrites() {
      let input = Input(0)
      let count = Input(0)
      let derived = input.map { value -> Int in
        count.write(value * 10)
        return value + 1
      }
      let both = derived.zip(count).map { "\($0.0) \($0.1)" }
      let tokens = [count.observe { [log] in log("count \($0)") }, both.observe { [log] in log("both \($0)") }]
      _ = log.take()
      input.write(1)
      expectEqual(count.current, 10)
      expect(Set(log.take()).isSuperset(of: ["count 10", "both 2 10"]))
      expectEqual(both.current, "2 10")
      withExtendedLifetime(tokens) {}
    }

    @Test("1.9 objects that a write replaces are released when everything is in order: they may write, too")
    func deinitWrites() {
      let releases = Input(0)
      let farewell = { Farewell { releases.write(releases.current + 1) } }
      let item = Input((number: 0, farewell: farewell()))
      let sum = item.map { $0.number }.zip(releases).map { $0.0 * 100 + $0.1 }
      let token = sum.observe { [log] in log($0) }
      item.write((number: 1, farewell: farewell()))
      expectEqual(releases.current, 1)
      expectEqual(log.take().last, "101")
      withExtendedLifetime(token) {}
    }

    @Test("7.1 equal values are cut off in generic code, too")
    func genericCode() {
      func input<Value>(_ value: Value) -> Input<Value> { Input(value) }
      func derived<Value, Result>(_ source: Observed<Value>, _ transform: @escaping (Value) -> Result) -> Observed<
        Result
      > {
        source.map(transform)
      }
      func chosen<Value, Result>(_ source: Observed<Value>, _ other: Observed<Result>) -> Observed<Result> {
        source.flatMap { _ in other }
      }
      let number = input(1)
      let isPositive = derived(number) { $0 > 0 }
      let tokens = [
        number.observe { [log] in log("number \($0)") }, isPositive.observe { [log] in log("positive \($0)") },
        chosen(number, isPositive).observe { [log] in log("chosen \($0)") },
      ]
      _ = log.take()
      number.write(1)
      expectEqual(log.take(), [])
      number.write(2)
      expectEqual(log.take(), ["number 2"])
      withExtendedLifetime(tokens) {}
    }

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
