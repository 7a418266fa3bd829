// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of README.md.
enum ReadmeSamples {
  actor RateCache {
    let bank: any Bank
    lazy var rates = AsyncResource(isolation: self, options: LoadOptions(staleAfter: .seconds(60))) { [bank] in
      try await bank.rates()
    }

    init(bank: any Bank) { self.bank = bank }

    func rate(of currency: String) async throws -> Double? {
      try await rates.get(acceptingStale: true)[currency]
    }
  }

  struct Article: Equatable, Sendable {
    var id: Int
    var title = ""
  }

  struct Service: Sendable {
    static let shared = Service()
    func article(_ id: Int) async throws -> Article { Article(id: id) }
  }

  @MainActor
  static func sharedArticles() async throws -> (Article, isShared: Bool) {
    let articles = AsyncFamily<Int, Article>(options: LoadOptions(staleAfter: .seconds(60))) { id in
      try await Service.shared.article(id)
    }
    let detail = articles[7]  // The same resource for every screen, as long as one of them holds it.
    return (try await detail.get(), articles[7] === detail)
  }

  protocol Bank: Sendable {
    func rates() async throws -> [String: Double]
  }
}

private struct GatedBank: ReadmeSamples.Bank {
  let gate = Gate<[String: Double]>()
  func rates() async throws -> [String: Double] { try await gate.wait() }
}

@Suite("Samples of the README", .timeLimit(.minutes(5)))
@MainActor
struct ReadmeSampleTests {
  typealias Article = ReadmeSamples.Article

  @MainActor
  func text(of articles: AsyncResource<[Article]>) -> String {
    switch articles.status(policy: .emptyIsNoData()) {
    case .loading: "One moment …"
    case .noData: "Nothing here yet."
    case .idle: "Not loaded."
    case .waiting: "Waiting for a network."
    case .error(let error): "Not loaded: \(error)"
    case .data(let articles): articles.map(\.title).joined(separator: ", ")
    }
  }

  @Test("an answer without articles is displayed as “nothing here”")
  @MainActor
  func empty() async {
    let server = Gate<[Article]>()
    let articles = AsyncResource { try await server.wait() }
    articles.start()
    #expect(text(of: articles) == "One moment …")

    await server.arrived(1)
    server.answer(call: 1, with: .success([]))
    await articles.settled()
    #expect(text(of: articles) == "Nothing here yet.")
  }

  @Test("an answer with articles, and an error, are displayed as what they are")
  func others() async {
    struct Failure: Error {}
    let data = AsyncResource { [Article(id: 1, title: "Rain"), Article(id: 2, title: "Sun")] }
    await data.load()
    #expect(text(of: data) == "Rain, Sun")
    let error = AsyncResource { () throws -> [Article] in throw Failure() }
    await error.load()
    #expect(text(of: error) == "Not loaded: Failure()")
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
    let (article, isShared) = try await ReadmeSamples.sharedArticles()
    #expect(article.id == 7 && isShared)
    // A second request would never be answered.
    #expect(try await cache.rate(of: "CHF") == nil)
  }
}
