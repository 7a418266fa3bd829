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
    let results = AsyncResource(following: query, delay: .milliseconds(300), former: .untilAnswered) { text in
      try await catalogue.entries(matching: text)
    }
    return results
  }

  struct Bank: Sendable {
    func rates() async throws -> [String: Double] { ["EUR": 1] }
  }

  actor Exchange {
    let bank = Bank()
    lazy var rates = AsyncResource(isolation: self) { [bank] in .value { try await bank.rates() } }

    func load() async -> [String: Double]? {
      await rates.load()
      return rates.value
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
    switch articles.status() {
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
