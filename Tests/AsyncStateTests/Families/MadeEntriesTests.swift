// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  @MainActor
  struct StoredWatcherTests {
    @Test(
      "12.1, 20.7 what is stored of a value that watches others is displayed, and never fresh: they may have changed",
      arguments: [false, true])
    func stored(isOtherLaunch: Bool) async throws {
      let clock = ManualClock()
      let store = MemoryStore<Int, Int>(clock: clock)
      let rate = AsyncResource { 1 }
      func launch() -> AsyncFamily<Int, Int> {
        AsyncFamily(options: LoadOptions(staleAfter: .seconds(60), clock: clock), keepIdle: 0, store: store) {
          (key: Int) in
          .value { (reporter: LoadReporter<Int>) in key > 0 ? key * 10 + (try await reporter.get(rate)) : 0 }
        }
      }
      var prices = launch()
      for key in 0...1 { #expect(await prices[key].load().word == "value \(key * 11)") }
      await prices.settled()
      prices.trim()
      try #require(prices.entries.isEmpty)
      if isOtherLaunch { prices = launch() }
      rate.data.value = 2
      let (price, other) = (prices[1], prices[0])
      await price.load(when: .never)
      #expect(price.value == 11 && price.isStale)
      #expect(await price.load(when: .stale).word == "value 12")
      #expect(!price.isStale)
      // One that watches nothing is as fresh as its age.
      #expect(await other.load(when: .stale).word == "fresh 0")
    }
  }
}
