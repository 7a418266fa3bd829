// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What is made of resources that leave a key, are forgotten, or follow a stream.
  @MainActor
  struct MadeOfKeysTests {
    @Test(
      "20.2 what is made of something forgotten, or reset, is so with it, before an observer is notified, at any distance",
      arguments: [false, true])
    func removed(resets: Bool) async {
      let name = Input("Ann")
      let profile = AsyncResource<String> { name.current }
      let summary = AsyncResource(.of(profile) { "Hello, \($0)" })
      let banner = AsyncResource(.of(summary) { "\($0)!" })
      await banner.load()
      expectEqual(banner.value, "Hello, Ann!")
      var seen: [String?] = []
      let token = profile.observe { _ in seen.append(banner.value) }
      seen = []
      if resets { profile.reset() } else { profile.forget() }
      expect(seen.allSatisfy { $0 == nil })
      if resets { await atRest(profile, summary, banner) }
      for resource in [profile, summary, banner] {
        expectNil(resource.value)
        expect(!resource.isRunning)
      }
      expectEqual(banner.status, resets ? .loading : .idle)
      await banner.settled()
      // Another user logs in.
      name.write("Bob")
      await profile.load()
      await atRest(summary, banner)
      expectEqual(banner.value, "Hello, Bob!")
      expect(!banner.isStale)
      withExtendedLifetime(token) {}
    }

    @Test("2.2, 20.2 after a reset an answer that equals the seed, or is no data, is a change", arguments: [nil, 0])
    func answerLikeSeed(seed: Int?) async {
      let onServer = Input<Int?>(5)
      let cart = AsyncResource<Int>(seed: seed) { onServer.current }
      let badge = AsyncResource(.of(cart) { "\($0) items" })
      await badge.load()
      expectEqual(badge.value, "5 items")
      onServer.write(seed)
      cart.reset()
      await cart.load()
      await atRest(cart, badge)
      expectEqual(badge.value, (seed == nil ? nil : "0 items"))
      expect(badge.snapshot.isValueSet)
      expect(!badge.isStale)
    }

    @Test("9, 20.2 what is made of a former key's value is removed with it, and is idle without a key")
    func keyOfPart() async {
      let account = Input<String?>("ann")
      let server = ManualServer<String>()
      let profile = AsyncResource<String>(following: account.observed) { try await server.wait(for: $0) }
      let summary = AsyncResource(.of(profile) { "Hello, \($0)" })
      server.answer(for: "ann", with: .success("Ann"))
      await summary.load()
      expectEqual(summary.value, "Hello, Ann")
      account.write("bob")
      expectNil(summary.value)
      expect(summary.isRunning)
      expect(summary.data.isLoading)
      await server.answer(arrivingFor: "bob", with: .success("Bob"))
      await atRest(profile, summary)
      expectEqual(summary.value, "Hello, Bob")
      account.write(nil)
      expectNil(summary.value)
      expect(!summary.isRunning)
      expect(!summary.data.isLoading)
      await summary.settled()
    }

    @Test(
      "9.5, 20.2 during the delay of a part's next key what is made of it is loading, and not requested",
      arguments: PreviousValue.all)
    func delay(previous: PreviousValue) async {
      let clock = ManualClock()
      let text = Input<String?>("a")
      var requests: [String] = []
      let results = AsyncResource(
        following: text.observed, delay: .seconds(1), previous: previous, options: LoadOptions(clock: clock)
      ) { (text: String) -> String in
        requests.append(text)
        return text
      }
      let title = AsyncResource(.of(results) { "\($0)!" })
      await title.load()
      if previous == .hidden {
        for next in ["b", "c"] {
          text.write(next)
          expectNil(title.value)
          expect(!title.isRunning)
          expect(title.data.isLoading)
        }
        // A cancel of the part is one of what awaits it.
        results.cancel()
        expect(!title.data.isLoading)
      }
      text.write("d")
      await clock.sleepers(atLeast: 1)
      await turns()
      expectEqual(requests, ["a"])
      await clock.advance(by: .seconds(1))
      await atRest(results, title)
      expectEqual(title.value, "d!")
      expectEqual(requests, ["a", "d"])
    }

    @Test("20.2 the key of a part changes while its value is awaited: the value is made of that of the other key")
    func keyChange() async {
      let key = Input<Int?>(1)
      let gate = ManualServer<Int>()
      let part = AsyncResource<Int>(following: key, previous: .untilAnswered) { key in try await gate.wait(for: key) }
      let made = AsyncResource(.of(part) { $0 + 1 })
      let load = made.start()
      await gate.arrived(for: 1)
      key.write(2)
      await gate.answer(arrivingFor: 2, with: .success(20))
      _ = await load.outcome()
      await atRest(part, made)
      expectEqual(made.value, 21)
      expect(!made.isStale)
    }

    @Test(
      "9.6, 20.2 what is made of a former value is one, at any distance: it is not stored, and removed with it in one step",
      arguments: ["failed", "by hand", "answered", "reset"])
    func formerValue(end: String) async throws {
      let key = Input<String?>("a")
      let server = ManualServer<String>()
      let store = MemoryStore<Int, String>()
      let part = AsyncResource(following: key.observed, previous: .untilAnswered) { try await server.wait(for: $0) }
      let family = AsyncFamily<Int, String>(store: store) { _ in .of(part) { $0 + "!" } }
      let made = family[1]
      let top = AsyncResource(.of(made) { $0 + "!" })
      server.answer(for: "a", with: .success("A"))
      await top.load()
      await made.settled()
      try await expectEqual(store.read(1, isolation: #isolation)?.value, "A!")
      key.write("b")
      await server.arrived(for: "b")
      for (data, value) in [(part, "A"), (made, "A!"), (top, "A!!")] {
        expectEqual(data.value, value)
        expect(data.snapshot.isProvisional)
        expect(data.isRunning)
      }
      let isSuperseded = if case .superseded = await top.mutate({ $0 += "?" }, commit: {}) { true } else { false }
      expect(isSuperseded)
      let got = Waiting { try? await top.get() }
      await turns()
      expect(got.result != .some("A!!"), "get returns what is made of another key")
      var seen: [String?] = []
      let token = part.observe { if !$0.isRunning { seen = [part.value, made.value, top.value] } }
      switch end {
      case "failed": server.answer(for: "b", with: .failure(Failure(name: "b")))
      case "by hand": part.data.error = Failure(name: "b")
      case "answered": server.answer(for: "b", with: .success("B"))
      default: part.reset()
      }
      await atRest(part, made, top)
      if end != "answered" { expect(seen.count == 3 && seen.allSatisfy { $0 == nil }) }
      expectEqual(top.value, end == "answered" ? "B!!" : nil)
      expectEqual(top.error as? Failure, end == "failed" || end == "by hand" ? Failure(name: "b") : nil)
      try await expectEqual(store.read(1, isolation: #isolation)?.value, end == "answered" ? "B!" : nil)
      got.cancel()
      withExtendedLifetime(token) {}
    }

    @Test("20.1 what is made for a key is made of what is chosen by it, and of nothing of the former key")
    func forKey() async {
      let key = Input<Int?>(1)
      let rate = AsyncResource { 10 }
      let prices = AsyncFamily { (key: Int) in key }
      let priced = AsyncResource(following: key) { key in .of(prices[key], rate) { $0 * $1 } }
      await priced.load()
      expectEqual(priced.value, 10)
      key.write(2)
      expectNil(priced.value)
      await priced.settled()
      expectEqual(priced.value, 20)
      prices[1].receive(100)
      expect(!priced.isStale)
      prices[2].receive(3)
      rate.receive(100)
      await priced.settled()
      expectEqual(priced.value, 300)
      key.write(nil)
      rate.receive(1)
      expectNil(priced.value)
      expect(!priced.isRunning)
    }

    @Test("20.1 a refresh that has yielded and is cancelled is no change for what is made of it")
    func yieldedAndCancelled() async {
      let gate = ManualServer<Int?>()
      let x = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          if reporter.current != nil { try reporter.yield(7) }
          return try await gate.wait()
        })
      let made = AsyncResource(.of(x) { $0 * 10 })
      gate.answer(call: 1, with: .success(1))
      await made.load()
      x.start()
      await gate.arrived(2)
      expectEqual(x.value, 7)
      x.cancel()
      await atRest(made, x)
      expect(!x.isRunning)
      expectEqual(gate.callCount, 2)
      expectEqual(made.value, 10)
    }

    @Test("20.2 what was answered is replaced, or removed, before all parts are", arguments: 0..<3)
    func removedMeanwhile(way: Int) async {
      let onServer = Input(1)
      let a = AsyncResource { onServer.current }
      let gate = ManualServer<Int>()
      let b = AsyncResource { try await gate.wait() }
      let both = AsyncResource(.of(a, b) { $0 + $1 })
      both.start()
      await gate.arrived(1)
      // In the turn in which it answers, before the operation continues.
      let token = a.observe { snapshot in
        guard snapshot.value == 1, !snapshot.isRunning else { return }
        onServer.write(5)
        switch way {
        case 0: a.reset()
        case 1: a.data.value = nil
        default: a.data.value = 5
        }
      }
      await a.settled()
      // With the load its interest in the other ends.
      if way == 0 { await gate.ended(1) } else { gate.answer(call: 1, with: .success(100)) }
      await atRest(both, a, b)
      switch way {
      case 0:
        expectNil(both.value, "a reset requests nothing")
        expectNil(both.error, "a reset requests nothing")
        expectNil(a.value, "a reset requests nothing")
        await a.load()
        await gate.answer(arriving: 2, with: .success(100))
        await atRest(a, both)
        expectEqual(both.value, 105)
      case 1:
        expectNil(both.error)
        expectEqual(both.status, .noData)
        // And it is requested again when there is something.
        a.data.value = 7
        await atRest(a, both)
        expectEqual(both.value, 107)
      default: #expect(both.value == 105 && !both.isStale)
      }
      withExtendedLifetime(token) {}
    }
  }
}
