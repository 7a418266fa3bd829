// SPDX-License-Identifier: MIT
// Sources in the places that an app has beside those of SourcesInEveryPosition.swift: property wrappers, static and global values,
// default arguments, collections, generic and inherited classes, protocols, branches, and what is made of other sources.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault -default-isolation MainActor

import AsyncState

nonisolated struct Article: Sendable, Equatable {
  var id = 1
  var lifetime: Duration? { .seconds(id) }
}

nonisolated protocol Library: Sendable {
  func newest() async throws -> Article
  func article(_ id: Int) async throws -> Article?
  func page(_ cursor: String?) async throws -> Paged<Article, String>.Page
  func changes(of id: Int) async throws -> AsyncStream<Article>
}

nonisolated struct Shelf: Library {
  func newest() async throws -> Article { Article() }
  func article(_ id: Int) async throws -> Article? { Article(id: id) }
  func page(_ cursor: String?) async throws -> Paged<Article, String>.Page { .init(items: [Article()], next: nil) }
  func changes(of id: Int) async throws -> AsyncStream<Article> { AsyncStream { $0.finish() } }
}

nonisolated struct Refused: Error {}

/// What a view keeps from one description of it to the next.
@propertyWrapper
nonisolated struct Kept<Value> {
  var wrappedValue: Value
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@MainActor
enum Places {
  static let newest = AsyncResource { try await Shelf().newest() }
  static let all = AsyncFamily { (id: Int) in try await Shelf().article(id) }
  static let lists = AsyncResource(.pages { page in try await Shelf().page(page.cursor) })
  static var made: AsyncResource<Article> { AsyncResource(.live { try await Shelf().changes(of: 1) }) }
}

@MainActor let signed = AsyncResource(.value { try await Shelf().newest() }.fresh { $0.lifetime })

@MainActor
struct Row {
  @Kept var article = AsyncResource(seed: Article(), .value { try await Shelf().newest() })
  @Kept var list = AsyncResource(.pages { (page: PageRequest<Article, String>) in try await Shelf().page(page.cursor) })
  @Kept var live = AsyncFamily { (id: Int) in .live { try await Shelf().changes(of: id) } }
}

@MainActor
class Screen {
  let library: any Library
  let key = Input<Int?>(nil)
  private let limit: Int
  let byName: [String: AsyncResource<Article>]
  let several: [AsyncResource<Article>]
  let optional: AsyncResource<Article>?
  let detail: AsyncResource<Article>
  lazy var lists = AsyncFamily { [library] (_: Int) in .pages { page in try await library.page(page.cursor) } }
  lazy var limited = AsyncFamily<Int, Article> { [unowned self] id in
    guard id < limit else { return .value { throw Refused() } }
    return .value { try await self.library.article(id) }
  }

  init(_ library: any Library, limit: Int = 5, first: AsyncResource<Article>? = nil) {
    self.library = library
    self.limit = limit
    detail = AsyncResource(following: key) { id in .live { try await library.changes(of: id) } }
    byName = [
      "newest": AsyncResource { try await library.newest() }, "first": first ?? AsyncResource(.newest(of: library)),
    ]
    several = (0..<3).map { id in AsyncResource(.live { try await library.changes(of: id) }) }
    optional = limit > 0 ? AsyncResource(.value { try await library.newest() }) : nil
  }

  /// The source is chosen where it is made.
  func source(isLive: Bool) -> AsyncSource<Article> {
    isLive ? .live { try await self.library.changes(of: 1) } : .value { try await self.library.newest() }
  }

  func appear() {
    let chosen = AsyncResource(source(isLive: true))
    chosen.start()
    let typed: AsyncFamily<Int, Article> = AsyncFamily { id in
      switch id {
      case 0: .value { nil }
      case 1: .value { reporter in reporter.current }
      default: .live { try await self.library.changes(of: id) }
      }
    }
    typed[2].start()
    let timed = AsyncFamily<Int, Article> { [library] id in
      .value { try await library.article(id) }.fresh { $0.lifetime }
    }
    timed[1].start()
    func nested(_ id: Int) -> AsyncResource<Article> { AsyncResource(.live { try await self.library.changes(of: id) }) }
    nested(1).start()
  }
}

final class EditedScreen: Screen {
  lazy var titles = AsyncResource(.of(byName["newest"] ?? signed) { article in "article \(article.id)" })
  lazy var pairs = AsyncResource(.of(signed, detail) { ($0, $1) })
  lazy var edited = AsyncFamily { [unowned self] (id: Int) in
    .of(limited[id]) { article in try await self.library.article(article.id) }
  }
}

@MainActor
final class Cache<Key: Hashable & Sendable, Value: Sendable> {
  let values: AsyncFamily<Key, Value>
  let followed: AsyncResource<Value>
  let selected = Input<Key?>(nil)

  init(_ get: @escaping @MainActor (Key) -> AsyncSource<Value>) {
    let values = AsyncFamily(source: get)
    self.values = values
    followed = AsyncResource(following: selected) { key in .value { try await values[key].get() } }
  }

  convenience init<Elements: AsyncSequence>(
    streams: @escaping @MainActor (Key) async throws -> Elements
  ) where Elements.Element == Value {
    self.init { key in .live { try await streams(key) } }
  }
}

@MainActor protocol Listing {
  associatedtype Entry
  func entries(_ cursor: Int?) async throws -> Paged<Entry, Int>.Page
}

extension Listing {
  func list() -> AsyncResource<Paged<Entry, Int>> { AsyncResource(.pages { page in try await entries(page.cursor) }) }
  func lists() -> AsyncFamily<Int, Paged<Entry, Int>> {
    AsyncFamily { _ in .pages { page in try await entries(page.cursor) } }
  }
}

extension AsyncSource where Value == Article {
  @MainActor static func newest(of library: any Library) -> AsyncSource { .value { try await library.newest() } }
}

@MainActor func named(_ library: any Library) -> AsyncResource<Article> { AsyncResource(.newest(of: library)) }

/// An actor that is made with a service, and keeps what it makes.
actor Reader {
  private let library: any Library
  private let key = Input<Int?>(nil)
  private var read: Set<Int> = []
  private var kept: [AsyncResource<Article>] = []
  private var families: [String: AsyncFamily<Int, Article>] = [:]
  lazy var signed = AsyncResource(isolation: self) { [library] in
    ActorSource.value { try await library.newest() }.fresh { $0.lifetime }
  }
  lazy var optional: AsyncResource<Article>? = AsyncResource(isolation: self) { [library] in
    .live { try await library.changes(of: 1) }
  }
  lazy var lists = AsyncFamily(isolation: self) { [library] (_: Int) in
    .pages { page in try await library.page(page.cursor) }
  }
  lazy var followed = AsyncResource(isolation: self, following: key, previous: .untilAnswered) { [library] id in
    .pages { page in id > 0 ? try await library.page(page.cursor) : .init(items: []) }
  }
  lazy var objects = AsyncFamily<Int, [Article]>(
    isolation: self, seed: { _ in [] }, options: LoadOptions(timeout: .seconds(3)), tags: { id, _ in [AsyncTag(id)] }
  ) { [library] id in
    .value { reporter in
      try reporter.yield([])
      return try await library.article(id).map { [$0] }
    }
  }

  init(_ library: any Library) { self.library = library }

  private func source(of id: Int) -> ActorSource<Article> {
    read.insert(id).inserted
      ? .live { try await self.library.changes(of: id) } : .value { try await self.library.article(id) }
  }

  func open() async throws {
    kept = (0..<3).map { id in AsyncResource(isolation: self) { source(of: id) } }
    families["all"] = AsyncFamily(isolation: self, source: source)
    families["weak"] = AsyncFamily(isolation: self) { [weak self] (id: Int) in
      .value { try await self?.library.article(id) }
    }
    if kept.isEmpty {
      kept.append(AsyncResource(isolation: self) { .live { try await self.library.changes(of: self.read.count) } })
    }
    _ = try await families["all"]?[1].get()
  }
}

extension AsyncFamily where Key == Int, Value == Article {
  static func stored(_ library: any Library, on home: isolated any Actor) -> AsyncFamily {
    AsyncFamily(isolation: home) { id in .value { try await library.article(id) } }
  }
}

func passed(_ home: isolated any Actor, _ make: @escaping (Int) -> ActorSource<Int>) -> AsyncFamily<Int, Int> {
  AsyncFamily(isolation: home, source: make)
}
