// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
@testable import Screens
import SwiftUI
import Testing

/// The example app, used as a person would: scroll, pull, type, go back in the middle, lose the network.
@MainActor
@Suite(.bothOrders, .unpaced)
struct AppTests {
  let server = AppServer()
  let clock = ManualClock()
  let isOnline = Input(true)
  let model: AppModel
  let feed: FeedModel
  let search: SearchModel
  let host: ViewHost

  init() {
    let (server, clock, isOnline) = (server, clock, isOnline)
    let model = AppModel(server: server, clock: clock)
    let (feed, search) = (FeedModel(backend: server), SearchModel(catalogue: server, clock: clock))
    (self.model, self.feed, self.search) = (model, feed, search)
    host = ViewHost { AppScreen(model: model, feed: feed, search: search, isOnline: isOnline) }
  }

  /// What is on the screen, without the bar of buttons.
  private var texts: [String] {
    host.draw()
    return Array(host.texts.dropFirst(4))
  }

  private func openArticle() async {
    await server.pages.arrived(for: 0)
    server.pages.answer(for: 0, with: .success(1))
    await feed.feed.settled()
    #expect(texts == ["post 0 …", "(progress)"])
    await server.pages.arrived(for: 1)
    await server.pictures.arrived(for: 0)
    #expect(host.press("post 0 …"))
    #expect(texts == ["(progress)"])
    // Rows load while they are visible.
    await server.pictures.ended(1)
  }

  @Test("15 an article is left while it loads, and opened again: one request is given up, and one made")
  func backInTheMiddle() async {
    await openArticle()
    await server.articles.arrived(for: 0)
    #expect(host.press("Feed"))
    await server.articles.ended(1)
    #expect(texts == ["post 0 …", "(progress)"])
    #expect(host.press("post 0 …"))
    await server.articles.arrived(2)
    server.articles.answer(call: 2, with: .success(Article(text: "Hello")))
    await model.articles[0].settled()
    #expect(texts == ["Hello", "♥ 0"])
  }

  @Test("15 two likes, of which the server refuses the second: both are visible at once, one remains")
  func likes() async {
    await openArticle()
    server.articles.answer(for: 0, with: .success(Article(text: "Hello", likes: 3)))
    await server.articles.arrived(for: 0)
    await model.articles[0].settled()
    #expect(texts == ["Hello", "♥ 3"])
    #expect(host.press("♥ 3"))
    await server.likes.arrived(1)
    #expect(texts == ["Hello", "♥ 4"])
    #expect(host.press("♥ 4"))
    await model.articles[0].observed.map { $0.value?.likes }.first(5)
    #expect(texts == ["Hello", "♥ 5"])
    server.likes.answer(call: 1, with: .success(0))
    await server.likes.arrived(2)
    server.likes.answer(call: 2, with: .failure(Offline()))
    await model.articles[0].settled()
    #expect(texts == ["Hello", "♥ 4"])
  }

  @Test(
    "15 the network is lost on an article that is pulled: it stays with a banner, and is refreshed with the network")
  func lostNetwork() async throws {
    await openArticle()
    await server.articles.arrived(for: 0)
    server.articles.answer(call: 1, with: .success(Article(text: "Hello")))
    await model.articles[0].settled()
    isOnline.write(false)
    let pull = try #require(host.refresh())
    await server.articles.arrived(2)
    server.articles.answer(call: 2, with: .failure(Offline()))
    await pull.value
    #expect(texts == ["Not updated", "You are offline.", "Try Again", "Hello", "♥ 0"])
    isOnline.write(true)
    await server.articles.arrived(3)
    server.articles.answer(call: 3, with: .success(Article(text: "News")))
    await model.board.settled()
    #expect(texts == ["News", "♥ 0"])
  }

  @Test("15 typing a text for which there is nothing, and removing it")
  func searching() async {
    #expect(host.press("Search"))
    #expect(texts == ["Type something"])
    await Task { @MainActor in }.value
    for text in ["q", "qq"] { host.type(text) }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(300))
    await server.results.arrived(for: "qq")
    #expect(texts == ["(progress)"] && server.results.arguments(as: String.self) == ["qq"])
    server.results.answer(for: "qq", with: .success([]))
    await search.results.settled()
    #expect(texts == ["No results for qq"])
    host.type("")
    #expect(texts == ["Type something"])
  }

  @Test("15 signing up: a double tap is one request, an error keeps the name, and a retry sends it")
  func signUp() async {
    #expect(host.press("Sign up now"))
    host.type("Ada")
    #expect(host.press("Sign up"))
    #expect(texts.first == "Signing up")
    #expect(host.press("Signing up"))
    await server.greetings.arrived(1)
    server.greetings.answer(call: 1, with: .failure(Offline()))
    await model.signUp.settled()
    #expect(texts == ["Sign up", "You are offline.", "Try Again"])
    #expect(host.press("Try Again"))
    await server.greetings.arrived(2)
    server.greetings.answer(call: 2, with: .success("Welcome, Ada."))
    await model.signUp.settled()
    #expect(texts == ["Sign up", "Welcome, Ada."])
    #expect(server.greetings.arguments(as: String.self) == ["Ada", "Ada"])
  }

  @Test("15 a setting changes at once, and returns if the server refuses; leaving the screen does not lose it")
  func settings() async {
    #expect(host.press("Settings"))
    await server.settingsToRead.arrived(1)
    server.settingsToRead.answer(call: 1, with: .success(Settings()))
    await model.ownSettings.settled()
    #expect(texts == ["News: off"])
    #expect(host.press("News: off"))
    await server.settingsToSave.arrived(1)
    #expect(texts == ["News: on"])
    #expect(host.press("Feed"))
    server.settingsToSave.answer(call: 1, with: .success(Settings(sendsNews: true)))
    await server.settingsToSave.ended(1)
    #expect(host.press("Settings"))
    await model.ownSettings.settled()
    #expect(texts == ["News: on"])
    #expect(host.press("News: on"))
    await server.settingsToSave.arrived(2)
    server.settingsToSave.answer(call: 2, with: .failure(Offline()))
    await server.settingsToSave.ended(2)
    await model.ownSettings.observed.map { $0.value?.sendsNews }.first(true)
    #expect(texts.last == "News: on")
  }
}

extension Observed where Value: Equatable & Sendable {
  /// Suspends until the value is this one.
  fileprivate func first(_ expected: Value) async {
    for await value in values where value == expected { return }
  }
}
