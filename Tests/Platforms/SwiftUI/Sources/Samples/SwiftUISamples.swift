// SPDX-License-Identifier: MIT
// The samples of the documentation that use SwiftUI, word for word, with what they need around them. Documentation/check
// finds them here; the package compiles this folder in every mode that a client may have.

import AsyncState
import AsyncStateUI
import SwiftUI

struct Article: Identifiable, Sendable {
  var id: Int
  var title: String
  static let sample = Article(id: 1, title: "Rain")
}

enum Step { case address, payment }

struct AddressView: View {
  var body: some View { Text("Address") }
}

struct PaymentView: View {
  var body: some View { Text("Payment") }
}

final class Service: Sendable {
  static let shared = Service()
  func articles() async throws -> [Article] { [] }
  func article() async throws -> String { "" }
  func signUp(_ name: String) async throws {}
}

struct SignUpView: View {
  @State private var name = ""
  @State private var signUp = AsyncMutation { (name: String) in
    try await Service.shared.signUp(name)
  }

  var body: some View {
    VStack {
      TextField("Name", text: $name)
      Button(signUp.isRunning ? "Signing up" : "Sign up") { signUp.perform(name) }
        .disabled(signUp.isRunning)
      if case .failed(let error, _) = signUp.status {
        AsyncFailureView(error, AsyncActions(retry: { signUp.retry() }))
      }
    }
  }
}

@MainActor
struct ScreenTests {
  init() { DisplayPacer.app = nil }
}

struct ArticlesScreen: View {
  @State private var articles = AsyncResource { try await Service.shared.articles() }

  var body: some View {
    AsyncView(articles, policy: .emptyIsNoData()) { articles in
      List(articles) { Text($0.title) }
    }
  }
}

struct AllArticles: View {
  let articles: AsyncResource<[Article]>

  var body: some View {
    AsyncView(articles) { articles in
      List { ForEach(articles) { Text($0.title) } }
    }
  }
}

struct ArticleDetail: View {
  let articles: AsyncFamily<Int, Article>
  let selection: Int?

  var body: some View {
    if let selection {
      AsyncView(articles[selection]) { Text($0.title) }
    } else {
      Text("Select an article.")
    }
  }
}

struct SteadyArticleDetail: View {
  let articles: AsyncFamily<Int, Article>
  let selection: Int

  var body: some View {
    AsyncView(articles[selection], previous: .untilAnswered) { Text($0.title) }
  }
}

struct Previews: View {
  var body: some View {
    AsyncGallery(data: Article.sample) { status, actions in
      AsyncStatusView(status, actions: actions) { Text($0.title) }
    }
  }
}

struct Checkout: View {
  let checkout: StateContainer<Step>

  var body: some View {
    StateView(checkout) { step in
      switch step {
      case .address: AddressView()
      case .payment: PaymentView()
      }
    }
  }
}

@MainActor
final class ArticleModel {
  let article = AsyncResource { try await Service.shared.article() }

  func load() async {
    await article.load(when: .stale)
  }

  func refresh() async {
    await article.load()
  }
}

struct ArticleView: View {
  let model: ArticleModel

  var body: some View {
    ScrollView {
      switch model.article.status {
      case .loading: ProgressView()
      case .error(let error): AsyncText.describing(error).view
      case .data(let article): Text(article)
      case .noData: Text("Not written yet.")
      case .idle: Button("Load") { model.article.start() }
      case .waiting: Text("Waiting for a network")
      }
    }
    .task { await model.load() }
    .refreshable { await model.refresh() }
  }
}

struct ContentView: View {
  var body: some View { Text("Content") }
}

struct Offline: Error {}

struct Root: View {
  var body: some View {
    ContentView()
      .asyncLoading { Text("One moment…") }
  }
}

@MainActor
func setTexts() {
  AsyncTexts.app.noData = "No messages yet."
  AsyncTexts.app.failure = { error in error is Offline ? "You are offline." : .describing(error) }
}

extension LoadOptions {
  @MainActor static let app = LoadOptions(
    staleAfter: .seconds(60), retry: .exponential(first: .seconds(1)), timeout: .seconds(30), gate: .online)
}

struct PlaceholderScreen: View {
  let article: AsyncResource<Article>

  var body: some View {
    AsyncView(article, placeholder: .sample) { Text($0.title) }
  }
}

struct OwnRefresh: View {
  let articles: AsyncResource<[Article]>

  var body: some View {
    AsyncView(status: articles, isRefreshable: false) { status, actions in
      AsyncStatusView(status, actions: actions) { List($0) { Text($0.title) } }
        .refreshable { await actions.refresh() }
    }
  }
}

@MainActor
final class Account {
  let board = AsyncTagBoard()
}

struct FreshRoot: View {
  let account: Account

  var body: some View {
    ContentView()
      .asyncFreshness(account.board)
  }
}

struct EndlessFeed: View {
  let feed: AsyncResource<Paged<Article, Int>>

  var body: some View {
    AsyncView(feed) { pages in
      List {
        ForEach(pages.items) { Text($0.title) }
        AsyncPageFooter(feed)
      }
    }
  }
}

struct Today: View {
  let weather: AsyncResource<String>
  let warnings: AsyncResource<[Article]>

  var body: some View {
    AsyncGroup(weather, warnings) { weather, warnings in
      Text(weather)
      ForEach(warnings) { Text($0.title) }
    }
  }
}

struct ArticleSearch: View {
  let query: Input<String?>
  let results: AsyncResource<[String]>
  @State private var text = ""

  var body: some View {
    AsyncView(status: results, policy: .emptyIsNoData(idle: .idle)) { status, actions in
      switch status {
      case .idle: Text("Type something")
      case .noData: ContentUnavailableView.search(text: text)
      case .loading, .waiting, .error, .data:
        AsyncStatusView(status, actions: actions) { results in
          List { ForEach(results, id: \.self) { Text($0) } }
        }
      }
    }
    .searchable(text: $text)
    .onChange(of: text) { query.write(text.isEmpty ? nil : text) }
  }
}
