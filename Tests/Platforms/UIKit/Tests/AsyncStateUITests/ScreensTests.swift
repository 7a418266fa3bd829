// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
@testable import Screens
import Testing
import UIKit

/// The example screens do what they say.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct ScreensTests {
    struct Failure: Error {}

    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    @Test("15 an article: a refresh that fails keeps it on the screen")
    func article() {
      let gate = ManualServer<Article?>()
      let article = AsyncResource { try await gate.wait() }
      let screen = makeArticleScreen(article: article)
      window.rootViewController = screen
      article.data.value = Article(text: "Hello")
      settle()
      let content = screen.children.first as? ArticleViewController
      #expect(content?.label.text == "Hello")
      article.data.error = Failure()
      #expect(screen.children.first === content)
      article.data.value = Article(text: "World")
      #expect(content?.label.text == "World")
      #expect(StandIn.audit() == [])
    }

    struct Letters: Catalogue {
      let gate: ManualServer<[String]>
      func entries(matching text: String) async throws -> [String] { try await gate.wait(for: text) }
    }

    @Test("15 a search field: one request after the delay, for the last text; results stay meanwhile")
    func search() async {
      let gate = ManualServer<[String]>()
      let clock = ManualClock()
      let screen = SearchViewController(catalogue: Letters(gate: gate), clock: clock)
      window.rootViewController = screen
      for text in ["a", "ab", "abc"] {
        screen.field.text = text
        screen.field.sendActions(for: .editingChanged)
      }
      #expect(!screen.results.isRunning)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(300))
      await gate.arrived(for: "abc")
      gate.answer(for: "abc", with: .success(["abcd"]))
      for await isRunning in screen.results.observed.isRunning.values where !isRunning { break }
      settle()
      let results = screen.children.first?.children.first as? ResultsViewController
      let cell = results?.tableView.cellForRow(at: IndexPath(row: 0, section: 0))
      #expect((cell?.contentConfiguration as? UIListContentConfiguration)?.text == "abcd")
      #expect(gate.arguments(as: String.self) == ["abc"])
      #expect(StandIn.audit() == [])
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

    @Test("15 a feed: the next page is requested before the end, rows load while they are visible")
    func feed() async {
      let (pages, pictures) = (ManualServer<Int>(), ManualServer<String>())
      let screen = FeedViewController(backend: Posts(pages: pages, pictures: pictures))
      window.rootViewController = screen
      await pages.arrived(for: 0)
      pages.answer(for: 0, with: .success(10))
      await pictures.arrived(for: 0)
      #expect(screen.tableView.numberOfRows(inSection: 0) == 10)
      screen.tableView.scroll(to: 5)
      await pages.arrived(for: 10)
      pages.answer(for: 10, with: .success(10))
      for await count in screen.feed.observed.map({ $0.value?.items.count ?? 0 }).values where count == 20 { break }
      #expect(screen.tableView.numberOfRows(inSection: 0) == 20)
      #expect(StandIn.audit() == [])
    }

    @Test("8.2 a cell that is used again in the middle of a load never shows the answer for its former row")
    func reusedCell() async throws {
      let (pages, pictures) = (ManualServer<Int>(), ManualServer<String>(ignoresCancellation: true))
      let screen = FeedViewController(backend: Posts(pages: pages, pictures: pictures))
      window.rootViewController = screen
      await pages.arrived(for: 0)
      pages.answer(for: 0, with: .success(30))
      await pictures.arrived(for: 0)
      func controller(_ row: Int) -> PostViewController? {
        let cell = screen.tableView.cellForRow(at: IndexPath(row: row, section: 0))
        return (cell?.contentView as? ControllerCell<PostViewController>)?.controller
      }
      let former = try #require(controller(0))
      screen.tableView.scroll(to: 5)
      await pictures.arrived(for: 9)
      let row = try #require((5..<10).first { controller($0) === former })
      pictures.answer(for: 0, with: .success("picture 0"))
      pictures.answer(for: row, with: .success("picture \(row)"))
      await former.picture.settled()
      #expect(former.label.text == "post \(row) picture \(row)")
    }

    // MARK: As a person would

    private func makeModel() -> (AppModel, AppServer) {
      let server = AppServer()
      return (AppModel(server: server), server)
    }

    @Test("15 an article is left while it loads, and opened again; a like is visible at once, and one is refused")
    func likes() async throws {
      let (model, server) = makeModel()
      let navigation = UINavigationController(rootViewController: UIViewController())
      window.rootViewController = navigation
      navigation.pushViewController(makeArticleScreen(article: model.articles[0]), animated: false)
      settle()
      await server.articles.arrived(for: 0)
      navigation.popViewController(animated: false)
      settle()
      let screen = makeArticleScreen(article: model.articles[0]) { await model.like(0) }
      navigation.pushViewController(screen, animated: false)
      settle()
      server.articles.answer(call: 1, with: .success(Article(text: "Hello", likes: 3)))
      await model.articles[0].settled()
      settle()
      let content = try #require(screen.children.first as? ArticleViewController)
      #expect(content.label.text == "Hello" && content.likeButton.configuration?.title == "♥ 3")
      content.likeButton.sendActions(for: .primaryActionTriggered)
      await server.likes.arrived(1)
      #expect(content.likeButton.configuration?.title == "♥ 4")
      server.likes.answer(call: 1, with: .failure(AppServer.Offline()))
      await model.articles[0].settled()
      #expect(content.likeButton.configuration?.title == "♥ 3")
      #expect(server.articles.arguments(as: Int.self) == [0])
      #expect(StandIn.audit() == [])
    }

    @Test("15 signing up: a double tap is one request, and an error keeps the name for another tap")
    func signUp() async {
      let (model, server) = makeModel()
      let screen = SignUpViewController(signUp: model.signUp)
      window.rootViewController = screen
      screen.name.text = "Ada"
      for _ in 0..<2 { screen.button.sendActions(for: .primaryActionTriggered) }
      #expect(!screen.button.isEnabled && screen.button.configuration?.title == "Signing up")
      await server.greetings.arrived(1)
      server.greetings.answer(call: 1, with: .failure(AppServer.Offline()))
      await model.signUp.settled()
      #expect(screen.button.isEnabled && screen.message.text == "You are offline.")
      screen.button.sendActions(for: .primaryActionTriggered)
      #expect(screen.message.text == nil)
      await server.greetings.arrived(2)
      server.greetings.answer(call: 2, with: .success("Welcome, Ada."))
      await model.signUp.settled()
      #expect(screen.message.text == "Welcome, Ada.")
      #expect(server.greetings.arguments(as: String.self) == ["Ada", "Ada"])
    }

    @Test("15 a setting changes at once, and returns if the server refuses")
    func settings() async throws {
      let (model, server) = makeModel()
      let screen = makeSettingsScreen(model: model)
      window.rootViewController = screen
      await server.settingsToRead.arrived(1)
      server.settingsToRead.answer(call: 1, with: .success(Settings()))
      await model.ownSettings.settled()
      settle()
      let content = try #require(screen.children.first as? SettingsViewController)
      for isRefused in [false, true] {
        let title = content.button.configuration?.title
        content.button.sendActions(for: .primaryActionTriggered)
        await server.settingsToSave.arrived(isRefused ? 2 : 1)
        #expect(content.button.configuration?.title != title)
        server.settingsToSave.answer(
          call: isRefused ? 2 : 1,
          with: isRefused ? .failure(AppServer.Offline()) : .success(Settings(sendsNews: true)))
        await model.saveSendsNews.settled()
        #expect(content.button.configuration?.title == "News: on")
      }
      #expect(StandIn.audit() == [])
    }
  }
}
