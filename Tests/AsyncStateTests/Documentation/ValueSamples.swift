// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of values as results, and of several resources at once.
@MainActor
final class ValueSamples {
  struct Article: Equatable {
    typealias ID = Int
    var id: ID
  }

  let articles: AsyncFamily<Int, Article>
  let article: AsyncResource<String>
  let comments = AsyncResource { ["so true"] }

  init(_ server: ManualServer<String?>) {
    article = AsyncResource { try await server.wait() }
    articles = AsyncFamily { id in Article(id: id) }
  }

  func article(_ id: Article.ID) async throws -> Article {
    try await articles[id].get()
  }

  func articleText() async throws -> String {
    try await article.get()
  }

  func both() -> AsyncResource<String> {
    AsyncResource(.of(article, comments) { $0 + $1.joined() })
  }
}

extension AllTests {
  @MainActor
  struct ValueSampleTests {
    @Test("9.8, 20.1 a value, and one of several")
    func values() async throws {
      let server = ManualServer<String?>()
      let samples = ValueSamples(server)
      #expect(try await samples.article(7).id == 7)
      server.answer(call: 1, with: .success("Rain"))
      #expect(try await samples.both().get() == "Rainso true")
      #expect(try await samples.articleText() == "Rain")
    }
  }
}
