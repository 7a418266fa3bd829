// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Answers that say for how long they are fresh.
  @MainActor
  struct LifetimeOfAnswersTests {
    private struct Token: Equatable {
      var number = 0
      var lifetime: Duration?
    }

    private let clock = ManualClock()
    private var options: LoadOptions { LoadOptions(staleAfter: .seconds(60), clock: clock) }

    @Test(
      "2.4 an answer is stale at the age that it says, be it more or less than that of the options; without one, at that",
      arguments: [(10, 10), (3_600, 3_600), (nil, 60), (0, 0), (-1, 0)] as [(Int?, Int)])
    func age(lifetime: Int?, limit: Int) async {
      let answer = Token(lifetime: lifetime.map { .seconds($0) })
      let token = AsyncResource(options: options, .value { answer }.fresh { $0.lifetime })
      expect(token.isStale)
      await token.load()
      if limit > 0 {
        await clock.advance(by: .seconds(limit) - .nanoseconds(1))
        expect(!token.isStale)
        expect(token.data.age != nil)
        await expectEqual(token.load(when: .stale).word, "fresh")
        await clock.advance(by: .nanoseconds(1))
      }
      expect(token.isStale)
      await expectEqual(token.load(when: .stale).word, "value")
      token.invalidate()
      expect(token.isStale)
    }

    @Test("2.4, 12.1 a stored value is fresh as long as it says, for callers that want what is not stale")
    func stored() async {
      let store = MemoryStore<Int, Token>(clock: clock)
      store.put(Token(number: 7, lifetime: .seconds(3_600)), for: 1, age: .seconds(100))
      store.put(Token(number: 7, lifetime: .seconds(3_600)), for: 2, age: .seconds(100))
      store.put(Token(number: 7, lifetime: .seconds(10)), for: 3, age: .seconds(30))
      let tokens = AsyncFamily<Int, Token>(options: options, store: store) { number in
        .value { Token(number: number, lifetime: .seconds(3_600)) }.fresh { $0.lifetime }
      }
      await expectEqual(tokens[1].load(when: .stale).word, "fresh")
      expectEqual(tokens[1].value?.number, 7)
      // Both want one load: one of them accepts less.
      let other = tokens[2]
      let calls = [LoadCondition.stale, .always].map { condition in
        Waiting { await other.load(when: condition).word }
      }
      for call in calls { await expectEqual(call.end(), "value") }
      expectEqual(other.value?.number, 2)
      await expectEqual(tokens[3].load(when: .stale).word, "value")
    }

    @Test("2.4, 9.3 the source of another key may say no time")
    func anotherKey() async {
      let key = Input<Int?>(10)
      let token = AsyncResource(following: key.observed, options: options) { number in
        number == 0
          ? .value { Token(lifetime: .seconds(1)) }
          : .value { Token(number: number, lifetime: .seconds(number)) }.fresh { $0.lifetime }
      }
      await token.load()
      await clock.advance(by: .seconds(10))
      expect(token.isStale)
      key.write(0)
      await token.settled()
      await clock.advance(by: .seconds(59))
      expect(!token.isStale)
      await clock.advance(by: .seconds(1))
      expect(token.isStale)
    }
  }
}

extension AsyncOutcome {
  fileprivate var word: String {
    switch self {
    case .success: "value"
    case .notRequested: "fresh"
    case .failure, .cancelled, .superseded: "neither"
    }
  }
}
