// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
@testable import AsyncStateUI
import Testing
import UIKit

/// What a screen says, and in which language.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct TextTests {
    /// An error as programs throw it: nothing for people to see.
    struct Broken: Error {
      var token = "secret"
    }
    struct Refused: LocalizedError {
      var errorDescription: String?
    }

    final class Talker: UIViewController, @MainActor AsyncContent {
      func apply(_ text: String, animated: Bool) {}
      var statusMessages: StatusMessages {
        StatusMessages(noData: "No mail", error: { $0 is Refused ? "Please log in." : nil })
      }
    }

    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
      AsyncTexts.app = AsyncTexts()
      AsyncStyle.app = AsyncStyle()
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    private func unavailable(_ screen: UIViewController) -> UIContentUnavailableConfiguration? {
      screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration
    }

    @Test("15.4 an error is displayed by its text for people, never by its description")
    func errors() {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      func text(of error: any Error) -> String? {
        resource.data.error = error
        return unavailable(screen)?.text
      }
      #expect(text(of: Broken()) == "Something went wrong. Please try again.")
      #expect(text(of: Refused(errorDescription: "Not for you")) == "Not for you")
      #expect(text(of: Refused()) == "Something went wrong. Please try again.")
      #expect(text(of: LoadTimeoutError()) == "This is taking too long. Please try again.")
      let offline = NSError(domain: "net", code: -1, userInfo: [NSLocalizedDescriptionKey: "You are offline."])
      #expect(text(of: offline) == "You are offline.")
      #expect(text(of: NSError(domain: "https://secret", code: 7)) == "Something went wrong. Please try again.")
      #expect(text(of: CocoaError(.fileNoSuchFile)) == CocoaError(.fileNoSuchFile).localizedDescription)
    }

    @Test("15.4 every text is there in every language of the package")
    func languages() throws {
      let keys = [
        AsyncText.loading, .noData, .retry, .dismiss, .notUpdated, .failure, .timeout,
      ].compactMap { if case .translated(let key) = $0.source { key } else { nil } }
      #expect(keys.count == 7)
      for language in ["en", "de", "fr", "es"] {
        let path = try #require(AsyncText.bundle?.path(forResource: language, ofType: "lproj"))
        let bundle = try #require(Bundle(path: path))
        for key in keys {
          let text = bundle.localizedString(forKey: key, value: "none", table: nil)
          #expect(text != "none" && (language == "en") == (text == key), "\(language): \(key)")
        }
      }
      #expect(AsyncText.retry.string == "Try Again")
    }

    @Test("15.4 where the translations are not found, as in a preview, the texts are English, and nothing stops")
    func withoutBundle() throws {
      let empty = FileManager.default.temporaryDirectory.appending(path: "AsyncStateUI \(UUID())")
      try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: empty) }
      #expect(TextBundle.find(in: [empty, empty.appending(path: "missing")]) == nil)
      #expect(AsyncText.retry.string(in: nil) == "Try Again")
      let bundle = empty.appending(path: "App_AsyncStateUI.bundle")
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      #expect(TextBundle.find(in: [empty.appending(path: "missing"), empty]) != nil)
    }

    @Test("15.4 the texts and looks of an app are set once, for all screens")
    func appTexts() {
      AsyncTexts.app.noData = "All done."
      AsyncTexts.app.retry = "Once more"
      AsyncTexts.app.failure = { $0 is Broken ? "Oh." : .describing($0) }
      AsyncStyle.app.failure = { _ in .search() }
      AsyncStyle.app.loading = {
        var configuration = UIContentUnavailableConfiguration.loading()
        configuration.text = "Wait"
        return configuration
      }
      defer {
        AsyncTexts.app = AsyncTexts()
        AsyncStyle.app = AsyncStyle()
      }
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      #expect(unavailable(screen)?.text == "Wait")
      resource.data.value = nil
      #expect(unavailable(screen)?.text == "All done.")
      resource.data.error = Broken()
      #expect(unavailable(screen)?.text == "Oh.")
      #expect(unavailable(screen)?.kind == "search")
      #expect(unavailable(screen)?.button.title == "Once more")
      resource.data.error = Refused(errorDescription: "No")
      #expect(unavailable(screen)?.text == "No")
    }

    @Test("6.5 the messages of the content are displayed, once there is one; a screen decides about its button")
    func contentMessages() {
      final class Strict: AsyncViewController<String> {
        override var canReload: Bool { false }
      }
      let resource = AsyncResource<String> { nil }
      let screen = Strict(resource) { _ in Talker() }
      window.rootViewController = screen
      resource.data.value = nil
      #expect(unavailable(screen)?.text == "There is nothing here yet.")
      #expect(unavailable(screen)?.buttonProperties.primaryAction == nil)
      resource.data.value = "a"
      settle()
      resource.data.error = Refused(errorDescription: "401")
      settle()
      #expect(unavailable(screen)?.text == "Please log in.")
      resource.data.error = Broken()
      #expect(unavailable(screen)?.text == "Something went wrong. Please try again.")
      resource.data.value = nil
      #expect(unavailable(screen)?.text == "No mail")
      #expect(StandIn.audit() == [])
    }

    @Test("15.5 VoiceOver is notified of loading, failure and content, and its focus moves where what had it has gone")
    func announcements() throws {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      // The first status is read with the screen.
      #expect(UIAccessibility.posts == [])
      resource.data.error = Refused(errorDescription: "No")
      try #require(unavailable(screen)?.buttonProperties.primaryAction).performWithSender(nil, target: nil)
      resource.data.value = "a"
      settle()
      #expect(
        UIAccessibility.posts == [
          "layoutChanged", "announcement No", "layoutChanged", "announcement Loading", "layoutChanged",
        ])
      window.rootViewController = UIViewController()
      resource.data.error = Broken()
      #expect(UIAccessibility.posts.count == 5)
    }

    @Test("15.5 the focus that moves does not interrupt an announcement, and stays with a content that stays")
    func focus() {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { Talker() }
      window.rootViewController = screen
      resource.data.error = Broken()
      // The focus moves in the next turn of the run loop.
      StandIn.nextTurn()
      #expect(VoiceOver.spoken == ["Something went wrong. Please try again."])
      resource.data.value = "a"
      settle()
      VoiceOver.posts = []
      for text in ["b", "c"] { resource.data.value = text }
      settle()
      #expect(VoiceOver.posts == [])
    }

    @Test("15.5, 15.6 ten failing polls are one announcement, until there is another text or a person has retried")
    func polls() throws {
      for hasContent in [false, true] {
        VoiceOver.reset()
        let resource = AsyncResource<String> { nil }
        if hasContent { resource.data.value = "a" }
        let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { Talker() }
        window.rootViewController = screen
        var spoken: [String] { VoiceOver.posts.filter { $0.hasPrefix("announcement") && !$0.hasSuffix("Loading") } }
        func fail(_ error: any Error) {
          resource.refresh()
          resource.data.error = error
        }
        for _ in 0..<10 { fail(Broken()) }
        #expect(spoken.count == 1)
        fail(LoadTimeoutError())
        #expect(spoken.count == 2)
        fail(LoadTimeoutError())
        #expect(spoken.count == 2)
        if hasContent {
          let banner = try #require(screen.view.subviews.compactMap { $0 as? FailureBanner }.first)
          banner.subviews.compactMap { $0 as? UIButton }[0].sendActions(for: .primaryActionTriggered)
        } else {
          try #require(unavailable(screen)?.buttonProperties.primaryAction).performWithSender(nil, target: nil)
        }
        fail(LoadTimeoutError())
        #expect(spoken.count == 3)
      }
    }
  }
}
