// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

/// The content of a screen: when it gets its values, and what is displayed in its place.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct ScreenContentTests {
    /// A controller with an outlet of a storyboard.
    final class Article: UIViewController, @MainActor AsyncContent {
      private let label = UILabel()
      private(set) var texts: [String] = []
      func apply(_ text: String, animated: Bool) {
        outlet(label).text = text
        texts.append(text)
      }
    }

    /// A list whose last row is deleted by hand.
    final class Rows: UITableViewController, @MainActor AsyncContent {
      private(set) var rows: [Int] = []
      func apply(_ rows: [Int], animated: Bool) { self.rows = rows }
    }

    struct Offline: LocalizedError {
      var errorDescription: String? { "offline" }
    }

    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        StandIn.transition?.finish()
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    private func unavailable(_ screen: UIViewController) -> UIContentUnavailableConfiguration? {
      screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration
    }

    @Test("15.8 a content that stays gets its first value when its view is loaded, with its outlets")
    func outlets() throws {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { Article() }
      window.rootViewController = screen
      resource.data.value = "a"
      settle()
      let article = try #require(screen.children.first as? Article)
      resource.data.value = "b"
      settle()
      #expect(article.texts == ["a", "b"] && screen.children == [article])
    }

    @Test("15.8 no view of a content is loaded before that of its screen, which gives it the last value then")
    func unloadedScreen() throws {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { Article() }
      screen.host.start()
      resource.data.value = "a"
      resource.data.value = "b"
      let article = try #require(screen.children.first as? Article)
      #expect(!screen.isViewLoaded && !article.isViewLoaded && article.texts == [])
      screen.loadViewIfNeeded()
      #expect(article.texts == ["b"])
      window.rootViewController = screen
      settle()
      #expect(article.texts == ["b"] && StandIn.audit() == [])
    }

    @Test("15.8 a content that deletes its last row stays, gets the empty value, and the message lies over it")
    func lastRow() throws {
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = [1]
      let screen = AsyncViewController(resource, policy: .emptyIsNoData()) { Rows() }
      window.rootViewController = screen
      settle()
      let rows = try #require(screen.children.first as? Rows)
      resource.data.value = []
      #expect(screen.children == [rows] && rows.view.superview === screen.view && rows.rows == [])
      #expect(unavailable(screen)?.text == "There is nothing here yet.")
      settle()
      resource.data.value = [2]
      #expect(screen.children == [rows] && rows.rows == [2] && unavailable(screen) == nil)
      // What is forgotten is not displayed below a message.
      resource.forget()
      settle()
      #expect(screen.children == [] && unavailable(screen)?.text == "Not loaded.")
      #expect(StandIn.audit() == [])
    }

    @Test("15.8 a first value that is empty is a message alone")
    func firstEmptyValue() {
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = []
      let screen = AsyncViewController(resource, policy: .emptyIsNoData()) { Rows() }
      window.rootViewController = screen
      settle()
      #expect(screen.children == [] && unavailable(screen)?.text == "There is nothing here yet.")
    }

    @Test("15.8 a text does not lie over content that fades out")
    func fadingContent() {
      let resource = AsyncResource<String> { nil }
      resource.data.value = "a"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .always)) { _ in UIViewController() }
      window.rootViewController = screen
      settle()
      resource.data.error = Offline()
      #expect(!UIView.pendingAnimations.isEmpty && unavailable(screen) == nil)
      settle()
      #expect(unavailable(screen)?.text == "offline" && screen.children == [])
    }

    @Test("15.3, 5.13 a swipe back that is taken back is no appearance: it requests nothing, of neither screen")
    func cancelledSwipe() async {
      let gate = ManualServer<String?>()
      let screens = (0..<2).map { _ in
        AsyncViewController(AsyncResource { try await gate.wait() }) { _ in UIViewController() }
      }
      let navigation = UINavigationController(rootViewController: screens[0])
      window.rootViewController = navigation
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await screens[0].host.data.settled()
      navigation.pushViewController(screens[1], animated: false)
      await gate.arrived(2)
      gate.answer(call: 2, with: .failure(Offline()))
      await screens[1].host.data.settled()

      navigation.beginInteractivePop()
      StandIn.transition?.cancel()
      settle()
      #expect(gate.callCount == 2 && screens.allSatisfy { unavailable($0)?.text == "offline" })
      // Completed, it is one.
      navigation.beginInteractivePop()
      StandIn.transition?.finish()
      settle()
      await gate.arrived(3)
      screens[0].host.data.cancel()
      #expect(StandIn.audit() == [])
    }

    @Test("15.3 the token of a refresh control ends its wheel")
    func wheel() async {
      let gate = ManualServer<String?>()
      let resource = AsyncResource { try await gate.wait() }
      let control = UIRefreshControl()
      var binding: ObservedToken? = control.bind(to: resource)
      control.pull()
      await gate.arrived(1)
      #expect(control.isRefreshing)
      withExtendedLifetime(binding) {}
      binding = nil
      // What a release ends is a job of the main actor.
      await Task { @MainActor in }.value
      #expect(!control.isRefreshing)
      resource.cancel()
    }

    @Test("15.8 a content that deletes its last row beside a refresh that has failed stays, below the error")
    func lastRowBesideAnError() async throws {
      let commit = ManualServer<Void>()
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = [1]
      resource.data.error = Offline()
      let screen = AsyncViewController(resource, policy: .emptyIsNoData(errors: .never)) { Rows() }
      screen.host.start()
      resource.cancel()
      window.rootViewController = screen
      resource.cancel()
      settle()
      let rows = try #require(screen.children.first as? Rows)
      let deletion = deleteAll(of: resource, awaiting: commit)
      await commit.arrived(1)
      settle()
      #expect(screen.children == [rows] && rows.rows == [] && unavailable(screen)?.text == "offline")
      // Pulled, it keeps its control.
      resource.refresh()
      settle()
      #expect(screen.children == [rows] && unavailable(screen) != nil)
      resource.cancel()
      // The server refuses, and the row is back.
      commit.answer(call: 1, with: .failure(Offline()))
      _ = await deletion.value
      settle()
      #expect(screen.children == [rows] && rows.rows == [1] && unavailable(screen) == nil)
      #expect(StandIn.audit() == [])
    }

    // MARK: Content for each value

    private final class Editor: UIViewController {
      let text: String
      init(_ text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
    }

    @Test("6.2, 15.8 a content that is made for each value stays while the value is only marked")
    func invalidated() throws {
      let note = AsyncResource<String> { nil }
      let screen = AsyncViewController(note) { Editor($0) }
      window.rootViewController = screen
      note.data.value = "a"
      settle()
      let editor = try #require(screen.children.first)
      note.invalidate()
      settle()
      #expect(screen.children.first === editor)
      note.data.value = "b"
      settle()
      #expect((screen.children.first as? Editor)?.text == "b")
    }

    @Test("1.6, 15.8 a content that was made for a value, and is displayed no more, is not kept")
    func released() {
      let note = AsyncResource<String> { nil }
      let screen = AsyncViewController(note, policy: DisplayPolicy(errors: .always)) { Editor($0) }
      window.rootViewController = screen
      note.data.value = "a"
      settle()
      weak var editor = screen.children.first
      #expect(editor != nil)
      note.data.error = Offline()
      settle()
      // UIKit does not say when it releases a completion that it has called.
      StandIn.reset()
      #expect(editor == nil)
      withExtendedLifetime(screen) {}
    }

    @Test("15.8 each empty value is applied to the content that is there")
    func emptyValues() throws {
      let rows = AsyncResource<[Int]> { nil }
      let screen = AsyncViewController(rows, policy: DisplayPolicy(isEmpty: { $0.allSatisfy { $0 < 0 } })) { Rows() }
      window.rootViewController = screen
      for value in [[1], [-1], [-1, -2], [-3]] {
        rows.data.value = value
        settle()
        let content = try #require(screen.children.first as? Rows)
        #expect(content.rows == value)
      }
    }

    // MARK: Pacing

    @Test("15.3, 6.6 a screen that is back, and requests, does not say that nothing was loaded")
    func backAfterLogOut() async {
      let clock = ManualClock()
      let gate = ManualServer<String>()
      let resource = AsyncResource { try await gate.wait() }
      let screen = AsyncViewController(resource, pacer: DisplayPacer(clock: clock)) { Editor($0) }
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      resource.data.value = "a"
      settle()
      navigation.pushViewController(UIViewController(), animated: false)
      settle()
      resource.forget()
      settle()
      navigation.popViewController(animated: false)
      settle()
      #expect(resource.isRunning && unavailable(screen) == nil)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      settle()
      #expect((screen.children.first as? Editor)?.text == "b")
    }

    @Test("6.6 an indicator that follows content stays its minimum from when it is on the screen")
    func minimumAfterContent() async {
      let clock = ManualClock()
      let gate = ManualServer<String>()
      let resource = AsyncResource { try await gate.wait() }
      let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
      let screen = AsyncViewController(resource, pacer: pacer) { Editor($0) }
      window.rootViewController = screen
      resource.data.value = "a"
      settle()
      screen.host.reload()
      await gate.arrived(1)
      await clock.advance(by: .milliseconds(200))
      #expect(unavailable(screen) == nil)
      await clock.advance(by: .milliseconds(350))
      settle()
      #expect(unavailable(screen) != nil)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      await clock.advance(by: .milliseconds(499))
      settle()
      #expect(unavailable(screen) != nil)
      await clock.advance(by: .milliseconds(1))
      settle()
      #expect(unavailable(screen) == nil)
    }

    @Test("15.6 no banner is in front of an indicator that stays for its minimum")
    func noBannerOverIndicator() async {
      let clock = ManualClock()
      let gate = ManualServer<String>()
      let resource = AsyncResource { try await gate.wait() }
      let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never), pacer: pacer) { Editor($0) }
      window.rootViewController = screen
      resource.data.value = "a"
      settle()
      func hasBanner() -> Bool { screen.view.subviews.contains { "\(type(of: $0))" == "FailureBanner" } }
      screen.host.reload()
      await gate.arrived(1)
      await clock.advance(by: .milliseconds(200))
      settle()
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.settled()
      settle()
      #expect(unavailable(screen) != nil && !hasBanner())
      await clock.advance(by: .seconds(1))
      settle()
      #expect(unavailable(screen) == nil && hasBanner())
    }
  }
}
