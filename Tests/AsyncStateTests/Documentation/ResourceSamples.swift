// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting
import Testing

/// The samples in the comments of resources and of what displays them.
enum ResourceSamples {
  typealias Article = CommentSamples.Article

  struct Service: Sendable {
    static let shared = Service()
    func articles() async throws -> [Article] { [Article(title: "Rain")] }
  }

  @MainActor
  final class ArticlesScreen {
    let articles = AsyncResource { try await Service.shared.articles() }

    func viewDidLoad() { articles.start() }
    func pullToRefresh() async { await articles.load() }
  }

  @MainActor
  final class PacedScreen {
    let articles = AsyncResource { try await Service.shared.articles() }
    lazy var display = PacedStatus(articles, pacer: DisplayPacer())
  }

  struct Catalogue: Sendable {
    func entries(matching text: String) async throws -> [String] { [text, text + text] }
  }

  @MainActor
  static func results(_ query: Observed<String?>, _ catalogue: Catalogue) -> AsyncResource<[String]> {
    let results = AsyncResource(following: query, delay: .milliseconds(300), previous: .untilAnswered) { text in
      try await catalogue.entries(matching: text)
    }
    return results
  }

  struct Bank: Sendable {
    func rates() async throws -> [String: Double] { ["EUR": 1] }
    func rate(of currency: String) async throws -> Double { currency == "EUR" ? 1 : 2 }
  }

  actor Exchange {
    let bank = Bank()
    lazy var rates = AsyncResource(isolation: self) { [bank] in .value { try await bank.rates() } }

    func load() async -> [String: Double]? {
      await rates.load()
      return rates.value
    }
  }

  actor Currencies {
    let bank = Bank()
    lazy var rates = AsyncFamily(isolation: self) { [bank] (currency: String) in
      .value { try await bank.rate(of: currency) }
    }

    func rate(of currency: String) async -> Double? {
      await rates[currency].load()
      return rates[currency].value
    }
  }

  struct Share: Equatable, Sendable {
    var isTraded: Bool
  }

  struct Market: Sendable {
    func lastPrice(of share: Share) async throws -> Int { 3 }
    func prices(of share: Share) async throws -> AsyncStream<Int> { AsyncStream { $0.yield(4) } }
  }

  @MainActor
  static func price(_ share: Observed<Share?>, _ market: Market) -> AsyncResource<Int> {
    let price = AsyncResource(following: share) { share in
      share.isTraded ? .live { try await market.prices(of: share) } : .value { try await market.lastPrice(of: share) }
    }
    return price
  }

  protocol ManySources: Sendable {
    func posts(at cursor: Int?) async throws -> Paged<String, Int>.Page
    func prices(of id: Int) async throws -> AsyncStream<Int>
  }

  @MainActor
  static func sources(_ service: any ManySources) -> (AsyncResource<Paged<String, Int>>, AsyncFamily<Int, Int>) {
    let feed = AsyncResource(.pages { page in try await service.posts(at: page.cursor) })
    let prices = AsyncFamily { (id: Int) in .live { try await service.prices(of: id) } }
    return (feed, prices)
  }

  actor Wall {
    private let bank: any ManySources
    lazy var feed = AsyncResource(isolation: self) { [bank] in
      .pages { page in try await bank.posts(at: page.cursor) }
    }

    init(_ bank: any ManySources) { self.bank = bank }

    func items() async -> [String]? {
      await feed.load()
      return feed.value?.items
    }
  }

  struct Portraits: Sendable {
    func portrait(of bird: String) async throws -> String { "a \(bird)" }
  }

  @MainActor
  static func row(_ portraits: Portraits) -> CellHost<LoadingRow<String, String>> {
    let host = CellHost(cancelsLoadWhenHidden: true) {
      LoadingRow { (bird: String) in try await portraits.portrait(of: bird) }
    }
    return host
  }

  @MainActor
  static func message(_ articles: AsyncResource<[Article]>) -> String {
    var message = ""
    func showIndicator() { message = "…" }
    func showMessage(_ text: String, retry: (() -> Void)? = nil) { message = text }
    func showList(_ articles: [Article]) { message = articles.map(\.title).joined() }
    switch articles.status {
    case .loading: showIndicator()
    case .error(let error): showMessage("\(error)")
    case .data(let articles): showList(articles)
    case .noData: showMessage("Nothing here")
    case .idle: showMessage("Not loaded", retry: { articles.reload() })
    case .waiting: showMessage("Waiting for a network")
    }
    return message
  }
}

extension AllTests {
  @MainActor
  struct ResourceSampleTests {
    @Test("a resource is a stored property, in a class of the main actor and in an actor")
    func resources() async {
      let screen = ResourceSamples.ArticlesScreen()
      #expect(ResourceSamples.message(screen.articles) == "…")
      screen.viewDidLoad()
      await screen.pullToRefresh()
      #expect(ResourceSamples.message(screen.articles) == "Rain")
      let paced = ResourceSamples.PacedScreen()
      #expect(paced.display.status == nil)
      let exchange = ResourceSamples.Exchange()
      #expect(await exchange.load() == ["EUR": 1])
    }

    private struct Exchanges: ResourceSamples.ManySources {
      func posts(at cursor: Int?) async throws -> Paged<String, Int>.Page { .init(items: ["post"], next: nil) }
      func prices(of id: Int) async throws -> AsyncStream<Int> { AsyncStream { $0.yield(id) } }
    }

    @Test("a source is a list in pages, a stream, and another one for another key")
    func sources() async throws {
      let (feed, prices) = ResourceSamples.sources(Exchanges())
      #expect(try await feed.load().get()?.items == ["post"])
      #expect(try await prices[5].get() == 5)
      #expect(await ResourceSamples.Wall(Exchanges()).items() == ["post"])
      #expect(await ResourceSamples.Currencies().rate(of: "EUR") == 1)
      let share = Input<ResourceSamples.Share?>(ResourceSamples.Share(isTraded: false))
      let price = ResourceSamples.price(share.observed, ResourceSamples.Market())
      #expect(try await price.get() == 3)
      share.write(ResourceSamples.Share(isTraded: true))
      #expect(try await price.get() == 4)
    }

    @Test("results follow the query")
    func results() async throws {
      let query = Input<String?>("ab")
      let results = ResourceSamples.results(query.observed, ResourceSamples.Catalogue())
      #expect(try await results.load().get() == ["ab", "abab"])
    }

    @Test("a row loads when it is displayed")
    func row() async {
      let host = ResourceSamples.row(ResourceSamples.Portraits())
      host.configure(with: "wren")
      host.willDisplay()
      await host.controller?.resource.settled()
      #expect(host.controller?.resource.value == "a wren")
    }
  }
}
