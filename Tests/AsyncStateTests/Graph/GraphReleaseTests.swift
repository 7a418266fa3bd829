// SPDX-License-Identifier: MIT
import AsyncState
import Testing

@Suite("1.9 Observed: what is released runs code of the user's only when everything is in order")
struct GraphReleaseTests {
  private static let length = 20_000

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
    first.write(Item(number: 1, farewell: Farewell { [log] in log("\(second.value) \(third.value) \(sum!.value)") }))
    let token = sum!.observe { [log] in log("sum \($0)") }
    _ = log.take()
    batch {
      $0.write(10, to: second)
      $0.write(Item(number: 2, farewell: Farewell {}), to: first)
      $0.write(30, to: third)
    }
    #expect(log.take() == ["10 30 42", "sum 42"])
    sum = nil
    withExtendedLifetime(token) {}
  }

  @Test("1.9, 7.2 the same for a batch inside of another one, and an object that writes")
  func innerBatchReplaces() {
    let first = Input<(Int, Farewell?)>((0, nil))
    let second = Input(0)
    let both = first.zip(second).map { "\($0.0.0) \($0.1)" }
    first.write((1, Farewell { second.write(second.value + 100) }))
    let token = both.observe { [log] in log($0) }
    _ = log.take()
    batch { outer in
      outer.write(5, to: second)
      batch { inner in
        inner.write((2, Farewell { [log] in log("second is \(second.value)") }), to: first)
        inner.write(2, to: second)
      }
      #expect(log.take().last == "2 102")
      outer.write((3, nil), to: first)
    }
    #expect(log.take() == ["second is 5", "3 5"])
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
      #expect(log.take() == ["released"])
      #expect(input.value.0 == 7)
    }
    #expect(input.value.0 == 2 && other.value == 1)
  }

  // MARK: Long chains

  private actor Home {
    let input = Input(0)

    /// Each closure holds the value before it, and no value is computed.
    func heldByClosures() {
      var top: Observed<Int> = input
      for _ in 0..<length { top = input.flatMap { [top] in $0 > 0 ? top : .constant(0) } }
    }

    /// The same, derived from each other, computed and observed.
    func heldByComputedClosures() -> [Int] {
      var seen: [Int] = []
      var top: Observed<Int> = input
      for _ in 0..<length { top = top.flatMap { [top] _ in top } }
      let token = top.observe { seen.append($0) }
      input.write(1)
      token.cancel()
      input.write(2)
      seen.append(top.value)
      return seen
    }

    func heldByMaps() {
      var top: Observed<Int> = input
      for _ in 0..<length { top = input.map { [top] in $0 + top.value } }
    }

    /// Each observer holds the token before it.
    func heldByObservers() {
      var token = input.observe { _ in }
      for _ in 0..<length { token = input.map { $0 }.observe { [token] _ in withExtendedLifetime(token) {} } }
      input.write(input.value + 1)
      token.cancel()
    }

    /// Objects in the chain start tasks that use the graph, as a `deinit` may.
    func heldByClosuresWithTasks() async -> Int {
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      func chain() {
        var top: Observed<Int> = input
        for index in 0..<length {
          let farewell = Farewell {
            guard index % 1_000 == 0 else { return }
            Task.detached { continuation.yield() }
            Task {
              var other: Observed<Int> = .constant(0)
              for _ in 0..<100 { other = Observed.constant(1).flatMap { [other] _ in other } }
              continuation.yield()
            }
          }
          top = input.flatMap { [top, farewell] _ in withExtendedLifetime(farewell) { top } }
        }
      }
      chain()
      var count = 0
      for await _ in stream {
        count += 1
        if count == 2 * length / 1_000 { break }
      }
      return count
    }
  }

  @Test("1.9 a long chain of values whose closures hold the former value is released on an actor's stack")
  func closuresHoldValues() async {
    let home = Home()
    await home.heldByClosures()
    #expect(await home.heldByComputedClosures() == [0, 1, 2])
    await home.heldByMaps()
  }

  @Test("1.9 a long chain of observers whose closures hold the former token is released on an actor's stack")
  func closuresHoldTokens() async {
    await Home().heldByObservers()
  }

  @Test("1.9, 1.8 a long chain may be released in a task group, and start tasks", .timeLimit(.minutes(5)))
  func closuresHoldValuesInAGroup() async {
    let home = Home()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await home.heldByClosures() }
      let input = Input(0)
      var top: Observed<Int> = input
      for _ in 0..<Self.length { top = input.flatMap { [top] _ in top } }
      top = input
      group.addTask { await home.heldByMaps() }
    }
    #expect(await home.heldByClosuresWithTasks() == 40)
  }

  @Test("1.9 all objects that a long chain holds are released when its release returns")
  func releasedBeforeReturning() {
    var count = 0
    let input = Input(0)
    var top: Observed<Int>? = input
    for _ in 0..<1_000 {
      let farewell = Farewell { count += 1 }
      top = input.flatMap { [top, farewell] _ in withExtendedLifetime(farewell) { top! } }
    }
    top = nil
    #expect(count == 1_000)
  }
}
