// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the articles *Sharing data between screens* and *Values on disk*, and of the comments of families.
enum FamilySamples {
  struct Article: Identifiable, Equatable, Sendable {
    let id: Int
    var author: String
  }

  protocol ArticleService: Sendable {
    func article(_ id: Int) async throws -> Article
  }

  @MainActor
  final class Articles {
    let board = AsyncTagBoard()
    let family: AsyncFamily<Int, Article>

    init(service: any ArticleService) {
      family = AsyncFamily(
        options: LoadOptions(staleAfter: .seconds(60)), keepUnused: 20, board: board,
        tags: { id, article in
          var tags: Set<AsyncTag> = [AsyncTag("article", id)]
          if let article { tags.insert(AsyncTag("author", article.author)) }
          return tags
        }
      ) { id in try await service.article(id) }
    }
  }

  @MainActor
  final class DetailScreen {
    let article: AsyncResource<Article>

    init(_ id: Int, of articles: Articles) {
      article = articles.family[id]
    }

    func viewDidLoad() { article.start(when: .stale) }
  }

  @MainActor
  struct Editor {
    let articles: Articles

    func didRename(author: String) {
      articles.board.invalidate(AsyncTag("author", author))
    }
  }

  @MainActor
  final class Browser {
    let family: AsyncFamily<Int, Article>

    init(_ family: AsyncFamily<Int, Article>) { self.family = family }

    let selection = Input<Int?>(nil)
    lazy var detail = AsyncResource(following: selection, previous: .untilAnswered) { [family] id in
      .of(family[id]) { $0 }
    }
  }

  struct Draft: Sendable {
    var text: String
    var age: Duration = .zero
  }

  protocol Database: Sendable {
    func draft(_ id: Int) async throws -> Draft?
    func save(_ draft: Draft, _ id: Int) async throws
    func delete(_ id: Int) async throws
    func deleteAll() async throws
  }

  final class DraftStore: ValueStore {
    private let database: any Database

    init(_ database: any Database) { self.database = database }

    func read(_ id: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<String>? {
      guard let draft = try await database.draft(id) else { return nil }
      return StoredValue(draft.text, age: draft.age)
    }

    func save(
      _ values: [Int: StoredValue<String>], removing ids: Set<Int>, isolation: isolated (any Actor)?
    ) async throws {
      for (id, stored) in values {
        try await database.save(Draft(text: stored.value ?? "", age: stored.age ?? .seconds(-1)), id)
      }
      for id in ids { try await database.delete(id) }
    }

    func removeAll(isolation: isolated (any Actor)?) async throws {
      try await database.deleteAll()
    }
  }

  actor Desk: ArticleService {
    private(set) var requests: [Int] = []
    private var author = "Ada"

    func rename() { author = "Grace" }

    func article(_ id: Int) async throws -> Article {
      requests.append(id)
      return Article(id: id, author: author)
    }
  }

  actor Drafts: Database {
    private var drafts: [Int: Draft] = [:]

    private var observers: [AsyncStream<String>.Continuation] = []

    func draft(_ id: Int) -> Draft? { drafts[id] }
    func save(_ draft: Draft, _ id: Int) {
      drafts[id] = draft
      for observer in observers { observer.yield(draft.text) }
    }

    /// The text of a draft, and each later one.
    func drafts(_ id: Int) -> AsyncStream<String> {
      let (stream, continuation) = AsyncStream<String>.makeStream()
      observers.append(continuation)
      if let draft = drafts[id] { continuation.yield(draft.text) }
      return stream
    }

    func delete(_ id: Int) { drafts[id] = nil }
    func deleteAll() { drafts = [:] }
  }

  struct Service: Sendable {
    func draft(_ id: Int) async throws -> String { "draft \(id)" }
    func article(_ id: Int) async throws -> String { "article \(id)" }
  }
}

extension AllTests {
  @MainActor
  struct FamilySampleTests {
    typealias S = FamilySamples

    @Test("10.1 two screens share a request, and an invalidation requests again what a screen displays")
    func screens() async {
      typealias Desk = S.Desk
      typealias Editor = S.Editor
      typealias Articles = S.Articles
      typealias DetailScreen = S.DetailScreen
      let desk = Desk()
      let articles = Articles(service: desk)
      let screens = [DetailScreen(1, of: articles), DetailScreen(1, of: articles)]
      for screen in screens { screen.viewDidLoad() }
      await articles.family.settled()
      #expect(screens[1].article.value?.author == "Ada")
      #expect(await desk.requests == [1])
      await desk.rename()
      Editor(articles: articles).didRename(author: "Ada")
      await articles.board.settled()
      #expect(screens[0].article.value?.author == "Grace")
      #expect(await desk.requests == [1, 1])
    }

    @Test("9.3, 10.1 a detail that follows a selection shares its requests with the other screens")
    func selection() async {
      let desk = S.Desk()
      let articles = S.Articles(service: desk)
      let browser = S.Browser(articles.family)
      let screen = S.DetailScreen(2, of: articles)
      await browser.detail.load()
      #expect(browser.detail.status == .idle)
      screen.viewDidLoad()
      browser.selection.write(2)
      await browser.detail.settled()
      #expect(browser.detail.value?.id == 2)
      browser.selection.write(3)
      #expect(browser.detail.snapshot.isProvisional)
      await browser.detail.settled()
      #expect(browser.detail.value?.id == 3)
      #expect(await desk.requests.sorted() == [2, 3])
      withExtendedLifetime(screen) {}
    }

    @Test("10.1, 11.1 the samples of the comments")
    func comments() async {
      let service = S.Service()
      do {
        let articles = AsyncFamily(options: .app) { id in try await service.article(id) }
        // On each screen that displays the article:
        let article = articles[5]
        article.start(when: .stale)
        await article.settled()
        #expect(article.value == "article 5")
      }
      do {
        let articles = AsyncFamily(keepUnused: 20) { id in try await service.article(id) }
        for id in 0..<40 {
          articles.prefetch(id)
          await articles[id].settled()
        }
        #expect(articles.entries.count == 20)
      }
      let board = AsyncTagBoard()
      let articles = AsyncFamily(board: board, tags: { id, _ in ["articles", AsyncTag("article", id)] }) { id in
        try await service.article(id)
      }
      // After a change on the server:
      board.invalidate(AsyncTag("article", 5))
      // In a background task, which must not end before the requests have.
      await board.invalidate([AsyncTag("article", 5)]).finished()
      #expect(articles.entries.isEmpty)
    }

    @Test("12.1 a store of drafts")
    func drafts() async throws {
      typealias DraftStore = S.DraftStore
      let (database, service) = (S.Drafts(), S.Service())
      for _ in 0..<2 {
        let options = LoadOptions(staleAfter: .seconds(300))
        let drafts = AsyncFamily(options: options, store: DraftStore(database)) { id in
          try await service.draft(id)
        }
        await drafts[1].load(when: .stale)
        await drafts.settled()
      }
      #expect(await database.draft(1)?.text == "draft 1")
    }

    @Test("12.4 a database that is the source of truth: what its operation writes, and what it observes")
    func truth() async {
      typealias Draft = S.Draft
      let (table, service) = (S.Drafts(), S.Service())
      do {
        let database: any S.Database = table
        let drafts = AsyncFamily { (id: Int) in
          let draft = try await service.draft(id)
          try await database.save(Draft(text: draft), id)
          return draft
        }
        let screen = drafts[1]
        await screen.load()
        #expect(await screen.value == table.draft(1)?.text)
      }
      do {
        let database = table
        let drafts = AsyncFamily { (id: Int) in .live { await database.drafts(id) } }
        let screen = drafts[1]
        await screen.load()
        #expect(screen.value == "draft 1")
        await database.save(Draft(text: "changed"), 1)
        for await snapshot in screen.observed.values where snapshot.value == "changed" { break }
      }
    }

    @Test("11.5 a list outside of a family is requested again by tag, and a background task waits for that")
    func list() async {
      var count = 0
      let board = AsyncTagBoard()
      let inbox = AsyncResource {
        count += 1
        return ["message \(count)"]
      }
      await inbox.load()
      board.add(inbox, tags: ["messages"])
      await board.invalidate("messages").finished()
      #expect(inbox.value == ["message 2"])
    }

    @Test("12.1 a store in memory")
    func memory() async {
      let service = S.Service()
      let clock = ManualClock()
      let store = MemoryStore<Int, String>(clock: clock)
      store.put("Rain", for: 1, age: .seconds(30))
      let articles = AsyncFamily<Int, String>(
        options: LoadOptions(staleAfter: .seconds(60), clock: clock), store: store
      ) { id in
        try await service.article(id)
      }
      let article = articles[1]
      await article.load(when: .stale)
      #expect(article.value == "Rain")
    }
  }
}
