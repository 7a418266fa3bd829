// SPDX-License-Identifier: MIT
// A client of every public symbol of pages: a list that loads its pages, with a resource and without one.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncState

nonisolated struct Article: Identifiable, Hashable, Sendable {
  var id: Int
}

typealias Articles = Paged<Article, Int>

nonisolated struct Newspaper: Sendable {
  func page(from cursor: Int?, of topic: String = "all") async throws -> Articles.Page {
    let start = cursor ?? 0
    return Articles.Page(items: [Article(id: start)], next: start + 1, previous: start - 1, own: start)
  }
}

@MainActor
final class ArticleList {
  private let newspaper = Newspaper()
  let articles: AsyncResource<Articles>
  let onTopic: AsyncResource<Articles>
  private let again: PageRefresh

  init(topic: Observed<String?>, refresh: PageRefresh = .firstPage) {
    again = refresh
    articles = AsyncResource(
      .pages { [newspaper] page in
        do {
          return try await newspaper.page(from: page.cursor)
        } catch is CancellationError {
          throw ExpiredCursorError()
        }
      })
    onTopic = AsyncResource(following: topic, delay: .milliseconds(300), previous: .untilAnswered) {
      [newspaper] topic in
      .pages { page in try await newspaper.page(from: page.cursor, of: topic) }
    }
  }

  func willDisplay(row index: Int) { articles.willDisplay(row: index, threshold: 5) }
  func didEndDisplaying(row index: Int) { articles.didEndDisplaying(row: index, threshold: 5) }
  func disappear() { articles.displaying(0..<0) }
  func beginAnew() { articles.refresh(.firstPage) }
  func refreshAll() { articles.refresh() }
  func scroll(to rows: Range<Int>) {
    articles.displaying(rows)
    onTopic.displaying(rows, threshold: 1)
  }

  func appear(row index: Int) async {
    guard let articles = articles.value else { return }
    if index > articles.items.count - 3 { await self.articles.loadNext() }
    if index < 3 { await self.articles.loadPrevious() }
  }

  func change(_ article: Article) async {
    await articles.mutate { [id = article.id] in
      if $0[id: id] == nil { $0.insert(article, at: 0) } else { $0[id: id] = nil }
      if $0.items.count > 10 { $0.remove(at: 10) }
    } commit: {
    }
  }

  var footer: String { text(of: articles.nextPage) }
  var header: String { text(of: articles.previousPage) }

  func text(of edge: PageState) -> String {
    edge.isRunning ? "…" : edge.error.map { "\($0)" } ?? "\(edge)"
  }
}

/// A list of a server that counts.
@MainActor
func countedList(_ topic: String) -> AsyncResource<Articles> {
  AsyncResource(
    .pages { (page: PageRequest<Article, Int>) in
      page.reporter.report(progress: 0.5)
      return try await Newspaper().page(from: page.list?.items.count ?? page.cursor, of: topic)
    })
}

/// With indicators of its own.
@MainActor
final class ArticleArchive {
  private let resource = AsyncResource(
    .pages { (page: PageRequest<Article, Int>) in try await Newspaper().page(from: page.cursor) })
  private var articles: AsyncData<Articles> { resource.data }

  func appear() async { await resource.load() }

  func scroll(isUpwards: Bool) async -> String {
    let outcome: AsyncOutcome<Articles?> =
      if isUpwards { await resource.loadPrevious() } else { await resource.loadNext() }
    return switch outcome {
    case .success(let articles?): "\(articles.items.count) articles of \(articles.description)"
    case .failure(let error): "\(error)"
    case .notRequested: "nothing to do: \(outcome.description)"
    case .success(nil), .cancelled, .superseded: ""
    }
  }

  var edges: String { "\(articles.snapshot.nextPage) \(articles.snapshot.previousPage)" }

  /// A preview of the two indicators.
  var preview: (PageState, String) {
    var state = PageState(isRunning: true)
    state.isRunning = false
    state.error = NoDataError()
    return (state, "\(articles.snapshot.previousPage)")
  }
}

/// A value of pages is changed as an array is.
@MainActor
func edited(_ articles: Articles) -> Articles {
  var page = Articles.Page(items: articles.items, next: articles.next)
  page.items.removeAll { $0.id == 0 }
  page.previous = articles.previous
  page.own = page.own ?? page.next
  page.next = nil
  var edited = Articles(first: page)
  edited.append(page)
  edited.append(Article(id: 2))
  edited.prepend(Article(id: 3))
  edited.prepend(page)
  edited[0] = edited[edited.items.count - 1]
  return edited == articles ? articles : edited
}
