// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

@testable import Newcomer

private struct GatedBank: Bank {
  let gate = ManualServer<[String: Double]>()
  func rates() async throws -> [String: Double] { try await gate.wait() }
}

@Suite("The server cache", .timeLimit(.minutes(5)))
struct RateCacheTests {
  private let clock = ManualClock()
  private let bank = GatedBank()

  @Test("a hundred concurrent callers make one request", .repeated(noticing: .everyCallerRequests))
  func concurrentCallers() async throws {
    let cache = RateCache(bank: bank, clock: clock)
    // One answer is enough. The others let the test end if there are more requests.
    for call in 1...100 { bank.gate.answer(call: call, with: .success(["EUR": 1.1])) }
    try await withThrowingTaskGroup(of: Double?.self) { group in
      for _ in 1...100 { group.addTask { try await cache.rate(of: "EUR") } }
      for try await rate in group { #expect(rate == 1.1) }
    }
    #expect(bank.gate.callCount == 1)
  }

  @Test("an answer is kept for a minute", .repeated(noticing: .answerNeverExpires, .nothingIsCached))
  func aMinute() async throws {
    let cache = RateCache(bank: bank, clock: clock)
    for call in 1...4 { bank.gate.answer(call: call, with: .success(["EUR": Double(call)])) }
    #expect(try await cache.rate(of: "EUR") == 1)
    await clock.advance(by: .seconds(59))
    #expect(try await cache.rate(of: "EUR") == 1)
    await clock.advance(by: .seconds(1))
    #expect(try await cache.rate(of: "EUR") == 2)
    #expect(try await cache.rate(of: "CHF") == nil)
    #expect(bank.gate.callCount == 2)
  }

  @Test("a request that fails fails for those who wait, and the next caller makes another", .repeated())
  func failure() async throws {
    let cache = RateCache(bank: bank, clock: clock)
    bank.gate.answer(call: 1, with: .failure(NoConnection()))
    bank.gate.answer(call: 2, with: .success(["EUR": 1.1]))
    await #expect(throws: NoConnection.self) { try await cache.rate(of: "EUR") }
    #expect(try await cache.rate(of: "EUR") == 1.1)
  }
}
