// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article Servers.
enum ServersSamples {
  protocol Accounts: Sendable {
    func balance(of account: Int) async throws -> Int
  }

  actor Session {
    private let account: Int
    private let accounts: any Accounts
    private let options: LoadOptions
    private lazy var balance = AsyncResource(isolation: self, options: options) { [account, accounts] in
      .value { try await accounts.balance(of: account) }
    }

    init(account: Int, accounts: any Accounts, clock: any Clock<Duration> = ContinuousClock()) {
      self.account = account
      self.accounts = accounts
      options = LoadOptions(staleAfter: .seconds(30), timeout: .seconds(2), clock: clock)
    }

    func currentBalance() async throws -> Int { try await balance.get() }

    func transferHappened() { balance.invalidate() }
  }

  static func total(of sessions: [Session]) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for session in sessions {
        group.addTask { try await session.currentBalance() }
      }
      return try await group.reduce(0, +)
    }
  }

  protocol Bank: Sendable {
    func rate(of currency: String) async throws -> Double
  }

  actor RateCache {
    private let bank: any Bank
    private let options: LoadOptions
    lazy var rates = AsyncFamily<String, Double>(isolation: self, options: options) { [bank] currency in
      .value { try await bank.rate(of: currency) }
    }

    init(bank: any Bank, clock: any Clock<Duration> = ContinuousClock()) {
      self.bank = bank
      options = LoadOptions(staleAfter: .seconds(60), timeout: .seconds(10), clock: clock)
    }

    func rate(of currency: String) async throws -> Double {
      let rate = rates[currency]
      guard let known = rate.value else { return try await rate.get() }
      rate.start(when: .stale)
      return known
    }
  }

  final class Line: AsyncStatusPresenter {
    private(set) var text = ""
    func transitionToLoading(animated: Bool) { text = "measuring" }
    func transitionToError(_ error: any Error, animated: Bool) { text = "unknown" }
    func transitionToNoData(animated: Bool) { text = "nothing to measure" }
    func transitionToIdle(animated: Bool) { text = "not measured" }
    func transitionToWaiting(animated: Bool) { text = "waiting" }
    func transitionToData(_ load: Double, animated: Bool) { text = "\(Int(load * 100)) %" }
  }

  actor Dashboard {
    private let probe: any Probe
    private let line = Line()
    private lazy var load = AsyncResource(isolation: self) { [probe] in .value { try await probe.load() } }
    private lazy var host = AsyncHost(load)

    var text: String { line.text }

    init(measuring probe: any Probe) { self.probe = probe }

    func begin() {
      host.presenter = line
      host.start()
    }

    func end() { load.cancel() }

    func poll() async {
      await load.poll(every: { $0.error == nil ? .seconds(10) : .seconds(60) })
    }

    func loads() -> AsyncStream<Double?> { load.observed.map { $0.value }.values }
  }

  protocol Probe: Sendable {
    func load() async throws -> Double
  }

  struct Account: Sendable {
    var currency: String
  }

  actor Trip {
    private lazy var account = AsyncResource(isolation: self) { .value { Account(currency: "CHF") } }
    private lazy var rates = AsyncFamily<String, Double>(isolation: self) { _ in .value { 0.95 } }
    private lazy var price = AsyncResource(isolation: self) { [account, rates] in
      .of(account, then: { rates[$0.currency] }) { account, rate in "\(100 * rate) \(account.currency)" }
    }

    func begin() { price.start() }
  }
}

extension ServersSamples.Trip {
  var displayed: String? {
    get async {
      await price.settled()
      return price.value
    }
  }

  func change(to currency: String) { account.data.value = ServersSamples.Account(currency: currency) }
}

private struct AccountBank: ServersSamples.Accounts {
  let server: ManualServer<Void>?
  let asked = AsyncStream<Int>.makeStream()

  func balance(of account: Int) async throws -> Int {
    asked.continuation.yield(account)
    try await server?.wait()
    return account
  }
}

extension ServersSamples.RateCache {
  fileprivate func settled() async { await rates["EUR"].settled() }
}

private struct GatedBank: ServersSamples.Bank {
  let server = ManualServer<Double>()
  func rate(of currency: String) async throws -> Double { try await server.wait() }
}

private struct GatedProbe: ServersSamples.Probe {
  let server = ManualServer<Double>()
  var life: Census.Life?
  func load() async throws -> Double { try await server.wait() }
}

extension AllTests {
  struct ServersSampleTests {
    @Test("20.1 a value on an actor is made of others, and requested again with them")
    func madeOfOthers() async {
      let trip = ServersSamples.Trip()
      await trip.begin()
      #expect(await trip.displayed == "95.0 CHF")
      await trip.change(to: "EUR")
      #expect(await trip.displayed == "95.0 EUR")
    }

    @Test("ten thousand sessions, each on an actor of its own, all at once")
    func sessions() async throws {
      let bank = AccountBank(server: nil)
      let clock = ManualClock()
      let sessions = (0..<10_000).map { ServersSamples.Session(account: $0, accounts: bank, clock: clock) }
      let total = try await ServersSamples.total(of: sessions)
      #expect(total == 9_999 * 10_000 / 2)
      // All fresh: nothing is requested a second time.
      let again = try await ServersSamples.total(of: sessions)
      #expect(again == total)
      bank.asked.continuation.finish()
      let asked = await bank.asked.stream.reduce(0) { count, _ in count + 1 }
      #expect(asked == 10_000)
    }

    @Test("in whatever order requests are made, each answer is requested once")
    func join() async throws {
      let server = ManualServer<Void>()
      let bank = AccountBank(server: server)
      let session = ServersSamples.Session(account: 7, accounts: bank, clock: ManualClock())
      async let first = session.currentBalance()
      await server.arrived(1)
      async let second = session.currentBalance()
      server.answer(call: 1, with: .success(()))
      let both = try await [first, second]
      #expect(both == [7, 7])
      await session.transferHappened()
      server.answer(call: 2, with: .success(()))
      let third = try await session.currentBalance()
      #expect(third == 7)
      bank.asked.continuation.finish()
      let asked = await bank.asked.stream.reduce(0) { count, _ in count + 1 }
      #expect(asked == 2)
    }

    @Test("a cache answers with the former value at once, and gets the next one meanwhile")
    func staleWhileRevalidating() async throws {
      let bank = GatedBank()
      let clock = ManualClock()
      let cache = ServersSamples.RateCache(bank: bank, clock: clock)
      bank.server.answer(call: 1, with: .success(1))
      #expect(try await cache.rate(of: "EUR") == 1)
      await clock.advance(by: .seconds(60))
      #expect(try await cache.rate(of: "EUR") == 1, "without waiting for the second request")
      await bank.server.arrived(2)
      bank.server.answer(call: 2, with: .success(2))
      await cache.settled()
      #expect(try await cache.rate(of: "EUR") == 2)
      #expect(bank.server.callCount == 2)
    }

    @Test("a host on an actor shows what its data say, its values can be streamed, and nothing keeps it")
    func dashboard() async {
      let census = Census()
      do {
        let probe = GatedProbe(life: census.newLife())
        let dashboard = ServersSamples.Dashboard(measuring: probe)
        var loads = await dashboard.loads().makeAsyncIterator()
        #expect(await loads.next() == .some(nil))
        await dashboard.begin()
        #expect(await dashboard.text == "measuring")
        await probe.server.arrived(1)
        probe.server.answer(call: 1, with: .success(0.7))
        #expect(await loads.next() == 0.7)
        #expect(await dashboard.text == "70 %")
        await dashboard.end()
      }
      await census.isEmpty()  // Neither the host nor the resource keeps the dashboard.
    }

    @Test("a poll ends with its task")
    func poll() async {
      let probe = GatedProbe()
      let dashboard = ServersSamples.Dashboard(measuring: probe)
      let polling = Task { await dashboard.poll() }
      await probe.server.arrived(1)
      polling.cancel()
      await polling.value
    }
  }
}
