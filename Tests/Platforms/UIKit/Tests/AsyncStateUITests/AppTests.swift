// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
@testable import Screens
import Testing
import UIKit

extension ToolkitTests {
  /// The example app in UIKit, used as a person would: scroll, pull, type, go back in the middle, lose the network.
  @MainActor
  struct AppTests {
    private let server = AppServer(pictures: ManualServer(ignoresCancellation: true))
    private let clock = ManualClock()
    private let isOnline = Input(true)
    private let model: AppModel
    private let app: AppViewController
    private let window = makeWindow()

    init() {
      model = AppModel(server: server, clock: clock)
      app = AppViewController(model: model, clock: clock, isOnline: isOnline.observed)
      window.root = app
    }

    private func press(_ title: String) throws {
      let buttons = app.bar.subviews.compactMap { $0 as? UIButton }
      try #require(buttons.first { $0.configuration?.title == title }).sendActions(for: .primaryActionTriggered)
      StandIn.settle()
    }

    /// The screen that is displayed, or the topmost one of the feed.
    private func screen<Screen: UIViewController>(_ type: Screen.Type) throws -> Screen {
      let child = try #require(app.topChild)
      return try #require(((child as? UINavigationController)?.topViewController ?? child) as? Screen)
    }

    private func select(_ row: Int) throws {
      let table = try screen(FeedViewController.self).tableView
      table.delegate?.tableView(table, didSelectRowAt: IndexPath(row: row, section: 0))
      StandIn.settle()
    }

    private func openFeed() async throws {
      await server.pages.arrived(for: 0)
      server.pages.answer(for: 0, with: .success(10))
      await server.pictures.arrived(for: 0)
    }

    private func content() throws -> ArticleViewController {
      try #require(screen(AsyncViewController<Article>.self).children.first as? ArticleViewController)
    }

    private func openArticle(_ text: String) async throws {
      try await openFeed()
      try select(0)
      await server.articles.arrived(for: 0)
      server.articles.answer(for: 0, with: .success(Article(text: text, likes: 3)))
      await model.articles[0].settled()
      StandIn.settle()
    }

    @Test("15 a feed is scrolled, left for another screen, and is where it was; its pages go on")
    func scrolling() async throws {
      try await openFeed()
      let feed = try screen(FeedViewController.self)
      feed.tableView.scroll(to: 5)
      await server.pages.arrived(for: 10)
      try press("Search")
      #expect(try screen(SearchViewController.self).isViewLoaded)
      server.pages.answer(for: 10, with: .success(5))
      await feed.feed.settled()
      try press("Feed")
      #expect(try screen(FeedViewController.self) === feed)
      #expect(feed.tableView.numberOfRows(inSection: 0) == 15)
      #expect(StandIn.audit() == [])
    }

    @Test("8.2 a cell that is used again in the middle of a load never shows the answer for its former row")
    func reusedCell() async throws {
      await server.pages.arrived(for: 0)
      server.pages.answer(for: 0, with: .success(30))
      await server.pictures.arrived(for: 0)
      let table = try #require(screen(FeedViewController.self).tableView)
      func controller(_ row: Int) -> PostViewController? {
        let cell = table.cellForRow(at: IndexPath(row: row, section: 0))
        return (cell?.contentView as? ControllerCell<PostViewController>)?.controller
      }
      let former = try #require(controller(0))
      table.scroll(to: 5)
      await server.pictures.arrived(for: 9)
      let row = try #require((5..<10).first { controller($0) === former })
      server.pictures.answer(for: 0, with: .success("picture 0"))
      server.pictures.answer(for: row, with: .success("picture \(row)"))
      await former.picture.settled()
      #expect(former.label.text == "post \(row) picture \(row)")
    }

    @Test("15 an article is left while it loads, and opened again: it has what was on its way")
    func backInTheMiddle() async throws {
      try await openFeed()
      try select(3)
      await server.articles.arrived(for: 3)
      _ = try #require(app.topChild as? UINavigationController).popViewController(animated: true)
      StandIn.settle()
      #expect(try screen(FeedViewController.self).isViewLoaded)
      try select(3)
      server.articles.answer(for: 3, with: .success(Article(text: "Hello")))
      await model.articles[3].settled()
      StandIn.settle()
      #expect(try content().label.text == "Hello")
      #expect(server.articles.arguments(as: Int.self) == [3])
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15 the network is lost on an article that is pulled: it stays with a banner, and is refreshed with the network")
    func lostNetwork() async throws {
      try await openArticle("Hello")
      let page = try screen(AsyncViewController<Article>.self)
      let scrollView = try content().view.subviews.compactMap { $0 as? UIScrollView }.first
      let control = try #require(scrollView?.refreshControl)
      isOnline.write(false)
      control.pull()
      await server.articles.arrived(2)
      server.articles.answer(call: 2, with: .failure(Offline()))
      await model.articles[0].settled()
      #expect(!control.isRefreshing)
      #expect(try content().label.text == "Hello")
      // The content, and the banner in front of it.
      #expect(page.view.subviews.count == 2 && UIAccessibility.posts.last == "announcement You are offline.")
      isOnline.write(true)
      await server.articles.arrived(3)
      server.articles.answer(call: 3, with: .success(Article(text: "News")))
      await model.board.settled()
      StandIn.settle()
      #expect(try content().label.text == "News")
      #expect(page.view.subviews.count == 1)
      #expect(StandIn.audit() == [])
    }

    @Test("15 a like is visible at once, also while another screen is displayed, and is taken back if it is refused")
    func likes() async throws {
      try await openArticle("Hello")
      let content = try content()
      content.likeButton.sendActions(for: .primaryActionTriggered)
      await server.likes.arrived(1)
      #expect(content.likeButton.configuration?.title == "♥ 4")
      try press("Settings")
      server.likes.answer(call: 1, with: .failure(Offline()))
      await model.articles[0].settled()
      try press("Feed")
      #expect(content.likeButton.configuration?.title == "♥ 3")
      #expect(StandIn.audit() == [])
    }

    @Test("15 typing a text for which there is nothing, and removing it; the search is there after another screen")
    func searching() async throws {
      try press("Search")
      let search = try screen(SearchViewController.self)
      for text in ["q", "qq"] {
        search.field.text = text
        search.field.sendActions(for: .editingChanged)
      }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(300))
      await server.results.arrived(for: "qq")
      try press("Settings")
      #expect(server.results.arguments(as: String.self) == ["qq"])
      server.results.answer(for: "qq", with: .success([]))
      await search.results.settled()
      try press("Search")
      let results = try #require(search.children.first as? AsyncViewController<[String]>)
      #expect(results.contentUnavailableConfiguration != nil && results.children.isEmpty)
      search.field.text = ""
      search.field.sendActions(for: .editingChanged)
      StandIn.settle()
      #expect(!search.results.isRunning && search.results.value == nil)
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15 signing up: a double tap is one request, also when the form is left and opened again, and an error keeps the name"
    )
    func signUp() async throws {
      try press("Sign up now")
      let form = try screen(SignUpViewController.self)
      form.name.text = "Ada"
      for _ in 0..<2 { form.button.sendActions(for: .primaryActionTriggered) }
      await server.greetings.arrived(1)
      try press("Feed")
      try press("Sign up now")
      let again = try screen(SignUpViewController.self)
      #expect(again !== form && !again.button.isEnabled)
      server.greetings.answer(call: 1, with: .failure(Offline()))
      await model.signUp.settled()
      #expect(again.button.isEnabled && again.message.text == "You are offline.")
      again.name.text = "Ada"
      again.button.sendActions(for: .primaryActionTriggered)
      #expect(again.message.text == nil)
      await server.greetings.arrived(2)
      server.greetings.answer(call: 2, with: .success("Welcome, Ada."))
      await model.signUp.settled()
      #expect(again.button.isEnabled && again.message.text == "Welcome, Ada.")
      #expect(server.greetings.arguments(as: String.self) == ["Ada", "Ada"])
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15 a setting changes at once, is as it was saved when its screen was left meanwhile, and returns if it is refused"
    )
    func settings() async throws {
      try press("Settings")
      await server.settingsToRead.arrived(1)
      server.settingsToRead.answer(call: 1, with: .success(Settings()))
      await model.ownSettings.settled()
      StandIn.settle()
      func button() throws -> UIButton {
        let page = try screen(AsyncViewController<Settings>.self)
        return try #require(page.children.first as? SettingsViewController).button
      }
      try button().sendActions(for: .primaryActionTriggered)
      await server.settingsToSave.arrived(1)
      #expect(try button().configuration?.title == "News: on")
      try press("Feed")
      server.settingsToSave.answer(call: 1, with: .success(Settings(sendsNews: true)))
      await model.saveSendsNews.settled()
      try press("Settings")
      #expect(try button().configuration?.title == "News: on")
      try button().sendActions(for: .primaryActionTriggered)
      await server.settingsToSave.arrived(2)
      #expect(try button().configuration?.title == "News: off")
      server.settingsToSave.answer(call: 2, with: .failure(Offline()))
      await model.saveSendsNews.settled()
      #expect(try button().configuration?.title == "News: on")
      #expect(StandIn.audit() == [])
    }
  }
}
