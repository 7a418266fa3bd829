// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of families that request keys together, and of values that are derived from one resource.
enum BatchingSamples {
  struct Author: Sendable, Equatable {
    var name: String
  }

  struct Row: Sendable {
    var authorID: Int
  }

  protocol AuthorService: Sendable {
    func authors(_ ids: [Int]) async throws -> [Int: Author]
  }

  @MainActor
  static func rows(_ service: any AuthorService, _ rows: [Row]) -> AsyncFamily<Int, Author> {
    let batcher = KeyBatcher<Int, Author>(limit: 50) { ids in
      try await service.authors(ids).mapValues { .success($0) }
    }
    let authors = AsyncFamily { id in try await batcher.value(for: id) }
    for row in rows {
      // In each row of a list:
      authors[row.authorID].start(when: .stale)
    }
    return authors
  }

  actor Authors: AuthorService {
    private(set) var requests: [[Int]] = []

    func authors(_ ids: [Int]) -> [Int: Author] {
      requests.append(ids)
      return Dictionary(uniqueKeysWithValues: ids.map { ($0, Author(name: "author \($0)")) })
    }
  }

  struct Article: Sendable, Equatable {
    var title: String
    var isUnread: Bool
  }

  struct Digest: Equatable {
    var text: String
    init(of articles: [Article]) async throws { text = articles.map(\.title).joined() }
  }

  final class Child: ChildController {
    let text: String
    init(_ text: String) { self.text = text }
  }

  @MainActor
  static func unread(_ articles: AsyncResource<[Article]>) -> AsyncHost<[Article]> {
    let spinner = Child("spinner")
    func Message(_ text: Any) -> Child { Child("\(text)") }
    func List(_ articles: [Article]) -> Child { Child(articles.map(\.title).joined(separator: ", ")) }
    let host = AsyncHost(articles) { status in
      switch status {
      case .data(let articles): [List(articles.filter(\.isUnread))]
      case .noData: [Message("Nothing here")]
      case .error(let error): [Message("\(error)")]
      case .loading, .idle, .waiting: [spinner]
      }
    }
    return host
  }

  @MainActor
  static func digest(_ articles: AsyncResource<[Article]>) -> (AsyncResource<Digest>, () async -> Void) {
    let digest = AsyncResource(.of(articles) { try await Digest(of: $0) })

    func pullToRefresh() async { await articles.load() }
    return (digest, pullToRefresh)
  }
}

extension AllTests {
  @MainActor
  struct BatchingSampleTests {
    typealias S = BatchingSamples

    @Test("10.11 the rows that appear together make one request")
    func rows() async {
      let service = S.Authors()
      let authors = S.rows(service, [3, 5, 3, 4].map { S.Row(authorID: $0) })
      await authors.settled()
      #expect(await service.requests == [[3, 5, 4]] && authors[5].value == S.Author(name: "author 5"))
    }

    @Test("20.1, 6.4 a screen of what is derived refreshes the source, where it displays it and where it watches it")
    func derived() async {
      var number = 0
      let articles = AsyncResource<[S.Article]> {
        number += 1
        return [S.Article(title: "\(number)", isUnread: true), S.Article(title: "read", isUnread: false)]
      }
      let host = S.unread(articles)
      host.start()
      await host.settled()
      host.refresh()
      await host.settled()
      #expect(number == 2)
      let (digest, pullToRefresh) = S.digest(articles)
      digest.start()
      await digest.settled()
      #expect(number == 2 && digest.value?.text == "2read")
      await pullToRefresh()
      await digest.settled()
      #expect(number == 3 && digest.value?.text == "3read")
      articles.update { $0.removeLast() }
      await digest.settled()
      #expect(number == 3 && digest.value?.text == "3")
    }
  }
}
