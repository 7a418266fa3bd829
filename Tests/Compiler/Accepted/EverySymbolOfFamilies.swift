// SPDX-License-Identifier: MIT
// A client of every public symbol of families: entries by key, their stores, tags, and the board.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Article: Identifiable, Hashable, Sendable {
  var id: Int
  var author = "A"
}

nonisolated struct Newspaper: Sendable {
  func article(_ id: Int) async throws -> Article { Article(id: id) }
  func corrections(of id: Int) async throws -> AsyncStream<Article> { AsyncStream { $0.finish() } }
  func page(by author: String, from cursor: Int?) async throws -> Paged<Article, Int>.Page {
    Paged.Page(items: [Article(id: cursor ?? 0, author: author)])
  }
}

nonisolated func tags(of article: Article?) -> Set<AsyncTag> {
  guard let article else { return ["articles", AsyncTag(stringLiteral: "missing")] }
  return ["articles", AsyncTag("article", article.id), AsyncTag(article.author)]
}

@MainActor
final class Reader {
  private let board = AsyncTagBoard(gate: LoadGate(width: 2))
  private let articles: AsyncFamily<Int, Article>
  private let drafts: AsyncFamily<Int, Article>
  private let live = AsyncFamily<Int, Article> { key in .live { try await Newspaper().corrections(of: key) } }
  private let batcher = KeyBatcher<Int, Article>(limit: 50) { ids in
    Dictionary(uniqueKeysWithValues: ids.map { ($0, .success(Article(id: $0))) })
  }
  private let inbox = AsyncResource { [Article(id: 1)] }
  private let lists = AsyncFamily<String, Paged<Article, Int>>(keepUnused: 20) { author in
    .pages { page in try await Newspaper().page(by: author, from: page.cursor) }
  }

  init(newspaper: Newspaper, shelf: Shelf, isOffline: Bool) {
    articles = AsyncFamily(
      options: LoadOptions(staleAfter: .seconds(60)), board: board, tags: { _, article in tags(of: article) },
      store: isOffline ? shelf : nil
    ) { id in try await newspaper.article(id) }
    drafts = AsyncFamily(seed: { Article(id: $0) }, keepUnused: isOffline ? .max : 5, store: shelf) { id in
      .value { reporter in
        try reporter.yield(Article(id: id, author: "unknown"))
        return try await newspaper.article(id)
      }
    }
  }

  private var tokens: [ObservedToken] = []

  func appear(isForeground: Observed<Bool>, gate: LoadGate) {
    tokens = [board.gate.follow(isForeground)]
    articles.prefetch(2)
    board.add(inbox, tags: ["articles"])
    live[1].start()
    lists["A"].start()
    articles.restore(StoredValue(Article(id: 4), age: .seconds(60)), for: 4)
  }

  func article(_ id: Int) async throws -> Article {
    if let article = try await batcher.value(for: id) { return article }
    return try await drafts[id].get()
  }

  func published(_ article: Article) async {
    board.invalidate("articles", AsyncTag("article", article.id))
    board.invalidate(tags(of: article))
    articles.invalidate { $0 == article.id }
    let refresh: BoardRefresh = board.refreshStale()
    await refresh.finished()
  }

  func returned() {
    if !board.gate.isOpen { board.gate.open() }
  }

  func logOut() async throws {
    try await articles.forget(1)
    try await articles.forgetAll()
    print(board.description, drafts.description)
  }

  /// A list of what is kept, for a developer's menu.
  var report: [String] { articles.entries.map(line) }

  private func line(of entry: FamilyEntry<Int, Article>) -> String {
    let words = [entry.isHeld: "held", entry.isUnsaved: "unsaved"].filter(\.key).map(\.value)
    return "\(entry.key): \(entry.snapshot), \(words), \(entry.description)"
  }
}

/// A store of the client's own, on the actor of its family.
nonisolated final class Shelf: ValueStore {
  private var kept: [Int: StoredValue<Article>] = [:]

  func peek(_ key: Int) -> StoredValue<Article>? { kept[key] }

  func read(_ key: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<Article>? {
    var stored = kept[key]
    if stored?.value == nil { stored?.isInvalidated = true }
    if let age = stored?.age { stored?.age = age + .seconds(1) }
    return stored
  }

  func save(
    _ values: [Int: StoredValue<Article>], removing keys: Set<Int>, isolation: isolated (any Actor)?
  ) async throws {
    print(values.values.map(\.description))
    kept.merge(values) { $1 }
    for key in keys { kept[key] = nil }
  }

  func removeAll(isolation: isolated (any Actor)?) async throws { kept = [:] }
}

/// The same on an actor of a server.
actor Archive {
  private lazy var batcher = KeyBatcher<Int, Article>(isolation: self) { _ in [:] }
  func article(_ id: Int) async throws -> Article? { try await batcher.value(for: id) }
}
