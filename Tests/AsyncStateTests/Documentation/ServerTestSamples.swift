// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

private typealias Bank = ServersSamples.Bank
private typealias RateCache = ServersSamples.RateCache

extension RateCache {
  func awaited(by calls: Int) async { await rates["EUR"].awaited(by: calls) }
  func answered() async { await rates["EUR"].settled() }
}

extension AllTests {
  /// The test of the article Servers. Its actor stands with the other samples of it.
  struct ServerTestSampleTests {
    struct GatedBank: Bank {
      let server = ManualServer<Double>()
      func rate(of currency: String) async throws -> Double { try await server.wait(for: currency) }
    }

    @Test("a hundred clients make one request; a minute later the known rate is answered while the next is requested")
    func rates() async throws {
      let (bank, clock) = (GatedBank(), ManualClock())
      let cache = RateCache(bank: bank, clock: clock)
      let clients = (1...100).map { _ in Task { try await cache.rate(of: "EUR") } }
      await cache.awaited(by: 100)
      bank.server.answer(call: 1, with: .success(0.95))
      for client in clients { #expect(try await client.value == 0.95) }

      await clock.advance(by: .seconds(60))
      bank.server.answer(call: 2, with: .success(0.97))
      #expect(try await cache.rate(of: "EUR") == 0.95)
      await cache.answered()
      #expect(try await cache.rate(of: "EUR") == 0.97)
      #expect(bank.server.callCount == 2)
    }
  }
}
