// SPDX-License-Identifier: MIT
// A server actor that keeps an answer for a minute, and makes one request for all concurrent callers.

import AsyncState

protocol Bank: Sendable {
  func rates() async throws -> [String: Double]
}

actor RateCache {
  private let bank: any Bank
  private let clock: any Clock<Duration>
  private lazy var rates = AsyncResource(
    isolation: self,
    options: LoadOptions(staleAfter: Mistake.answerNeverExpires.isMade ? nil : .seconds(60), clock: clock)
  ) { [bank] in .value { try await bank.rates() } }

  init(bank: any Bank, clock: any Clock<Duration> = ContinuousClock()) {
    self.bank = bank
    self.clock = clock
  }

  func rate(of currency: String) async throws -> Double? {
    if Mistake.everyCallerRequests.isMade { return try await bank.rates()[currency] }
    return try await rates.load(when: Mistake.nothingIsCached.isMade ? .always : .stale).get()?[currency]
  }
}
