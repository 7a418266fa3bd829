// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Foundation
import SwiftUI
import Testing

extension StandInTests {
  /// A resource in AppKit: what is displayed for each status, and when it is requested.
  @MainActor
  @Suite(.serialized)
  struct AsyncViewControllerTests {
    struct Offline: LocalizedError {
      var errorDescription: String? { "You are offline." }
    }

    final class Content: NSViewController, @MainActor AsyncContent {
      var texts: [String] = []
      init() { super.init(nibName: nil, bundle: nil) }
      required init?(coder: NSCoder) { nil }
      override func loadView() { view = NSView(frame: .zero) }
      func apply(_ text: String, animated: Bool) { texts.append(text) }
    }

    let gate = Gate<String?>()
    let window = NSWindow()

    init() { StandIn.reset() }

    /// The host displays at once; a transition with a fade ends when the test ends it.
    private func makeScreen(
      _ resource: AsyncResource<String>, pacer: DisplayPacer? = nil
    ) -> AsyncViewController<String> {
      let screen = AsyncViewController(
        resource, pacer: pacer, animator: ImmediateAnimator(), content: { _ in Content() })
      window.contentViewController = screen
      return screen
    }

    private func texts<Root: View>(_ screen: NSViewController, _ type: Root.Type) -> [String]? {
      let controller = screen.children.last as? NSHostingController<Root>
      controller?.host?.draw()
      return controller?.host?.texts
    }

    @Test("15.3 an indicator, an error with a retry, the content, which stays for another value, and nothing")
    func statuses() async throws {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      let screen = makeScreen(resource)
      #expect(texts(screen, AsyncLoadingView.self) == ["(progress)"])
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.settled()
      #expect(texts(screen, AsyncFailureView.self) == ["You are offline.", "Try Again"])
      let failure = try #require(screen.children.last as? NSHostingController<AsyncFailureView>)
      #expect(failure.host?.press("Try Again") == true)
      #expect(texts(screen, AsyncLoadingView.self) == ["(progress)"])
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("a"))
      await resource.settled()
      let content = try #require(screen.children.last as? Content)
      resource.data.value = "b"
      #expect(screen.children == [content] && content.texts == ["a", "b"])
      resource.data.value = nil
      #expect(texts(screen, AsyncEmptyView.self)?.last == "Try Again")
      #expect(StandIn.audit() == [])
    }

    @Test("15.3 each time it appears it requests what is stale, and nothing that is fresh")
    func appearances() async {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "a"
      let screen = makeScreen(resource)
      #expect(!resource.isRunning && screen.children.first is Content)
      window.isOrderedOut = true
      resource.invalidate()
      #expect(!resource.isRunning)
      window.isOrderedOut = false
      #expect(resource.isRunning)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      #expect((screen.children.first as? Content)?.texts.last == "b")
    }
  }
}
