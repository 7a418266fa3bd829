// SPDX-License-Identifier: MIT
import AsyncState

// What a client builds: one screen with a host and a graph. `client` measures how long that takes, and how large it gets.

#if VERSION_1
  typealias AsyncHost = AsyncContainer
#endif

struct Article: Equatable {
  var title: String
  var isRead: Bool
}

final class Child: ChildController {
  var articles: [Article] = []
}

@MainActor
final class ArticleScreen {
  let selection = Input(0)
  let query = Input("")
  let articles = AsyncData<[Article]>()
  let host: AsyncHost<[Article]>
  let title: Observed<String>
  private var tokens: [ObservedToken] = []

  init(_ fetch: @escaping @MainActor () async throws -> [Article]?) {
    let (list, spinner, message) = (Child(), Child(), Child())
    #if VERSION_1
      let request: (AsyncData<[Article]>) -> Void = { data in
        data.start(isolation: MainActor.shared) { try await fetch() }
      }
    #else
      let request: (AsyncData<[Article]>, LoadMode) -> Void = { data, mode in
        data.start(mode, isolation: MainActor.shared) { try await fetch() }
      }
    #endif
    host = AsyncHost(data: articles, request: request) { status in
      switch status {
      case .loading: return [spinner]
      case .error, .noData, .idle, .waiting: return [message]
      case .data(let articles):
        list.articles = articles
        return [list]
      }
    }
    let shown = articles.observed.map { $0.value ?? [] }
    let found = shown.zip(query).map { articles, query in
      articles.filter { query.isEmpty || $0.title.hasPrefix(query) }
    }
    let unread = found.map { articles in articles.count { !$0.isRead } }
    title = selection.zip(unread).map { "\($0) of \($1)" }
    tokens.append(title.observe { print($0) })
  }

  func show(_ newArticles: [Article], _ selected: Int) {
    selection.write(selected)
    articles.value = newArticles
  }
}

@main
struct Client {
  @MainActor
  static func main() {
    let screen = ArticleScreen { [Article(title: "News", isRead: false)] }
    screen.show([], 1)
  }
}
