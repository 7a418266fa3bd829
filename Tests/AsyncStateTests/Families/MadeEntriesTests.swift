// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// Entries of families that are made of others.
  @MainActor
  struct MadeEntriesTests {
    @Test(
      "12.1, 20.2 what is stored of a value that is made of others is displayed, and never fresh: they may have changed",
      arguments: [false, true])
    func stored(isOtherLaunch: Bool) async throws {
      let clock = ManualClock()
      let store = MemoryStore<Int, Int>(clock: clock)
      let rate = AsyncResource { 1 }
      func launch() -> AsyncFamily<Int, Int> {
        AsyncFamily(options: LoadOptions(staleAfter: .seconds(60), clock: clock), keepUnused: 0, store: store) { key in
          key > 0 ? .of(rate) { key * 10 + $0 } : .value { 0 }
        }
      }
      var prices = launch()
      for (key, value) in [0, 11].enumerated() { await expectEqual(prices[key].load().word, "value \(value)") }
      await prices.settled()
      prices.trim()
      try #require(prices.entries.isEmpty)
      if isOtherLaunch { prices = launch() }
      rate.data.value = 2
      let (price, other) = (prices[1], prices[0])
      await expectEqual(price.load(when: .stale).word, "value 12")
      expect(!price.isStale)
      // One that is made of nothing is as fresh as its age.
      await expectEqual(other.load(when: .stale).word, "fresh 0")
    }

    @Test(
      "20.2 what an entry was made of is forgotten, or reset: the store of its family has it no more, and it is requested again later",
      arguments: [false, true])
    func removed(isReset: Bool) async throws {
      let name = Input("Ann")
      let profile = AsyncResource<String> { name.current }
      let store = MemoryStore<Int, String>()
      let summaries = AsyncFamily<Int, String>(store: store) { _ in .of(profile) { "Hello, \($0)" } }
      let summary = summaries[0]
      await summary.load()
      await summary.settled()
      try await expectEqual(store.read(0, isolation: #isolation)?.value, "Hello, Ann")
      if isReset { profile.reset() } else { profile.forget() }
      expectNil(summary.value)
      expect(!summary.isRunning)
      await summary.settled()
      try await expectNil(store.read(0, isolation: #isolation))
      name.write("Bob")
      await profile.load()
      await summary.settled()
      expectEqual(summary.value, "Hello, Bob")
      try await expectEqual(store.read(0, isolation: #isolation)?.value, "Hello, Bob")
    }

    @Test(
      "20.1 an entry that is held is made again when its part changes, others are marked", arguments: [false, true])
    func held(hasBoard: Bool) async {
      let rate = AsyncResource { 1 }
      var made: [Int] = []
      let prices = AsyncFamily<Int, Int>(board: hasBoard ? AsyncTagBoard() : nil) { key in
        .of(rate) {
          made.append(key)
          return key * $0
        }
      }
      let price = prices[1]
      await price.load()
      await prices[2].load()
      made = []
      rate.data.value = 10
      await prices.settled()
      expectEqual(price.value, 10)
      expectEqual(made, [1])
      expectEqual(prices.entries.filter { $0.snapshot.isInvalidated }.map(\.key), [2])
      await expectEqual(prices[2].load(when: .stale).word, "value 20")
    }

    @Test(
      "11.4, 20.1 at a closed gate of its board an entry is marked, and made at the opening, of parts that are equal not"
    )
    func gate() async {
      let rate = AsyncResource { [1, 0] }
      let first = AsyncResource(.of(rate) { $0[0] })
      let board = AsyncTagBoard()
      var count = 0
      let prices = AsyncFamily<Int, Int>(board: board) { key in
        .of(first) {
          count += 1
          return key * $0
        }
      }
      let price = prices[1]
      await price.load()
      board.gate.close()
      rate.data.value = [1, 1]
      await first.settled()
      expect(price.isStale)
      expect(!price.isRunning)
      expectEqual(count, 1)
      board.gate.open()
      await prices.settled()
      expect(!price.isStale)
      expectEqual(count, 1)
      board.gate.close()
      rate.data.value = [2, 1]
      await first.settled()
      board.gate.open()
      await prices.settled()
      expectEqual(price.value, 2)
      expectEqual(count, 2)
    }

    @Test("20.1 a value that was restored while what is made of it is marked is not awaited for ever")
    func restored() async {
      let source = AsyncFamily<Int, Int> { $0 }
      let middle = AsyncFamily<Int, Int> { key in .of(source[key]) { $0 } }
      await middle[1].load()
      source[1].data.value = 5
      middle.restore(StoredValue(7, age: .zero), for: 1)
      let outer = AsyncResource(.of(middle[1]) { $0 })
      expect(await outer.load().word.hasPrefix("value"))
      await outer.settled()
      await middle.settled()
    }
  }
}
