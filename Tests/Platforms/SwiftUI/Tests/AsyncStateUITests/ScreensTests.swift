// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
@testable import Screens
import SwiftUI
import Foundation
import Testing

/// The example screens do what they say.
@MainActor
@Suite(.bothOrders, .unpaced)
struct ScreensTests {
  struct Failure: LocalizedError {
    var errorDescription: String? { "offline" }
  }

  @Test("15 an article: a refresh that fails keeps it on the screen, with a banner")
  func article() {
    let gate = ManualServer<Article?>()
    let article = AsyncResource { try await gate.wait() }
    let host = ViewHost { ArticleScreen(article: article) }
    article.data.value = Article(text: "Hello")
    article.data.error = Failure()
    host.draw()
    #expect(host.texts == ["Not updated", "offline", "Try Again", "Hello", "♥ 0"])
    #expect(host.press("Try Again"))
    #expect(article.isRunning)
  }

  struct Letters: Catalogue {
    let gate: ManualServer<[String]>
    func entries(matching text: String) async throws -> [String] { try await gate.wait(for: text) }
  }

  @Test("15 a search field: one request after the delay, for the last text")
  func search() async {
    let gate = ManualServer<[String]>()
    let clock = ManualClock()
    let model = SearchModel(catalogue: Letters(gate: gate), clock: clock)
    let host = ViewHost { SearchScreen(model: model) }
    #expect(host.texts == ["Type something"])
    await Task { @MainActor in }.value
    for text in ["a", "ab", "abc"] { host.type(text) }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(300))
    await gate.arrived(for: "abc")
    gate.answer(for: "abc", with: .success(["abcd"]))
    for await isRunning in model.results.observed.isRunning.values where !isRunning { break }
    host.draw()
    #expect(host.texts == ["abcd"])
    #expect(gate.arguments(as: String.self) == ["abc"])
  }

  struct Posts: FeedBackend {
    let pages: ManualServer<Int>
    let pictures: ManualServer<String>
    func posts(from start: Int) async throws -> (posts: [Post], next: Int?) {
      let count = try await pages.wait(for: start)
      return ((start..<start + count).map { Post(id: $0, text: "post \($0)") }, start + count)
    }
    func picture(of post: Int) async throws -> String { try await pictures.wait(for: post) }
  }

  @Test("15 a feed: pages follow, rows load while they are visible")
  func feed() async {
    let (pages, pictures) = (ManualServer<Int>(), ManualServer<String>())
    let model = FeedModel(backend: Posts(pages: pages, pictures: pictures))
    let host = ViewHost { FeedScreen(model: model) }
    #expect(host.texts == ["(progress)"])
    await pages.arrived(for: 0)
    pages.answer(for: 0, with: .success(2))
    for await count in model.feed.observed.map({ $0.value?.items.count ?? 0 }).values where count == 2 { break }
    host.draw()
    #expect(host.texts == ["post 0 …", "post 1 …", "(progress)"])
    await pictures.arrived(for: 0)
    await pages.arrived(for: 2)
    host.close()
    await pictures.ended(1)
  }
}
