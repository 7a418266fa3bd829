// SPDX-License-Identifier: MIT
@testable import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct RelyingOnOthersTests {
    private struct Failing: Error {}

    @Test("2.2, 20.1 after a reset an answer that equals the seed, or is no data, is a change", arguments: [nil, 0])
    func answerLikeSeed(seed: Int?) async {
      let onServer = Input<Int?>(5)
      let cart = AsyncResource<Int>(seed: seed) { onServer.current }
      let badge = AsyncResource(
        .value { (reporter: LoadReporter<String>) in
          do { return "\(try await reporter.get(cart)) items" } catch is NoDataError { return "empty" }
        })
      await badge.load()
      #expect(badge.value == "5 items")
      onServer.write(seed)
      cart.reset()
      await cart.load()
      await cart.settled()
      await badge.settled()
      #expect(badge.value == (seed == nil ? "empty" : "0 items") && !badge.isStale)
    }

    @Test("20.1, 20.3 a first load that ended because what it awaited was cancelled follows when that answers its seed")
    func cancelledFirst() async {
      let gate = Gate<Int>()
      let cart = AsyncResource(seed: 0) { try await gate.wait() }
      let badge = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(cart) })
      let first = badge.start()
      await gate.arrived(1)
      cart.cancel()
      _ = await first.outcome()
      let second = cart.start()
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(0))
      _ = await second.outcome()
      await badge.settled()
      #expect(badge.value == 0)
    }

    @Test("20.1, 9.6 a key whose value equals the former one's: what was being made of it is requested again")
    func equalValueOfNextKey() async {
      let clock = ManualClock()
      let key = Input<Int?>(1)
      let user = AsyncResource(
        following: key, delay: .seconds(1), former: .untilAnswered, options: LoadOptions(clock: clock)
      ) { _ in 7 }
      let gate = Gate<Int>()
      let page = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(user) + (try await gate.wait()) })
      let first = page.start()
      await gate.arrived(1)
      key.write(2)
      _ = await first.outcome()
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await user.settled()
      await gate.arrived(2)
      gate.answer(call: 2, with: .success(0))
      await page.settled()
      #expect(page.value == 7)
    }

    @Test(
      "3.4, 20.2 a refresh for a screen outlives another screen that has joined it and is left, also after a restart")
    func heldAfterRestart() async {
      let source = AsyncResource { 1 }
      let gate = Gate<Int>()
      let sum = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(source) * 10 + (try await gate.wait()) })
      gate.answer(call: 1, with: .success(0))
      await sum.load()
      source.data.value = 2
      await gate.arrived(2)
      let other = Waiting { await sum.load() }
      await sum.awaited(by: 1)
      source.data.value = 3
      await gate.arrived(3)
      other.cancel()
      _ = await other.end()
      gate.answer(call: 3, with: .success(0))
      await sum.settled()
      #expect(sum.value == 30 && !sum.isStale)
    }

    @Test("20.1, 3.4 a change that the running load is to bring is brought, though the caller of that load is left")
    func reliedOnCaller() async {
      let source = AsyncResource { 1 }
      let gate = Gate<Int>()
      let sum = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          let extra = try await gate.wait()
          return try await reporter.get(source) * 10 + extra
        })
      gate.answer(call: 1, with: .success(0))
      await sum.load()
      let other = Waiting { await sum.load() }
      await gate.arrived(2)
      source.data.value = 2
      other.cancel()
      _ = await other.end()
      gate.answer(call: 2, with: .success(0))
      gate.answer(call: 3, with: .success(0))
      await sum.settled()
      #expect(sum.value == 20 && !sum.isStale)
    }

    @Test("3.10, 20.3 a load that timed out between two attempts watches what these got")
    func timedOutBetweenAttempts() async {
      let clock = ManualClock()
      let isDown = Input(true)
      let source = AsyncResource<Int> {
        if isDown.current { throw Failing() }
        return 4
      }
      let retry = RetryPolicy { _ in .seconds(10) }
      let copy = AsyncResource(
        options: LoadOptions(retry: retry, timeout: .seconds(5), clock: clock),
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(source) })
      copy.start()
      await clock.sleepers(atLeast: 2)
      await clock.advance(by: .seconds(5))
      await copy.settled()
      #expect(copy.error is LoadTimeoutError)
      isDown.write(false)
      await source.load()
      await source.settled()
      await copy.settled()
      #expect(copy.value == 4 && copy.error == nil)
    }

    @Test("20.3 a failure that an observer has mended is none for what is made of it")
    func mendedByObserver() async {
      let source = AsyncResource<Int> { throw Failing() }
      let fallback = source.observe { if $0.error != nil { source.data.value = 7 } }
      let copy = AsyncResource(.value { (reporter: LoadReporter<Int>) in try await reporter.get(source) })
      await copy.load()
      await copy.settled()
      #expect(copy.value == 7 && copy.error == nil)
      withExtendedLifetime(fallback) {}
    }

    @Test("3.10, 20.2 a load that is replaced because its input changes has no more time than the first one")
    func timeOfRestarts() async {
      let clock = ManualClock()
      let price = AsyncResource { 1 }
      let gate = Gate<Int>()
      let quote = AsyncResource(
        options: LoadOptions(timeout: .seconds(5), clock: clock),
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(price) + (try await gate.wait()) })
      let call = Waiting { await quote.load() }
      for tick in 1...3 {
        await gate.arrived(tick)
        await clock.advance(by: .seconds(2))
        price.data.value = 10 * tick
      }
      _ = await call.end()
      #expect(quote.error is LoadTimeoutError)
    }

    @Test("20.3 however many attempts fail, what they got is watched once")
    func failedAttempts() async {
      let clock = ManualClock()
      let source = AsyncResource { 1 }
      let server = Gate<Int>()
      let copy = AsyncResource(
        options: LoadOptions(retry: RetryPolicy { _ in .seconds(1) }, clock: clock),
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(source) + (try await server.wait()) })
      copy.start()
      for attempt in 1...20 {
        await server.arrived(attempt)
        server.answer(call: attempt, with: .failure(Failing()))
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(1))
      }
      await server.arrived(21)
      #expect(source.data.observed.node.downstream.state.observers.count { $0.isLive } <= 2)
      server.answer(call: 21, with: .success(0))
      await copy.settled()
      #expect(copy.value == 1)
    }

    @Test("9.8, 20.1 a resource that has no key any more has no value for what is made of it, though one is displayed")
    func keyIsMissing() async {
      let hasKey = Input(true)
      let profile = AsyncResource<String> {
        guard hasKey.current else { throw NoKeyError() }
        return "Ann"
      }
      await profile.load()
      hasKey.write(false)
      let page = AsyncResource(
        .value { (reporter: LoadReporter<String>) in try await reporter.get(profile, when: .always) })
      await page.load()
      #expect(page.value == nil && page.error == nil)
    }

    @Test(
      "3.5, 3.10, 20.2 a call that waits for a later load has the time of that, also when the running one is replaced")
    func timeOfLaterLoad() async {
      let clock = ManualClock()
      let price = AsyncResource { 1 }
      let gate = Gate<Int>()
      let quote = AsyncResource(
        options: LoadOptions(timeout: .seconds(5), clock: clock),
        .value { (reporter: LoadReporter<Int>) in try await reporter.get(price) + (try await gate.wait()) })
      let first = Waiting { await quote.load() }
      await gate.arrived(1)
      await clock.advance(by: .seconds(4))
      quote.invalidate()
      let second = Waiting { await quote.load() }
      await second.begun()
      price.data.value = 10
      await gate.arrived(2)
      await clock.advance(by: .seconds(2))
      gate.answer(call: 2, with: .success(1))
      _ = await second.end()
      _ = await first.end()
      await quote.settled()
      #expect(quote.value == 11 && quote.error == nil)
    }

    @Test("20.1, 3.12 what a server makes of a value is requested again when a change of that is confirmed")
    func confirmed() async {
      let onServer = Input([1])
      let cart = AsyncResource { onServer.current }
      let total = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          _ = try await reporter.get(cart)
          // The server adds up what it has.
          return onServer.current.reduce(0, +)
        })
      await total.load()
      let commit = Gate<Void>()
      let order = Waiting {
        await cart.mutate {
          $0.append(10)
        } commit: {
          try await commit.wait()
          onServer.write(onServer.current + [10])
        }
      }
      await commit.arrived(1)
      await total.settled()
      #expect(cart.value == [1, 10] && total.value == 1)
      commit.answer(call: 1, with: .success(()))
      _ = await order.end()
      await total.settled()
      #expect(total.value == 11 && !total.isStale)
    }

    @Test("2.2, 20.1 a change that alters nothing is none for what is made of the value, when it is confirmed, either")
    func nothingChanged() async {
      let feed = AsyncResource { [1, 2] }
      let requests = Input(0)
      let badge = AsyncResource(
        .value { (reporter: LoadReporter<Int>) in
          requests.change { $0 += 1 }
          return try await reporter.get(feed).count
        })
      await badge.load()
      await feed.mutate {
        $0.sort()
      } commit: {
      }
      await badge.settled()
      #expect(requests.current == 1)
    }
  }
}
