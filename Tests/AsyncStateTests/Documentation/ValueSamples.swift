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

  init(_ gate: Gate<String?>) {
    article = AsyncResource { try await gate.wait() }
    articles = AsyncFamily { id in Article(id: id) }
  }

  func article(_ id: Article.ID) async throws -> Article {
    try await articles[id].get(acceptingStale: true)
  }

  func articleText() async throws -> String {
    try await article.get(acceptingStale: true)
  }

  func both() async throws -> String {
    let (article, comments) = try await AsyncResource.get(article, comments)
    return article + comments.joined()
  }

  func outcomes() async -> (AsyncOutcome<String?>, AsyncOutcome<[String]?>) {
    let (article, comments) = await AsyncResource.load(article, comments, when: .stale)
    return (article, comments)
  }
}

extension AllTests {
  @MainActor
  struct ValueSampleTests {
    @Test("9.8, 9.9 a value, the former one when the request fails, and several at once")
    func values() async throws {
      let gate = Gate<String?>()
      let samples = ValueSamples(gate)
      #expect(try await samples.article(7).id == 7)
      gate.answer(call: 1, with: .success("Rain"))
      #expect(try await samples.both() == "Rainso true")
      samples.article.invalidate()
      gate.answer(call: 2, with: .failure(LoadTimeoutError()))
      #expect(try await samples.articleText() == "Rain")
      gate.answer(call: 3, with: .failure(LoadTimeoutError()))
      let (article, comments) = await samples.outcomes()
      guard case .failure = article, case .notRequested = comments else { return #expect(Bool(false)) }
    }
  }
}
