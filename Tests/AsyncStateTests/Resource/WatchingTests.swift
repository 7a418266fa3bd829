// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct WatchingTests {
    /// A value that a server has.
    @MainActor
    final class Server {
      var values: [String: Int] = [:]
      var failing: Set<String> = []
      private(set) var requests: [String] = []

      func get(_ name: String) async throws -> Int {
        requests.append(name)
        if failing.contains(name) { throw Failure(name: name) }
        return values[name, default: 0]
      }

      func takeRequests() -> [String] {
        defer { requests = [] }
        return requests
      }
    }

    private let server = Server()

    private func source(_ name: String) -> AsyncResource<Int> {
      let server = server
      return AsyncResource { try await server.get(name) }
    }

    /// The sum of others.
    private func sum(_ name: String, of others: AsyncResource<Int>...) -> AsyncResource<Int> {
      let server = server
      return AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          var sum = try await server.get(name)
          for other in others { sum += try await reporter.get(other) }
          return sum
        })
    }

    private func settle(_ resources: AsyncResource<Int>...) async {
      for _ in 0..<2 { for resource in resources { await resource.settled() } }
    }

    // MARK: 20.2

    @Test("20.2, 9 what one of several has answered is replaced, or removed, before all have", arguments: 0..<3)
    func removedMeanwhile(way: Int) async {
      server.values = ["a": 1]
      let a = source("a")
      let gate = Gate<Int>()
      let b = AsyncResource { try await gate.wait() }
      let both = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let (first, second) = try await reporter.get(a, b)
          return first + second
        })
      both.start()
      await gate.arrived(1)
      // In the turn in which it answers, before the operation continues.
      let token = a.observe { snapshot in
        guard snapshot.value == 1, !snapshot.isRunning else { return }
        server.values["a"] = 5
        switch way {
        case 0: a.reset()
        case 1: a.data.value = nil
        default: a.data.value = 5
        }
      }
      await a.settled()
      // With the load its interest in the other ends.
      if way == 0 { await gate.ended(1) } else { gate.answer(call: 1, with: .success(100)) }
      await settle(both, a, b, both)
      switch way {
      case 0:
        #expect(both.value == nil && both.error == nil && server.takeRequests() == ["a"], "a reset requests nothing")
        await a.load()
        await gate.arrived(2)
        gate.answer(call: 2, with: .success(100))
        await settle(a, both)
        #expect(both.value == 105)
      case 1:
        #expect(both.error == nil && both.status == .noData)
        // And it is requested again when there is something.
        a.data.value = 7
        await settle(a, both)
        #expect(both.value == 107)
      default: #expect(both.value == 105 && !both.isStale)
      }
      withExtendedLifetime(token) {}
    }

    @Test(
      "20.1 what is forgotten or reset is not requested by what watches it, at whatever distance",
      arguments: [true, false])
    func forgottenBelow(isReset: Bool) async {
      var count = 0
      let x = AsyncResource<Int> {
        count += 1
        return count
      }
      let middle = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(x) * 10 })
      let top = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(middle) + 1 })
      let token = top.observe { _ in }
      await top.load()
      if isReset { x.reset() } else { x.forget() }
      for resource in [x, middle, top] { await resource.settled() }
      #expect(count == 1 && x.value == nil && top.value == (isReset ? 11 : nil) && top.isStale && !top.isRunning)
      // Its next value is the reason.
      await x.load()
      for resource in [x, middle, top] { await resource.settled() }
      #expect(top.value == 21 && !top.isStale)
      withExtendedLifetime(token) {}
    }

    @Test("20.1 a refresh that has yielded and is cancelled is no change for what watches it")
    func yieldedAndCancelled() async {
      let gate = Gate<Int?>()
      let x = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          if reporter.current != nil { try reporter.yield(7) }
          return try await gate.wait()
        })
      let watcher = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(x) * 10 })
      let token = watcher.observe { _ in }
      gate.answer(call: 1, with: .success(1))
      await watcher.load()
      x.start()
      await gate.arrived(2)
      #expect(x.value == 7)
      x.cancel()
      await watcher.settled()
      await x.settled()
      #expect(!x.isRunning && gate.callCount == 2 && watcher.value == 10)
      withExtendedLifetime(token) {}
    }

    @Test("10.4, 20.1 a log-out while a summary loads requests, displays and stores nothing of the former user")
    func forgottenMeanwhile() async throws {
      let store = MemoryStore<Int, String>()
      let requests = Recorder()
      let second = Gate<Void>()
      let accounts = AsyncFamily<Int, String>(store: store) { number in
        requests.note("\(number)")
        if number == 2 { try await second.wait() }
        return "Ann \(number)"
      }
      let summaries = AsyncFamily<Int, String> { (_: Int) in
        .value { (reporter: LoadReporter<String>) in
          let first = try await reporter.get(accounts[1])
          return try await first + reporter.get(accounts[2])
        }
      }
      let summary = summaries[0]
      summary.start()
      await second.arrived(1)
      try await accounts.forgetAll()
      try await summaries.forgetAll()
      await summary.settled()
      for number in 1...2 { await accounts[number].settled() }
      #expect(requests.take() == "1 2" && summary.value == nil && !summary.isRunning)
      #expect(try await store.read(1, isolation: #isolation) == nil)

      // A plain watcher that is not reset itself.
      let plain = AsyncResource(
        .value { (reporter: LoadReporter<String>) in
          let first = try await reporter.get(accounts[1])
          return try await first + reporter.get(accounts[2])
        })
      plain.start()
      await second.arrived(2)
      try await accounts.forgetAll()
      await plain.settled()
      #expect(requests.take() == "1 2" && plain.value == nil && !plain.isRunning)
    }

    // MARK: 20.1

    @Test("20.1 what is watched is requested with the watcher, which is requested again when it changes, each once")
    func change() async {
      server.values = ["a": 1]
      let a = source("a")
      let b = sum("b", of: a)
      #expect(await b.load().word == "value 1")
      #expect(server.takeRequests() == ["b", "a"])
      a.data.value = 5
      #expect(b.isStale && b.isRunning)
      await settle(a, b)
      #expect(b.value == 5 && server.takeRequests() == ["b"])
      server.values["a"] = 7
      await a.load()
      await settle(a, b)
      #expect(b.value == 7 && !b.isStale && server.takeRequests() == ["a", "b"])
    }

    @Test("20.1 an equal value, a failure and progress of what is watched change nothing")
    func equal() async {
      server.values = ["a": 1]
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      _ = server.takeRequests()
      await a.load()
      a.data.value = 1
      server.failing = ["a"]
      await a.load()
      await settle(a, b)
      #expect(!b.isStale && server.takeRequests() == ["a", "a"])
    }

    @Test("20.1 what is only awaited is not watched, and what the last load has not got is not watched any more")
    func awaited() async {
      let a = source("a"), b = source("b"), c = source("c")
      let server = server
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let first = try await reporter.get(a)
          _ = try await c.get()
          return first == 0 ? try await reporter.get(b) : first
        })
      await watcher.load()
      c.data.value = 9
      #expect(!watcher.isStale)
      a.data.value = 2
      await settle(a, b, c, watcher)
      b.data.value = 3
      #expect(watcher.value == 2 && !watcher.isStale)
      a.data.value = 0
      await settle(a, b, c, watcher)
      #expect(watcher.value == 3)
      withExtendedLifetime(server) {}
    }

    @Test(
      "20.1 an invalidation of what is watched marks the watcher before any observer is notified, and both are requested"
    )
    func invalidation() async {
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      _ = server.takeRequests()
      var seen: [Bool] = []
      let token = a.observed.observe { _ in seen.append(b.snapshot.isInvalidated) }
      seen = []
      a.invalidate()
      #expect(seen.first == true && b.isRunning)
      await settle(a, b)
      #expect(server.takeRequests() == ["b", "a"] && !b.isStale)
      withExtendedLifetime(token) {}
    }

    @Test("20.1 a watcher that was not requested since a reset, or has a value by hand, watches nothing")
    func forgotten() async {
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      b.reset()
      a.data.value = 3
      #expect(!b.isRunning && b.value == nil)
      await b.load()
      b.data.value = 100
      _ = server.takeRequests()
      a.data.value = 4
      await settle(a, b)
      #expect(b.value == 100 && !b.isStale && server.takeRequests() == [])
    }

    @Test("20.1 a reset of what is watched marks the watcher and requests nothing; the next value does")
    func inputReset() async {
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      _ = server.takeRequests()
      a.reset()
      #expect(b.isStale && !b.isRunning && !a.isRunning)
      server.values["a"] = 6
      await a.load()
      await settle(a, b)
      #expect(b.value == 6 && server.takeRequests() == ["a", "b"])
    }

    // MARK: 20.2

    @Test("20.2 of a diamond, what is below is computed once for a change, and never of a mixture")
    func diamond() async {
      server.values = ["a": 1]
      let a = source("a")
      let b = sum("b", of: a), c = sum("c", of: a)
      let server = server
      var pairs: [[Int]] = []
      let d = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let pair = [try await reporter.get(b), try await reporter.get(c)]
          pairs.append(pair)
          return try await server.get("d") + pair[0] + pair[1]
        })
      await d.load()
      for value in 2...5 {
        _ = server.takeRequests()
        a.data.value = value
        #expect([b, c, d].allSatisfy { $0.snapshot.isInvalidated })
        await settle(a, b, c, d)
        #expect(d.value == 2 * value && server.takeRequests().sorted() == ["b", "c", "d"])
      }
      #expect(pairs == (1...5).map { [$0, $0] })
    }

    @Test(
      "20.2 something that changes between two reads: the operation is called again, and no one sees what it has made")
    func mixture() async {
      let a = source("a"), b = source("b")
      let gate = Gate<Void>()
      var calls: [String] = []
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let first = try await reporter.get(a)
          calls.append("\(first)")
          if first == 0 { try await gate.wait() }
          // Whatever it makes of the error.
          let second = (try? await reporter.get(b)) ?? 0
          try reporter.yield(first * 10 + second)
          return first * 10 + second
        })
      var seen: [Int?] = []
      let token = watcher.observed.map(\.value).observe { seen.append($0) }
      let load = watcher.start()
      await gate.arrived(1)
      a.data.value = 1
      b.data.value = 1
      #expect(await load.outcome().word == "superseded")
      await settle(a, b, watcher)
      #expect(seen == [nil, 11] && calls == ["0", "1"] && !watcher.isStale)
      withExtendedLifetime(token) {}
    }

    @Test(
      "20.2 a change after the last read: another load takes the place of this one at once, and calls wait for that")
    func late() async {
      let a = source("a")
      let gate = Gate<Int>()
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let first = try await reporter.get(a)
          return first * 10 + (try await gate.wait())
        })
      let first = watcher.start()
      let call = Task { await watcher.load().word }
      await gate.arrived(1)
      a.data.value = 1
      #expect(watcher.isRunning)
      #expect(await first.outcome().word == "superseded")
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(2))
      #expect(await call.value == "value 12")
      await watcher.settled()
      #expect(!watcher.isStale && gate.callCount == 2)
    }

    @Test(
      "20.2 an input that changes during a refresh: a call gets the value that was made of it, and one more load runs")
    func duringRefresh() async throws {
      let a = source("a")
      let gate = Gate<Int>()
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let delay = try await gate.wait()
          return delay + (try await reporter.get(a))
        })
      gate.answer(call: 1, with: .success(0))
      await watcher.load()
      let refresh = watcher.refresh()
      await gate.arrived(2)
      a.data.value = 5
      // The value that is displayed is made of another one, though the load that runs will get this one.
      #expect(watcher.isStale)
      let call = Task { try await watcher.get() }
      gate.answer(call: 2, with: .success(0))
      #expect(try await call.value == 5)
      #expect(await refresh.outcome().word == "value 5")
      await watcher.settled()
      #expect(!watcher.isStale && gate.callCount == 2)
    }

    @Test("20.2 a change of a key: what the former key's value was made of is not watched any more")
    func keyChange() async {
      let key = Input<Int?>(1)
      let sources = [1: source("one"), 2: source("two")]
      let watcher = AsyncResource<Int>(following: key.map { $0 }) { $0 }
      let sum = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(sources[reporter.get(watcher)]!) })
      await sum.load()
      key.write(2)
      await settle(watcher, sum)
      sources[1]?.data.value = 50
      await settle(watcher, sum)
      #expect(sum.value == 0 && !sum.isStale)
      sources[2]?.data.value = 60
      await settle(watcher, sum)
      #expect(sum.value == 60)
      key.write(nil)
      #expect(sum.isStale)
      await settle(watcher, sum)
    }

    @Test(
      "20.2 two screens on one watcher: one reload by hand and one change are two loads, and both have the last value")
    func twoScreens() async {
      server.values["a"] = 1
      let a = source("a")
      let b = sum("b", of: a)
      let first = AsyncHost(b), second = AsyncHost(b)
      first.start()
      second.start()
      await settle(a, b)
      _ = server.takeRequests()
      b.reload()
      a.data.value = 9
      await settle(a, b)
      #expect(b.value == 9 && !b.isStale && server.takeRequests().count { $0 == "b" } <= 2)
      #expect(first.status == .data(9) && second.status == .data(9))
    }

    // MARK: Several at once

    /// Two resources whose server the test answers, and the pair of their values.
    @MainActor
    private struct Pair {
      let first = Gate<Int>(), second = Gate<Int>()
      let a: AsyncResource<Int>, b: AsyncResource<Int>
      let both: AsyncResource<Int>

      init() {
        let a = AsyncResource { [first] in try await first.wait() }
        let b = AsyncResource { [second] in try await second.wait() }
        (self.a, self.b) = (a, b)
        both = AsyncResource(
          .value { (reporter: LoadReporter<Int>) in
            let (x, y) = try await reporter.get(a, b)
            return 100 * x + y
          })
      }

      func settle() async {
        for _ in 0..<2 {
          await a.settled()
          await b.settled()
          await both.settled()
        }
      }
    }

    @Test("20.1 several are requested at once, and each of them is watched")
    func several() async {
      let pair = Pair()
      let load = pair.both.start()
      await pair.second.arrived(1)
      await pair.first.arrived(1)
      pair.second.answer(call: 1, with: .success(2))
      pair.first.answer(call: 1, with: .success(1))
      #expect(await load.outcome().word == "value 102")
      pair.b.data.value = 20
      #expect(pair.both.isStale)
      await pair.settle()
      pair.a.data.value = 10
      await pair.settle()
      #expect(pair.both.value == 1020 && !pair.both.isStale)
      #expect(pair.first.callCount == 1 && pair.second.callCount == 1)
    }

    @Test("20.3 of several, one that fails does not end the others, and its next value requests the watcher again")
    func severalFail() async {
      let pair = Pair()
      let load = pair.both.start()
      await pair.first.arrived(1)
      pair.first.answer(call: 1, with: .failure(Failure(name: "first")))
      await pair.second.arrived(1)
      pair.second.answer(call: 1, with: .success(2))
      #expect(await load.outcome().word == "failure first")
      #expect(pair.b.value == 2 && !pair.b.isStale)
      pair.a.data.value = 1
      await pair.settle()
      #expect(pair.both.value == 102 && pair.second.callCount == 1)
    }

    @Test("20.2 of several, one that changes while another is awaited: it is called again, none is requested twice")
    func severalMixed() async {
      let pair = Pair()
      let load = pair.both.start()
      await pair.first.arrived(1)
      pair.first.answer(call: 1, with: .success(1))
      await pair.a.settled()
      pair.a.data.value = 10
      await pair.second.arrived(1)
      pair.second.answer(call: 1, with: .success(2))
      _ = await load.outcome()
      await pair.settle()
      #expect(pair.both.value == 1002 && !pair.both.isStale && pair.first.callCount == 1 && pair.second.callCount == 1)
    }

    @Test("20.1 a cancel while several are awaited gives up the interest in all of them")
    func severalCancelled() async {
      let pair = Pair()
      let load = pair.both.start()
      await pair.first.arrived(1)
      await pair.second.arrived(1)
      load.cancel()
      await pair.settle()
      #expect(!pair.a.isRunning && !pair.b.isRunning && pair.both.error == nil)
    }

    @Test("9.13 of several, one that would await this is an error at once, and the others are requested")
    func severalCycle() async {
      let other = source("other")
      let holder = Resources()
      let first = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let (x, y) = try await reporter.get(holder.second!, other)
          return x + y
        })
      holder.second = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(first) })
      let outcome = await first.load()
      if case .failure(let error) = outcome {
        #expect(error is LoadCycleError)
      } else {
        Issue.record("\(outcome.word)")
      }
      await settle(first, other)
      #expect(other.value == 0)
      holder.second = nil
    }

    @MainActor
    private final class Resources {
      var second: AsyncResource<Int>?
    }

    // MARK: 20.3

    @Test("20.3 a watcher whose input fails has its error; it is requested again when the input has a value")
    func failure() async {
      server.failing = ["a"]
      let a = source("a")
      let b = sum("b", of: a)
      #expect(await b.load().word == "failure a")
      await settle(a, b)
      #expect(server.takeRequests() == ["b", "a"])
      server.failing = []
      server.values["a"] = 4
      await a.load()
      await settle(a, b)
      #expect(b.value == 4 && server.takeRequests() == ["a", "b"])
    }

    @Test(
      "20.3 an input that fails to be loaded again: the watcher keeps its value beside the error, and no request repeats"
    )
    func failureLater() async {
      server.values["a"] = 4
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      _ = server.takeRequests()
      server.failing = ["a"]
      a.invalidate()
      await settle(a, b)
      #expect(b.value == 4 && b.error != nil && server.takeRequests() == ["b", "a"])
      // The same value as before: what failed is tried again nevertheless.
      server.failing = []
      await a.load()
      await settle(a, b)
      #expect(b.value == 4 && b.error == nil && server.takeRequests() == ["a", "b"])
    }

    @Test("20.3 a cancel of the watcher while its input changes: it is stale, and requests nothing")
    func cancel() async {
      let a = source("a")
      let gate = Gate<Int>()
      let watcher = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in try await gate.wait() + (try await reporter.get(a)) })
      gate.answer(call: 1, with: .success(1))
      await watcher.load()
      #expect(!watcher.isStale)
      let load = watcher.refresh()
      await gate.arrived(2)
      a.data.value = 8
      load.cancel()
      await settle(a, watcher)
      #expect(watcher.isStale && watcher.value == 1 && gate.callCount == 2)
    }

    @Test("20.3 a retry of the watcher reads again; its reads of the failed attempt do not count")
    func retry() async {
      let clock = ManualClock()
      let a = source("a")
      var attempts = 0
      let watcher = AsyncResource(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }, clock: clock),
        .value { (reporter: LoadReporter<Int>) in
          attempts += 1
          let value = try await reporter.get(a)
          if attempts == 1 { throw Failure(name: "first") }
          return value
        })
      let load = watcher.start()
      await clock.sleepers(atLeast: 1)
      a.data.value = 3
      await clock.advance(by: .seconds(1))
      #expect(await load.outcome().word == "value 3")
      await watcher.settled()
      #expect(attempts == 2 && !watcher.isStale)
    }

    @Test("20.3 released in the middle, on either side: nothing is called, nothing is left")
    func release() async {
      let a = source("a")
      var b: AsyncResource<Int>? = sum("b", of: a)
      await b?.load()
      let dropped = Weak(b?.data)
      a.data.value = 2
      b = nil
      #expect(dropped.object == nil)
      a.data.value = 3
      await a.settled()
      @MainActor final class Box {
        var resource: AsyncResource<Int>?
      }
      let box = Box()
      box.resource = source("c")
      let watched = Weak(box.resource?.data)
      let d = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          guard let other = box.resource else { return 0 }
          return try await reporter.get(other)
        })
      await d.load()
      box.resource = nil
      #expect(watched.object != nil)
      d.reset()
      #expect(watched.object == nil)
    }

    // MARK: 9.13

    @Test("9.13 a cycle fails, and its message names the path: of resources, and through a family")
    func cycle() async {
      @MainActor final class Pair {
        var first: AsyncResource<Int>!
        var second: AsyncResource<String>!
      }
      let pair = Pair()
      pair.first = AsyncResource(
        .value { [weak pair] (reporter: LoadReporter<Int>) in
          guard let pair else { return 0 }
          return try await reporter.get(pair.second).count
        })
      pair.second = AsyncResource(
        .value { [weak pair] (reporter: LoadReporter<String>) in
          guard let pair else { return "" }
          return "\(try await reporter.get(pair.first))"
        })
      guard case .failure(let error as LoadCycleError) = await pair.first.load() else { return #expect(Bool(false)) }
      #expect(error.path == ["String", "Int", "String"] || error.path == ["Int", "String", "Int"])
      await pair.first.settled()
      await pair.second.settled()
      let itself = Pair()
      itself.first = AsyncResource(
        .value { [weak itself] (reporter: LoadReporter<Int>) in
          guard let itself else { return 0 }
          return try await reporter.get(itself.first)
        })
      guard case .failure(let other as LoadCycleError) = await itself.first.load() else { return #expect(Bool(false)) }
      #expect(other.path == ["Int", "Int"])
      await itself.first.settled()
    }

    @Test("9.13 a cycle that develops later ends with the error, and does not run for ever")
    func lateCycle() async {
      @MainActor final class Pair {
        var isCyclic = false
        var calls = 0
        var first: AsyncResource<Int>!
        var second: AsyncResource<Int>!
      }
      let pair = Pair()
      pair.first = AsyncResource(
        .value { [weak pair] (reporter: LoadReporter<Int>) in
          pair?.calls += 1
          guard let pair, pair.isCyclic else { return 1 }
          return try await reporter.get(pair.second) + 1
        })
      pair.second = AsyncResource(
        .value { [weak pair] (reporter: LoadReporter<Int>) in
          pair?.calls += 1
          guard let pair else { return 0 }
          return try await reporter.get(pair.first) + 1
        })
      await pair.second.load()
      pair.isCyclic = true
      await pair.first.load()
      for _ in 0..<3 {
        await pair.first.settled()
        await pair.second.settled()
      }
      #expect(pair.first.error is LoadCycleError || pair.second.error is LoadCycleError)
      #expect(pair.calls < 12)
    }

    // MARK: 20.5

    @Test(
      "20.5 a chain of 1,000: all are marked before an observer is notified, each is computed once, on a small stack")
    func chain() async {
      let count = 1_000
      let result = await SmallStack().run { actor in await Chain(count, on: actor).run(on: actor) }
      #expect(result.marked == count - 1 && result.last == count + 4)
      #expect(result.calls == 2 * (count - 1))
    }

    @Test(
      "20.5 a watcher that was requested again 10,000 times is called as at first, and is released on a small stack")
    func manyChanges() async {
      let last = await SmallStack().run { actor -> Int? in
        let source = AsyncResource<Int>(isolation: actor) { .value { 0 } }
        let watcher = Self.watcher(of: source, on: actor)
        await watcher.load()
        for value in 1...10_000 {
          source.data.value = value
          await watcher.load(when: .stale)
        }
        return watcher.value
      }
      #expect(last == 10_000)
    }

    private static func watcher(
      of source: AsyncResource<Int>, on actor: isolated any Actor
    ) -> AsyncResource<Int> {
      AsyncResource(isolation: actor) {
        .value { (reporter: LoadReporter<Int>) in
          _ = actor
          return try await reporter.get(source)
        }
      }
    }

    /// Resources, each of which watches the one before.
    private final class Chain {
      private var resources: [AsyncResource<Int>] = []
      private var calls = 0

      init(_ count: Int, on actor: isolated any Actor) {
        resources = [AsyncResource<Int>(isolation: actor) { .value { 0 } }]
        for _ in 1..<count {
          let former = resources[resources.count - 1]
          resources.append(
            AsyncResource<Int>(isolation: actor) { [weak self] in
              .value { (reporter: LoadReporter<Int>) in
                _ = actor
                self?.calls += 1
                return try await reporter.get(former) + 1
              }
            })
        }
      }

      func run(on actor: isolated any Actor) async -> (marked: Int, last: Int?, calls: Int) {
        let last = resources[resources.count - 1]
        await last.load()
        var marked: [Int] = []
        let token = resources[0].observed.observe { [resources] _ in
          marked.append(resources.count { $0.snapshot.isInvalidated })
        }
        resources[0].data.value = 5
        let first = marked.last ?? 0
        for resource in resources { await resource.settled() }
        let result = (marked: first, last: last.value, calls: calls)
        withExtendedLifetime(token) {}
        return result
      }
    }

    @Test("2.3, 3.5, 20.2 an invalidation while the watcher loads stays, though what it has yet to get changes")
    func invalidatedWhileLoading() async {
      let account = AsyncResource { 1 }
      let gate = Gate<Int>()
      let summary = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let base = try await gate.wait()
          return base + (try await reporter.get(account))
        })
      gate.answer(call: 1, with: .success(10))
      await summary.load()
      summary.start()
      await gate.arrived(2)
      summary.invalidate()
      account.data.value = 2
      gate.answer(call: 2, with: .success(20))
      await summary.settled()
      #expect(summary.value == 22 && summary.isStale)
    }

    @Test("20.5 a watcher whose requests fail watches each source once, however often they fail")
    func failsOften() async {
      let source = AsyncResource { 1 }
      let broken = AsyncResource(
        .value { (reporter: LoadReporter<Int>) -> Int in
          _ = try await reporter.get(source)
          throw Failure()
        })
      for _ in 0..<200 { await broken.load() }
      #expect(source.data.observed.node.observerCount < 100)
    }
  }
}
