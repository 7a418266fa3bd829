// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the articles about screens: getting started, retry and refresh, search, endless lists, optimistic
/// changes.
enum ScreensSamples {
  protocol ArticleService: Sendable {
    func article() async throws -> String?
  }

  @MainActor
  final class ArticleScreen: @MainActor AsyncContent {
    let article: AsyncResource<String>
    let host: AsyncHost<String>
    private(set) lazy var board = StatusBoard(content: self, article)
    private(set) var text = ""

    init(service: any ArticleService) {
      article = AsyncResource { try await service.article() }
      host = AsyncHost(article)
      host.presenter = board
    }

    func apply(_ article: String, animated: Bool) { text = article }
    var statusMessages: StatusMessages { StatusMessages(noData: "This article is not written yet.") }
    var canReload: Bool { true }
  }

  @MainActor
  final class ArticleModel {
    let article: AsyncResource<String>

    init(service: any ArticleService) {
      article = AsyncResource(options: LoadOptions(staleAfter: .seconds(300))) { try await service.article() }
    }

    func load() async {
      await article.load(when: .stale)
    }

    func refresh() async {
      await article.load()
    }
  }

  struct TooManyRequests: Error {
    var retryAfter: Duration?
  }

  struct Unavailable: Error {}

  static func patient() -> RetryPolicy {
    let retry = RetryPolicy { failed in failed.error is Unavailable && failed.count < 5 ? .seconds(failed.count) : nil }
    return retry
  }

  static func notAfterRefusal() -> RetryPolicy {
    RetryPolicy { $0.error is Unavailable ? nil : .seconds(1) }
  }

  static func honouring() -> RetryPolicy {
    let retry = RetryPolicy.exponential().honouring { error in (error as? TooManyRequests)?.retryAfter }
    return retry
  }

  struct Token: Sendable { var lifetime: Duration }

  protocol Auth: Sendable {
    func token() async throws -> Token
  }

  @MainActor
  static func token(from auth: any Auth) -> AsyncResource<Token> {
    let token = AsyncResource(.value { try await auth.token() }.fresh { $0.lifetime })
    return token
  }

  @MainActor
  static func article(from service: any ArticleService, clock: any Clock<Duration>) -> AsyncResource<String> {
    var options = LoadOptions(retry: .exponential(first: .seconds(1), retries: 3), timeout: .seconds(20))
    options.clock = clock
    let article = AsyncResource(options: options) { try await service.article() }
    return article
  }

  protocol Catalogue: Sendable {
    func entries(matching text: String) async throws -> [String]
  }

  @MainActor
  final class SearchModel {
    let text = Input<String?>(nil)
    let results: AsyncResource<[String]>

    init(catalogue: any Catalogue, clock: any Clock<Duration> = ContinuousClock()) {
      results = AsyncResource(
        following: text, delay: .milliseconds(300), previous: .untilAnswered, options: LoadOptions(clock: clock)
      ) { text in
        try await catalogue.entries(matching: text)
      }
      results.start()
    }

    func textDidChange(to newText: String) {
      text.write(newText.isEmpty ? nil : newText)
    }
  }

  protocol FeedBackend: Sendable {
    func page(at cursor: Int) async throws -> Paged<String, Int>.Page
  }

  struct ListedFeed: FeedBackend {
    let all: [String]

    func titles(from first: Int) async throws -> (titles: [String], isLast: Bool) {
      let titles = all.dropFirst(first).prefix(2)
      return (Array(titles), titles.endIndex == all.endIndex)
    }

    func page(at cursor: Int) async throws -> Paged<String, Int>.Page {
      let (titles, isLast) = try await titles(from: cursor)
      return Paged.Page(items: titles, next: isLast ? nil : cursor + titles.count)
    }
  }

  @MainActor
  static func host(_ feed: AsyncResource<Paged<String, Int>>) -> AsyncHost<Paged<String, Int>> {
    AsyncHost(feed, policy: .emptyIsNoData())
  }

  @MainActor
  final class FeedModel {
    let feed: AsyncResource<Paged<String, Int>>

    init(backend: any FeedBackend) {
      feed = AsyncResource(.pages { page in try await backend.page(at: page.cursor ?? 0) })
    }

    func willDisplay(row: Int) { feed.willDisplay(row: row) }
    func didEndDisplaying(row: Int) { feed.didEndDisplaying(row: row) }
  }

  struct Post: Equatable, Sendable {
    var title = ""
    var likes = 0
  }

  @MainActor
  final class PostModel {
    let post = AsyncData<Post>()
    private(set) var notice = ""

    func like(send: @escaping @MainActor () async throws -> Void) async {
      let outcome = await post.mutate {
        $0.likes += 1
      } commit: {
        try await send()
      }
      if case .failure(let error) = outcome { notice = "Not liked: \(error)" }
    }
  }

  @MainActor
  final class PriceModel {
    let price = AsyncData<Int>()

    @discardableResult
    func follow(_ stream: AsyncThrowingStream<Int, any Error>) -> LoadTask<Int> {
      price.start { reporter in
        for try await x in stream { try reporter.yield(x) }
        return reporter.current
      }
    }
  }
}

private struct Gated: ScreensSamples.ArticleService {
  let server = ManualServer<String?>()
  func article() async throws -> String? { try await server.wait() }

  @MainActor
  func answer(_ call: Int, _ result: Result<String?, any Error>) async {
    await server.arrived(call)
    server.answer(call: call, with: result)
  }
}

private struct GatedCatalogue: ScreensSamples.Catalogue {
  let server = ManualServer<[String]>()
  let asked = AsyncStream<String>.makeStream()

  func entries(matching text: String) async throws -> [String] {
    asked.continuation.yield(text)
    return try await server.wait()
  }
}

extension ScreensSamples.ArticleScreen {
  var line: String {
    switch board.visiblePart {
    case .nothing: ""
    case .indicator: "…"
    case .content: text
    case .noData(let message, let showsReload), .error(let message, let showsReload):
      showsReload ? "\(message) (r: try again)" : message
    }
  }
}

private struct Broken: Error, CustomStringConvertible {
  var description: String { "the line is dead" }
}

extension AllTests {
  @MainActor
  struct ScreensSampleTests {
    typealias FeedBackend = ScreensSamples.FeedBackend

    struct GatedFeed: FeedBackend {
      let server = ManualServer<Paged<String, Int>.Page>()
      func page(at cursor: Int) async throws -> Paged<String, Int>.Page { try await server.wait() }
    }

    private let service = Gated()

    @Test("4 a list in pages without items is no data")
    func emptyList() async {
      let model = ScreensSamples.FeedModel(backend: ScreensSamples.ListedFeed(all: []))
      let host = ScreensSamples.host(model.feed)
      host.start()
      await model.feed.settled()
      #expect(host.status.kind == .noData)
      let full = ScreensSamples.FeedModel(backend: ScreensSamples.ListedFeed(all: ["a", "b", "c"]))
      await full.feed.load()
      await full.feed.loadNext()
      #expect(full.feed.value?.items == ["a", "b", "c"] && full.feed.value?.next == nil)
      #expect(full.feed.status(policy: .emptyIsNoData()).kind == .data)
    }

    @Test("the board shows one part at a time, and its reload requests again")
    func board() async {
      let screen = ScreensSamples.ArticleScreen(service: service)
      #expect(screen.board.visiblePart == .nothing)
      screen.host.start()
      await service.answer(1, .success(nil))
      await screen.host.settled()
      #expect(screen.board.visiblePart == .noData(message: "This article is not written yet.", showsReload: true))
      #expect(screen.line == "This article is not written yet. (r: try again)")
      screen.board.reload()
      #expect(screen.board.visiblePart == .indicator)
      await service.answer(2, .failure(Broken()))
      await screen.host.settled()
      guard case .error(_, showsReload: true) = screen.board.visiblePart else {
        Issue.record("\(screen.board.visiblePart)")
        return
      }
      screen.board.reload()
      await service.answer(3, .success("Once upon a time"))
      await screen.host.settled()
      #expect(screen.board.visiblePart == .content)
      #expect(screen.text == "Once upon a time")
    }

    @Test("the model loads once while it is fresh, and a refresh keeps what is shown")
    func model() async {
      let model = ScreensSamples.ArticleModel(service: service)
      #expect(model.article.status.kind == .loading)
      async let first: Void = model.load()
      await service.answer(1, .success("Once"))
      await first
      await model.load()  // Fresh: nothing is requested, or this would not return.
      async let second: Void = model.refresh()
      await service.server.arrived(2)
      #expect(model.article.status.kind == .data)
      service.server.answer(call: 2, with: .success("Twice"))
      await second
      #expect(model.article.data.value == "Twice")
    }

    @Test("cancelling the task that waits ends the load and brings back what was there")
    func cancelled() async {
      let model = ScreensSamples.ArticleModel(service: service)
      model.article.data.value = "Once"
      let refreshing = Task { await model.refresh() }
      await service.server.arrived(1)
      refreshing.cancel()
      await refreshing.value
      #expect(!model.article.data.isRunning)
      #expect(model.article.data.value == "Once")
      #expect(model.article.data.error == nil)
    }

    @Test("each change of the text takes the place of the one before, and only the last reaches the catalogue")
    func search() async throws {
      let clock = ManualClock()
      let catalogue = GatedCatalogue()
      let model = ScreensSamples.SearchModel(catalogue: catalogue, clock: clock)
      model.textDidChange(to: "s")
      await clock.advance(by: .milliseconds(299))
      model.textDidChange(to: "sw")
      #expect(!model.results.isRunning)
      await clock.advance(by: .milliseconds(299))
      #expect(!model.results.isRunning)
      await clock.advance(by: .milliseconds(1))
      let load = model.results.start()  // Joins the request that has begun.
      await catalogue.server.arrived(1)
      catalogue.server.answer(call: 1, with: .success(["swallow", "swan"]))
      #expect(try await load.outcome().get() == ["swallow", "swan"])
      model.textDidChange(to: "swi")
      #expect(model.results.status == .data(["swallow", "swan"]))
      model.textDidChange(to: "")
      let screen = { model.results.status(policy: .emptyIsNoData(idle: .idle)) }
      #expect(screen() == .idle)
      model.textDidChange(to: "x")
      await clock.advance(by: .milliseconds(300))
      await catalogue.server.arrived(2)
      catalogue.server.answer(call: 2, with: .success([]))
      await model.results.settled()
      #expect(screen() == .noData)
      var asked = catalogue.asked.stream.makeAsyncIterator()
      #expect(await asked.next(isolation: #isolation) == "sw")
      #expect(clock.sleeperCount == 0)
    }

    @Test("a load that may be retried shows its failures, and gives up after the last")
    func retry() async {
      let clock = ManualClock()
      let article = ScreensSamples.article(from: service, clock: clock)
      let load = article.start()
      for (call, pause) in [Duration.seconds(1), .seconds(2), .seconds(4)].enumerated() {
        await service.answer(call + 1, .failure(Broken()))
        await clock.sleepers(atLeast: 1, dueWithin: pause)
        #expect(article.isRunning)
        await clock.advance(by: pause)
      }
      await service.answer(4, .failure(Broken()))
      guard case .failure = await load.outcome() else { return #expect(Bool(false)) }
      #expect(article.error is Broken)
    }

    @Test("the last rows request the next page, and a failure keeps the pages")
    func feed() async {
      let backend = GatedFeed()
      let model = ScreensSamples.FeedModel(backend: backend)
      let first = model.feed.start()
      await backend.server.arrived(1)
      backend.server.answer(call: 1, with: .success(.init(items: ["a", "b", "c", "d", "e"], next: 5)))
      _ = await first.outcome()
      model.willDisplay(row: 0)
      #expect(!model.feed.nextPage.isRunning, "far from the end")

      model.willDisplay(row: 2)
      await backend.server.arrived(2)
      backend.server.answer(call: 2, with: .failure(Broken()))
      await model.feed.settled()
      #expect(model.feed.nextPage.error is Broken)
      #expect(model.feed.error == nil)
      #expect(model.feed.status.kind == .data)

      // The row is scrolled away, and back.
      model.didEndDisplaying(row: 2)
      await model.feed.settled()
      model.willDisplay(row: 4)
      await backend.server.arrived(3)
      backend.server.answer(call: 3, with: .success(.init(items: ["f"], next: nil)))
      await model.feed.settled()
      #expect(model.feed.value?.items == ["a", "b", "c", "d", "e", "f"])
      #expect(model.feed.nextPage.error == nil)
      model.willDisplay(row: 5)
      #expect(!model.feed.nextPage.isRunning, "that was the last page")
    }

    @Test("9.15 a row near the end requests the next page")
    func nextPage() async {
      typealias FeedModel = ScreensSamples.FeedModel
      let backend = GatedFeed()
      let model = FeedModel(backend: backend)
      model.feed.start()
      await backend.server.arrived(1)
      backend.server.answer(call: 1, with: .success(.init(items: ["a", "b", "c"], next: 3)))
      await model.feed.settled()

      model.willDisplay(row: 2)
      await backend.server.arrived(2)
      backend.server.answer(call: 2, with: .success(.init(items: ["d"])))
      await model.feed.settled()
      #expect(model.feed.value?.items == ["a", "b", "c", "d"])
    }

    @Test("a like is displayed at once, and removed when it fails")
    func like() async {
      let model = ScreensSamples.PostModel()
      model.post.value = .init(likes: 7)
      let server = ManualServer<Void>()
      async let first: Void = model.like { try await server.wait() }
      await server.arrived(1)
      #expect(model.post.value?.likes == 8)
      server.answer(call: 1, with: .success(()))
      await first
      #expect(model.post.value?.likes == 8)

      async let second: Void = model.like { try await server.wait() }
      await server.arrived(2)
      #expect(model.post.value?.likes == 9)
      server.answer(call: 2, with: .failure(Broken()))
      await second
      #expect(model.post.value?.likes == 8)
      #expect(model.post.error == nil)
      #expect(model.notice == "Not liked: the line is dead")
    }

    @Test("each element of a stream is displayed as it arrives, and the last stays")
    func stream() async throws {
      let model = ScreensSamples.PriceModel()
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      let load = model.follow(stream)
      var seen: [AsyncStatusKind] = []
      var prices: [Int?] = []
      let token = model.price.observed.observe { snapshot in
        seen.append(determineState(snapshot).kind)
        prices.append(snapshot.value)
      }
      continuation.yield(1)
      continuation.yield(2)
      continuation.finish()
      let last = try await load.outcome().get()
      #expect(last == 2)
      #expect(seen == [.loading, .data, .data, .data])
      #expect(prices == [nil, 1, 2, 2])
      #expect(!model.price.snapshot.isProvisional)
      withExtendedLifetime(token) {}
    }
  }
}
