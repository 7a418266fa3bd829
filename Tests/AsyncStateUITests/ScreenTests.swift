// SPDX-License-Identifier: MIT

#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  @testable import AsyncStateUI
  import Foundation
  import Testing
  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  extension ToolkitTests {
    /// A resource on a screen in no window: its content, and what it says.
    @MainActor
    struct ScreenTests {
      /// An error as programs throw it: nothing for people to see.
      struct Broken: Error {}
      struct Refused: LocalizedError {
        var errorDescription: String?
      }

      /// A content that stays.
      final class Lasting<Value>: Leaf, @MainActor AsyncContent {
        private(set) var values: [Value] = []
        func apply(_ value: Value, animated: Bool) {
          #expect(isViewLoaded)
          values.append(value)
        }
        var statusMessages: StatusMessages {
          StatusMessages(noData: "No mail", error: { $0 is Refused ? "Please log in." : nil })
        }
      }

      private func load<Value>(_ screen: AsyncViewController<Value>) -> AsyncViewController<Value> {
        screen.host.start()
        screen.loadViewIfNeeded()
        return screen
      }

      @Test("15.8 no view of a content is loaded before that of its screen, which gives it the last value then")
      func unloadedScreen() throws {
        let resource = AsyncResource<String> { nil }
        let screen = AsyncViewController(resource) { Lasting<String>() }
        screen.host.start()
        resource.data.value = "a"
        resource.data.value = "b"
        let content = try #require(screen.children.first as? Lasting<String>)
        #expect(!screen.isViewLoaded && !content.isViewLoaded && content.values == [])
        screen.loadViewIfNeeded()
        #expect(content.values == ["b"])
      }

      @Test("5.5, 15.8 each value has a controller of its own, which stays while the value is only marked")
      func contentForEachValue() {
        let resource = AsyncResource<String> { nil }
        let screen = load(AsyncViewController(resource) { Leaf($0) })
        resource.data.value = "a"
        let first = screen.children.first
        resource.invalidate()
        #expect(screen.children == [first])
        resource.data.value = "b"
        #expect(screen.children.map(\.description) == ["b"] && screen.children.first !== first)
      }

      @Test("5.5 an AsyncContent stays and gets the later values, also after an error in its place")
      func laterValues() {
        let resource = AsyncResource<String> { nil }
        let screen = load(AsyncViewController(resource) { Lasting<String>() })
        resource.data.value = "a"
        let content = screen.children.first as? Lasting<String>
        resource.data.value = "b"
        resource.data.error = Broken()
        #expect(!screen.children.contains { $0 === content })
        resource.data.value = "c"
        #expect(screen.children == [content] && content?.values == ["a", "b", "c"])
      }

      @Test(
        "15.8 each empty value is applied to the content that is there; a first one, and one to forget, are a message alone"
      )
      func emptyValues() throws {
        let rows = AsyncResource<[Int]> { nil }
        let policy = DisplayPolicy<[Int]>(isEmpty: { $0.allSatisfy { $0 < 0 } })
        let screen = load(AsyncViewController(rows, policy: policy) { Lasting<[Int]>() })
        func content() -> Lasting<[Int]>? { screen.children.first as? Lasting<[Int]> }
        rows.data.value = []
        #expect(content() == nil)
        for value in [[1], [-1], [-1, -2], [-3]] {
          rows.data.value = value
          #expect(content()?.values.last == value)
        }
        #expect(content()?.values.count == 4)
        rows.forget()
        #expect(content() == nil)
      }

      @Test("15.4 an error is displayed by its text for people, never by its description")
      func errors() {
        let screen = AsyncViewController(AsyncResource<String> { nil }) { Leaf($0) }
        func text(of error: any Error) -> String? { screen.message(for: .error(error)) }
        #expect(text(of: Broken()) == "Something went wrong. Please try again.")
        #expect(text(of: Refused(errorDescription: "Not for you")) == "Not for you")
        #expect(text(of: Refused()) == "Something went wrong. Please try again.")
        #expect(text(of: LoadTimeoutError()) == "This is taking too long. Please try again.")
        let offline = NSError(domain: "net", code: -1, userInfo: [NSLocalizedDescriptionKey: "You are offline."])
        #expect(text(of: offline) == "You are offline.")
        #expect(text(of: NSError(domain: "https://secret", code: 7)) == "Something went wrong. Please try again.")
        #expect(text(of: CocoaError(.fileNoSuchFile)) == CocoaError(.fileNoSuchFile).localizedDescription)
      }

      @Test("6.5 the messages of the content are displayed, once there is one")
      func contentMessages() {
        let resource = AsyncResource<String> { nil }
        let screen = load(AsyncViewController(resource) { Lasting<String>() })
        #expect(screen.message(for: .noData) == "There is nothing here yet.")
        resource.data.value = "a"
        #expect(screen.message(for: .error(Refused(errorDescription: "401"))) == "Please log in.")
        #expect(screen.message(for: .error(Broken())) == "Something went wrong. Please try again.")
        #expect(screen.message(for: .noData) == "No mail" && screen.message(for: .data("a")) == nil)
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

      #if canImport(UIKit)
        @Test("6.1 a screen requests its resource when it appears, and displays the content")
        func appearance() {
          let resource = AsyncResource<String> { nil }
          let screen = AsyncViewController(resource) { Leaf($0) }
          screen.loadViewIfNeeded()
          #expect(!resource.isRunning)
          UIView.setAnimationsEnabled(false)
          defer { UIView.setAnimationsEnabled(true) }
          let window = UIWindow()
          window.rootViewController = screen
          window.makeKeyAndVisible()
          #expect(resource.isRunning)
          #expect(screen.contentUnavailableConfiguration != nil)
          resource.data.value = "a"
          #expect(screen.contentUnavailableConfiguration == nil)
          #expect(screen.children.count == 1)
          window.rootViewController = nil
        }
      #endif
    }
  }
#endif
