import AsyncState
import AsyncStateTesting
import Testing

/// The samples of README.md.
enum ReadmeSamples {
  protocol NewsService: Sendable {
    func headlines() async throws -> [String]
  }

  @MainActor
  final class HeadlinesScreen: @MainActor AsyncStatusPresenter {
    private(set) var line = ""
    let host: AsyncHost<[String]>

    init(service: any NewsService) {
      host = AsyncHost(AsyncResource { try await service.headlines() }, policy: .emptyIsNoData())
      host.presenter = self
    }

    func viewDidLoad() { host.load() }
    func transitionToLoading(animated: Bool) { line = "One moment …" }
    func transitionToError(_ error: any Error, animated: Bool) { line = "That did not work: \(error)" }
    func transitionToNoData(animated: Bool) { line = "No news today." }
    func transitionToData(_ headlines: [String], animated: Bool) { line = headlines.joined(separator: ", ") }
  }

  @MainActor
  static func use(_ service: any NewsService) -> HeadlinesScreen {
    let screen = HeadlinesScreen(service: service)
    screen.viewDidLoad()
    return screen
  }

  actor RateCache {
    let bank: any Bank
    lazy var rates = AsyncResource(isolation: self, staleAfter: .seconds(60)) { [bank] in try await bank.rates() }

    init(bank: any Bank) { self.bank = bank }

    func rate(of currency: String) async throws -> Double? {
      try await rates.load(when: .stale).get()?[currency]
    }
  }

  protocol Bank: Sendable {
    func rates() async throws -> [String: Double]
  }
}

private struct GatedNews: ReadmeSamples.NewsService {
  let gate = Gate<[String]>()
  func headlines() async throws -> [String] { try await gate.wait() }
}

private struct GatedBank: ReadmeSamples.Bank {
  let gate = Gate<[String: Double]>()
  func rates() async throws -> [String: Double] { try await gate.wait() }
}

private struct NoConnection: Error {}

@Suite("Samples of the README", .timeLimit(.minutes(1)))
@MainActor
struct ReadmeSampleTests {
  private let news = GatedNews()

  private func answer(
    _ call: Int, _ result: Result<[String], any Error>, to screen: ReadmeSamples.HeadlinesScreen
  ) async {
    await news.gate.arrived(call)
    news.gate.answer(call: call, with: result)
    await screen.host.settled()
  }

  @Test("the screen displays each of the four; a refresh keeps what is displayed, and so does a cancel")
  func screen() async {
    let screen = ReadmeSamples.use(news)
    #expect(screen.line == "One moment …")
    await answer(1, .success(["Rain", "Sun"]), to: screen)
    #expect(screen.line == "Rain, Sun")

    screen.host.reload()
    #expect(screen.line == "One moment …")
    await answer(2, .success([]), to: screen)
    #expect(screen.line == "No news today.")

    screen.host.data.value = ["Wind"]
    screen.host.refresh()
    #expect(screen.line == "Wind")
    await answer(3, .failure(NoConnection()), to: screen)
    #expect(screen.line == "That did not work: NoConnection()")

    screen.host.data.value = ["Rain"]
    screen.host.refresh()
    screen.host.data.cancel()
    #expect(screen.line == "Rain")
  }

  @Test("a hundred concurrent callers of the cache make one request, and so does a minute")
  func cache() async throws {
    let bank = GatedBank()
    let cache = ReadmeSamples.RateCache(bank: bank)
    try await withThrowingTaskGroup(of: Double?.self) { group in
      for _ in 1...100 { group.addTask { try await cache.rate(of: "EUR") } }
      await bank.gate.arrived(1)
      bank.gate.answer(call: 1, with: .success(["EUR": 1.1]))
      for try await rate in group { #expect(rate == 1.1) }
    }
    // A second request would never be answered.
    #expect(try await cache.rate(of: "CHF") == nil)
  }
}
