// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct MadeOfTests {
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

    private func sum(_ name: String, of part: AsyncResource<Int>) -> AsyncResource<Int> {
      let server = server
      return AsyncResource(.of(part) { try await server.get(name) + $0 })
    }

    @Test(
      "2.2, 20.1 a part is requested with what is made of it, which is made again when the part is another one, each once"
    )
    func change() async {
      server.values = ["a": 1]
      let a = source("a")
      let b = sum("b", of: a)
      await expectEqual(b.load().word, "value 1")
      expectEqual(server.takeRequests(), ["a", "b"])
      a.data.value = 5
      expect(b.isStale)
      expect(b.isRunning)
      expectEqual(b.value, 1)
      await atRest(a, b)
      expectEqual(b.value, 5)
      expectEqual(server.takeRequests(), ["b"])
      a.update { $0 = 6 }
      await atRest(a, b)
      expectEqual(b.value, 6)
      expectEqual(server.takeRequests(), ["b"])
      server.values["a"] = 7
      await a.load()
      await atRest(a, b)
      expectEqual(b.value, 7)
      expect(!b.isStale)
      expectEqual(server.takeRequests(), ["a", "b"])
      // What alters nothing.
      await a.mutate({ $0 += 0 }, commit: {})
      await a.load()
      a.data.value = 7
      server.failing = ["a"]
      await a.load()
      await atRest(a, b)
      expect(b.isStale, "a part is")
      expectEqual(server.takeRequests(), ["a", "a"])
      server.failing = []
      await a.load()
      await atRest(a, b)
      expect(!b.isStale)
      expectEqual(server.takeRequests(), ["a"])
    }

    @Test("20.1 an equal value changes nothing at any distance: what was marked is fresh again, and keeps its age")
    func equalFartherOff() async {
      struct User { var name = "Ann", age = 1 }
      let clock = ManualClock()
      let options = LoadOptions(staleAfter: .seconds(60), clock: clock)
      let user = AsyncResource(options: options) { User() }
      var made: [String] = []
      func note(_ word: String) -> String {
        made.append(word)
        return word
      }
      let name = AsyncResource(options: options, .of(user) { note($0.name) })
      let greeting = AsyncResource(options: options, .of(name) { note("Hello, \($0)") })
      let banner = AsyncResource(options: options, .of(greeting) { note("\($0)!") })
      await banner.load()
      expectEqual(made, ["Ann", "Hello, Ann", "Hello, Ann!"])
      made = []
      await clock.advance(by: .seconds(50))
      user.update { $0.age = 2 }
      expect(banner.isStale)
      await atRest(name, greeting, banner)
      expectEqual(made, ["Ann"])
      expect(!name.isStale)
      expect(!greeting.isStale)
      expect(!banner.isStale)
      expectEqual(name.data.age, .zero)
      expectEqual(banner.data.age, .seconds(50))
      // A call that wants another value gets one.
      await banner.load()
      expectEqual(made, ["Ann", "Hello, Ann!"])
    }

    @Test(
      "20.1 what is stale for another reason is made again, though its parts are equal",
      arguments: ["invalidated", "called", "old", "changed"])
    func staleOtherwise(way: String) async {
      struct Part { let number = 1, other: Int }
      let clock = ManualClock()
      let part = AsyncResource { Part(other: 0) }
      let number = AsyncResource(.of(part) { $0.number })
      var calls = 0
      let gate = LoadGate()
      let made = AsyncResource(
        options: LoadOptions(staleAfter: .seconds(60), clock: clock, gate: gate),
        .of(number) { (number: Int) -> Int in
          calls += 1
          return number
        })
      await made.load()
      gate.close()
      part.data.value = Part(other: 1)
      expect(made.isWaiting)
      let call: Waiting<String>?
      switch way {
      case "invalidated": (_, call) = (made.invalidate(), nil)
      case "called": call = Waiting { await made.load().word }
      case "old": (_, call) = (await clock.advance(by: .seconds(60)), nil)
      default: (_, call) = (made.update { $0 = 1 }, nil)
      }
      _ = await call?.begun()
      gate.open()
      _ = await call?.end()
      await made.settled()
      await made.load(when: .stale)
      expectEqual(calls, 2)
      expect(!made.isStale)
    }

    @Test("20.1 an invalidation of a part marks what is made of it before any observer, and both are requested")
    func invalidation() async {
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      _ = server.takeRequests()
      var seen: [Bool] = []
      let token = a.observed.observe { _ in seen.append(b.snapshot.isInvalidated) }
      seen = []
      a.invalidate()
      expectEqual(seen.first, true)
      expect(b.isRunning)
      await atRest(a, b)
      expectEqual(server.takeRequests(), ["a"], "the part is what it was")
      expect(!b.isStale, "the part is what it was")
      server.values["a"] = 3
      a.invalidate()
      await atRest(a, b)
      expectEqual(server.takeRequests(), ["a", "b"])
      expectEqual(b.value, 3)
      withExtendedLifetime(token) {}
    }

    @Test("20.1 what was not requested since a reset, or has a value by hand, is made of nothing")
    func unused() async {
      let a = source("a")
      let b = sum("b", of: a)
      await b.load()
      b.reset()
      a.data.value = 3
      expect(!b.isRunning)
      expectNil(b.value)
      await b.load()
      b.data.value = 100
      _ = server.takeRequests()
      a.data.value = 4
      await atRest(a, b)
      expectEqual(b.value, 100)
      expect(!b.isStale)
      expectEqual(server.takeRequests(), [])
    }

    @Test(
      "20.1 a part that fails is the error of what is made of it, beside a value; its next value is made, equal or not")
    func failure() async {
      server.failing = ["a"]
      server.values["a"] = 4
      let a = source("a")
      let b = sum("b", of: a)
      await expectEqual(b.load().word, "failure a")
      await atRest(a, b)
      expectEqual(server.takeRequests(), ["a"])
      for isAgain in [false, true] {
        if isAgain {
          server.failing = ["a"]
          a.invalidate()
          await atRest(a, b)
          // No request repeats.
          expectEqual(b.value, 4)
          expect(b.error != nil)
          expectEqual(server.takeRequests(), ["a"])
        }
        server.failing = []
        await a.load()
        await atRest(a, b)
        expectEqual(b.value, 4)
        expectNil(b.error)
        expectEqual(server.takeRequests(), ["a", "b"])
      }
    }

    @Test("20.1 a part that is cancelled cancels the load that awaits it; its answer, though a seed, is a reason")
    func cancelledPart() async {
      let gate = ManualServer<Int>()
      let cart = AsyncResource(seed: 0) { try await gate.wait() }
      let badge = AsyncResource(.of(cart) { $0 })
      let first = badge.start()
      await gate.arrived(1)
      cart.cancel()
      await expectEqual(first.outcome().word, "cancelled")
      let second = cart.start()
      await gate.answer(arriving: 2, with: .success(0))
      _ = await second.outcome()
      await badge.settled()
      expectEqual(badge.value, 0)
    }

    @Test("20.2 of a diamond, what is below is made once for a change, and never of a mixture")
    func diamond() async {
      server.values = ["a": 1]
      let a = source("a")
      let b = sum("b", of: a), c = sum("c", of: a)
      let server = server
      var pairs: [[Int]] = []
      let d = AsyncResource(
        .of(b, c) { b, c in
          pairs.append([b, c])
          return try await server.get("d") + b + c
        })
      await d.load()
      for value in 2...5 {
        _ = server.takeRequests()
        a.data.value = value
        expect([b, c, d].allSatisfy { $0.snapshot.isInvalidated })
        await atRest(a, b, c, d)
        expectEqual(d.value, 2 * value)
        expectEqual(server.takeRequests().sorted(), ["b", "c", "d"])
      }
      expectEqual(pairs, (1...5).map { [$0, $0] })
    }

    @Test("20.2 a part that changes while the value is made: another load takes its place, and calls wait for it")
    func late() async {
      let a = source("a")
      let gate = ManualServer<Int>()
      let made = AsyncResource(.of(a) { $0 * 10 + (try await gate.wait()) })
      let first = made.start()
      let call = Task { await made.load().word }
      await gate.arrived(1)
      a.data.value = 1
      expect(made.isRunning)
      await expectEqual(first.outcome().word, "superseded")
      await gate.answer(arriving: 2, with: .success(2))
      await expectEqual(call.value, "value 12")
      await made.settled()
      expect(!made.isStale)
      expectEqual(gate.callCount, 2)
    }

    @Test("2.3, 3.5, 20.2 an invalidation while the parts are got stays, though one of them changes")
    func invalidatedWhileGetting() async {
      let account = AsyncResource { 1 }
      let gate = ManualServer<Int>()
      let other = AsyncResource { try await gate.wait() }
      let summary = AsyncResource(.of(account, other) { $0 + $1 })
      gate.answer(call: 1, with: .success(10))
      await summary.load()
      other.invalidate()
      await gate.arrived(2)
      summary.invalidate()
      account.data.value = 2
      gate.answer(call: 2, with: .success(20))
      await summary.settled()
      expectEqual(summary.value, 22)
      expect(summary.isStale)
    }

    @Test("20.2 a retry gets the parts again, and is no other load when one of them changes before it")
    func retry() async {
      let clock = ManualClock()
      let a = source("a")
      var attempts = 0
      let made = AsyncResource(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }, clock: clock),
        .of(a) { (value: Int) -> Int in
          attempts += 1
          if attempts == 1 { throw Failure(name: "first") }
          return value
        })
      let load = made.start()
      await clock.sleepers(atLeast: 1)
      a.data.value = 3
      await clock.advance(by: .seconds(1))
      await expectEqual(load.outcome().word, "value 3")
      await made.settled()
      expectEqual(attempts, 2)
      expect(!made.isStale)
    }

    // MARK: Several at once

    @Test(
      "20.1 of several, one that fails does not end the others, and its next value makes the value; a cancel gives all up"
    )
    func severalFail() async {
      let (first, second) = (ManualServer<Int>(), ManualServer<Int>())
      let a = AsyncResource { try await first.wait() }
      let b = AsyncResource { try await second.wait() }
      let both = AsyncResource(.of(a, b) { 100 * $0 + $1 })
      let left = both.start()
      await first.arrived(1)
      await second.arrived(1)
      left.cancel()
      await atRest(a, b, both)
      expect(!a.isRunning)
      expect(!b.isRunning)
      expectNil(both.error)
      let load = both.start()
      await first.answer(arriving: 2, with: .failure(Failure(name: "first")))
      await second.answer(arriving: 2, with: .success(2))
      await expectEqual(load.outcome().word, "failure first")
      expectEqual(b.value, 2)
      expect(!b.isStale)
      a.data.value = 1
      await atRest(a, b, both)
      expectEqual(both.value, 102)
      expectEqual(second.callCount, 2)
    }

    @Test("20.2 parts that are always stale are requested once each, though one of them changes meanwhile")
    func severalStale() async {
      let options = LoadOptions(staleAfter: .zero)
      var count = 0
      let counter = AsyncResource(options: options) { () -> Int in
        count += 1
        return count
      }
      let gate = ManualServer<Int>()
      let other = AsyncResource(options: options) { try await gate.wait() }
      let both = AsyncResource(.of(counter, other) { 100 * $0 + $1 })
      both.start()
      await gate.arrived(1)
      await counter.settled()
      counter.data.value = 7
      gate.answer(call: 1, with: .success(1))
      await both.settled()
      expectEqual(both.value, 201)
      expectEqual(gate.callCount, 1)
      expectEqual(count, 2)
    }

    // MARK: A part that is chosen

    @Test(
      "11.2, 20.1 the value of one chooses the other: the chosen one is held and followed, and a former one is not any more"
    )
    func chosen() async {
      struct Account { var currency = "CHF" }
      var requested: [String] = []
      let account = AsyncResource { Account() }
      let rates = AsyncFamily { (currency: String) -> Int in
        requested.append(currency)
        return currency == "CHF" ? 95 : 100
      }
      let price = AsyncResource(.of(account, then: { rates[$0.currency] }) { "\($1) \($0.currency)" })
      await price.load()
      expectEqual(price.value, "95 CHF")
      rates["CHF"].update { $0 = 96 }
      await atRest(account, price)
      expectEqual(price.value, "96 CHF")
      account.update { $0.currency = "EUR" }
      await atRest(account, price)
      expectEqual(price.value, "100 EUR")
      expectEqual(requested, ["CHF", "EUR"])
      expectEqual(rates.entries.filter(\.isHeld).map(\.key), ["EUR"])
      rates["CHF"].update { $0 = 97 }
      expect(!price.isStale)
      rates["EUR"].update { $0 = 1 }
      await atRest(account, price)
      expectEqual(price.value, "1 EUR")
      account.forget()
      expectNil(price.value)
      price.reset()
      expect(!rates.entries.contains { $0.isHeld })
    }

    /// A number chooses an entry of a family, whose server the test answers.
    @MainActor
    private final class Choice {
      let number = AsyncResource { 2 }
      let server = ManualServer<String>()
      let words: AsyncFamily<Int, String>
      private(set) var made: [String] = []
      private(set) lazy var both = AsyncResource(
        .of(number, then: { [words] in words[$0] }) { [weak self] in
          self?.made.append("\($0) \($1)")
          return "\($0) \($1)"
        })

      init() {
        words = AsyncFamily { [server] in try await server.wait(for: $0) }
      }

      func answer(_ number: Int, with word: String) async {
        await server.answer(arrivingFor: number, with: .success(word))
        await atRest(self.number, both)
      }
    }

    @Test(
      "20.2 what is awaited by a choice ends with the value that has chosen it, whatever becomes of it",
      arguments: ["late", "failed", "cancelled", "forgotten"])
    func chosenAnew(end: String) async {
      let choice = Choice()
      let former = choice.words[2]
      choice.both.start()
      await choice.server.arrived(for: 2)
      former.start()
      choice.number.data.value = 1
      switch end {
      case "failed":
        choice.server.answer(for: 2, with: .failure(Failure(name: "two")))
        await former.settled()
      case "cancelled": former.cancel()
      case "forgotten": former.forget()
      default: break
      }
      await choice.answer(1, with: "one")
      expectEqual(choice.both.value, "1 one")
      expectNil(choice.both.error)
      former.cancel()
      expectEqual(choice.made, ["1 one"])
    }

    @Test("20.1, 20.2 a value is removed with a part that is not chosen any more; an equal choice makes nothing")
    func formerChoice() async {
      let choice = Choice()
      choice.both.start()
      await choice.answer(2, with: "two")
      choice.number.invalidate()
      await atRest(choice.number, choice.both)
      expect(!choice.both.isStale)
      expectEqual(choice.made, ["2 two"])
      for isChosen in [false, true] {
        choice.number.data.value = 1
        expectEqual(choice.both.value, "2 two")
        // Before another one is chosen, or when it is.
        if isChosen { await choice.server.arrived(for: 1) }
        choice.words[2].forget()
        expectNil(choice.both.value)
        await choice.answer(1, with: "one")
        expectEqual(choice.both.value, "1 one")
        choice.words[1].invalidate()
        choice.number.data.value = 2
        await choice.answer(2, with: "two")
      }
    }

    // MARK: Changes of what is made

    @Test(
      "3.19 a change of what is made of others marks those, at any distance, and is displayed until they have it",
      arguments: ["mutate", "mutation", "while got", "left"])
    func changed(way: String) async {
      let likes = ManualServer<Int>(), commits = ManualServer<Void>()
      let post = AsyncFamily<Int, Int> { _ in try await likes.wait() }
      let key = Input<Int?>(1)
      let middle = AsyncResource(.of(post[1]) { $0 })
      let whole = AsyncResource(following: key.observed) { $0 == 1 ? .of(middle) { $0 } : .value { 0 } }
      let like = AsyncMutation(overlap: .queue) { (_: Int) in try await commits.wait() }
        .changing({ _ in whole }) { value, _ in value += 1 }
      likes.answer(call: 1, with: .success(10))
      await whole.load()
      let isCall = way == "mutate" || way == "while got"
      let call =
        isCall
        ? Waiting<String> {
          await whole.mutate {
            $0 += 1
          } commit: {
            try await commits.wait()
          }.word
        } : nil
      if !isCall { like.perform(1) }
      await commits.arrived(1)
      var requests = 1
      switch way {
      case "while got":
        post[1].invalidate()
        requests += 1
        await likes.arrived(2)
      case "left":
        for next in [2, 1] {
          key.write(next)
          await whole.settled()
        }
        expectEqual(whole.value, 10)
      default: break
      }
      commits.answer(call: 1, with: .success(()))
      _ = await call?.end()
      await like.settled()
      if way == "while got" { likes.answer(call: 2, with: .success(10)) }
      requests += 1
      await likes.arrived(requests)
      expectEqual(whole.value, way == "left" ? 10 : 11)
      expect(post[1].isStale)
      likes.answer(call: requests, with: .success(11))
      await atRest(post[1], middle, whole)
      expectEqual(whole.value, 11)
      expect(!whole.isStale)
      expectEqual(likes.callCount, requests)
    }

    // MARK: Chains, and their release

    @Test("20.1 a chain of 1,000: all are marked before an observer, and each is made once, on a small stack")
    func chain() async {
      let count = 1_000
      let result = await SmallStack().run { actor in
        let calls = Input(0)
        var resources = [AsyncResource<Int>(isolation: actor) { .value { 0 } }]
        for _ in 1..<count {
          let former = resources[resources.count - 1]
          resources.append(
            AsyncResource<Int>(isolation: actor) {
              .of(former) { value in
                _ = actor
                calls.change { $0 += 1 }
                return value + 1
              }
            })
        }
        let last = resources[count - 1]
        await last.load()
        var marked: [Int] = []
        let token = resources[0].observed.observe { [resources] _ in
          marked.append(resources.count { $0.snapshot.isInvalidated })
        }
        resources[0].data.value = 5
        let first = marked.last
        for resource in resources { await resource.settled() }
        withExtendedLifetime(token) {}
        return (marked: first, last: last.value, calls: calls.current)
      }
      expectEqual(result.marked, count - 1)
      expectEqual(result.last, count + 4)
      expectEqual(result.calls, 2 * (count - 1))
    }

    @Test("20.1 released in the middle: nothing is called, nothing is left")
    func release() async {
      let a = source("a")
      var b: AsyncResource<Int>? = sum("b", of: a)
      await b?.load()
      let dropped = Weak(b?.data)
      a.data.value = 2
      b = nil
      expectNil(dropped.object)
      a.data.value = 3
      await a.settled()
      expectEqual(a.data.observed.node.downstream.state.observers.count { $0.isLive }, 0)
    }

    @Test("20.1 what is made, or fails, again and again, in loads or in attempts, follows each part once")
    func failsOften() async {
      let source = AsyncResource { 1 }
      let broken = AsyncResource(.of(source) { (_: Int) -> Int? in throw Failure() })
      let made = AsyncResource(.of(source) { $0 })
      for number in 0..<200 {
        await broken.load()
        source.data.value = number
        await made.load(when: .stale)
      }
      expect(source.data.observed.node.observerCount < 100)
      expectEqual(made.value, 199)

      let (clock, server) = (ManualClock(), ManualServer<Int>())
      let part = AsyncResource { 1 }
      let copy = AsyncResource(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }, clock: clock),
        .of(part) { $0 + (try await server.wait()) })
      copy.start()
      for attempt in 1...20 {
        server.answer(call: attempt, with: .failure(Failure()))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
      }
      await server.arrived(21)
      expect(part.data.observed.node.downstream.state.observers.count { $0.isLive } <= 2)
      server.answer(call: 21, with: .success(0))
      await copy.settled()
      expectEqual(copy.value, 1)
    }

    @Test("20.1 what is made of a part that is out of date all the same is so, too, and is fresh when the part is")
    func outOfDate() async {
      let server = ManualServer<Int>()
      let doc = AsyncResource { try await server.wait() }
      let title = AsyncResource(.of(doc) { "\($0)" })
      title.start()
      for call in 1...2 {
        await server.arrived(call)
        doc.invalidate()
        server.answer(call: call, with: .success(1))
      }
      await title.settled()
      expectEqual(title.value, "1")
      expect(title.isStale)
      expect(doc.isStale)
      doc.start()
      await server.answer(arriving: 3, with: .success(1))
      await atRest(doc, title)
      expect(!title.isStale)
      expect(!doc.isStale)
      expectEqual(server.callCount, 3)
    }

    @Test(
      "20.1 it is stale while a part is, at any distance: by age, a failure, or the end of a stream; a load requests that part",
      arguments: ["age", "failure", "end"])
    func staleWithAPart(way: String) async {
      let clock = ManualClock()
      let live = LiveStage()
      server.values = ["a": 1]
      let server = server
      let part =
        way == "end"
        ? AsyncResource(.live { live.connect() })
        : AsyncResource(options: LoadOptions(staleAfter: .seconds(60), clock: clock)) { try await server.get("a") }
      live.send(1)
      let fresh = AsyncResource { 10 }
      let near = AsyncResource(.of(part, fresh) { $0 + $1 })
      let far = AsyncResource(.of(AsyncResource(.of(near) { "\($0)" })) { "\($0)!" })
      await far.load()
      let tracker = AllTests.ObservationTests.Tracker()
      tracker.track { expect(!far.isStale) }
      switch way {
      case "age": await clock.advance(by: .seconds(60))
      case "failure":
        server.failing = ["a"]
        await part.load()
        server.failing = []
      default:
        live.end()
        await reaches(part) { !$0.isLoading && part.data.isStale }
      }
      expect(near.isStale)
      expect(far.isStale)
      expectEqual(tracker.changes, way == "age" ? 0 : 1)
      expect(!far.isLoading)
      _ = server.takeRequests()
      live.send(2, on: 2)
      server.values["a"] = 2
      await far.load(when: .stale)
      expectEqual(far.value, "12!")
      expect(!far.isStale)
      expectEqual(way == "end" ? live.connectionCount : server.takeRequests().count + 1, 2)
    }
  }
}
