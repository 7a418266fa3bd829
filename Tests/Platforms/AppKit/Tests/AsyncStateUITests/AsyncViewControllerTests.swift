// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateTesting
@testable import AsyncStateUI
import Foundation
import SwiftUI
import Accessibility
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

    let gate = ManualServer<String?>()
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

    @Test("4, 3.11, 15.4 the host is visible with its screen, which says after a cancel that nothing was loaded")
    func visibleAndIdle() async {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      let screen = makeScreen(resource)
      #expect(screen.host.isVisible.current)
      await gate.arrived(1)
      resource.cancel()
      #expect(texts(screen, AsyncIdleView.self) == ["Not loaded.", "Try Again"])
      window.contentViewController = Content()
      #expect(!screen.host.isVisible.current)
    }

    @Test("15.6 a banner stands beside content alone, and another failure changes the one that is there")
    func bannerBesideContent() async {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      let screen = makeScreen(resource)
      func banner() -> NSView? { screen.view.subviews.first { $0 is NSHostingView<FailureBannerView> } }
      await gate.arrived(1)
      resource.data.value = "old"
      var former: NSView?
      for number in 2...3 {
        resource.refresh()
        await gate.arrived(number)
        gate.answer(call: number, with: .failure(Offline()))
        await resource.settled()
        #expect(banner() != nil && (former == nil || banner() === former))
        former = banner()
      }
      resource.reload()
      #expect(banner() == nil)
      resource.cancel()
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

    @Test("6.6 a placeholder is there at once, and the indicator in front of it after the pacer's delay")
    func placeholder() async {
      final class Patient: AsyncViewController<String> {
        let skeleton = Content()
        override func children(for status: AsyncStatus<String>) -> [NSViewController] {
          if case .loading = status { return [skeleton] + super.children(for: status) }
          return super.children(for: status)
        }
      }
      let clock = ManualClock()
      let resource = AsyncResource { [gate] in try await gate.wait() }
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let screen = Patient(resource, pacer: pacer, animator: ImmediateAnimator()) { _ in Content() }
      window.contentViewController = screen
      #expect(screen.children == [screen.skeleton])
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      #expect(screen.children.first === screen.skeleton && screen.children.count == 2)
      #expect(texts(screen, AsyncLoadingView.self) == ["(progress)"])
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(screen.children.count == 1 && !screen.children.contains(screen.skeleton))
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15.11 a screen that is given no pacer has that of the app, measured by the clock of its data; a preview has none"
    )
    func pacerOfTheApp() async {
      let clock = ManualClock()
      let resource = AsyncResource(options: LoadOptions(clock: clock)) { [gate] in try await gate.wait() }
      DisplayPacer.app = DisplayPacer()
      let screen = AsyncViewController(resource, animator: ImmediateAnimator()) { _ in Content() }
      let preview = AsyncViewController(
        AsyncResource<String>.preview(.loading), animator: ImmediateAnimator()
      ) { _ in Content() }
      DisplayPacer.app = nil
      window.contentViewController = preview
      #expect(texts(preview, AsyncLoadingView.self) == ["(progress)"])
      window.contentViewController = screen
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(199))
      #expect(screen.children == [])
      await clock.advance(by: .milliseconds(1))
      #expect(texts(screen, AsyncLoadingView.self) == ["(progress)"])
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(texts(screen, AsyncLoadingView.self) == ["(progress)"])
      await clock.advance(by: .milliseconds(500))
      #expect(screen.children.count == 1 && screen.children.first is Content)
    }

    // MARK: A refresh that has failed

    /// The banner is of no public type: it is the hosting view in front.
    private func banner(_ screen: NSViewController) -> ViewHost? {
      let host = (screen.view.subviews.last as? any Drawn)?.drawing
      host?.draw()
      return host
    }

    private func makeScreen(_ policy: DisplayPolicy<String>, _ resource: AsyncResource<String>) -> NSViewController {
      let screen = AsyncViewController(
        resource, policy: policy, animator: ImmediateAnimator(), content: { _ in Content() })
      window.contentViewController = screen
      return screen
    }

    @Test("15.6 a refresh that fails leaves the content, a banner says so, requests again, and is removed by a success")
    func failedRefresh() async throws {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "old"
      let screen = makeScreen(DisplayPolicy(errors: .never), resource)
      #expect(banner(screen) == nil)
      resource.refresh()
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.settled()
      #expect(banner(screen)?.texts == ["Not updated", "You are offline.", "Try Again"])
      #expect(AccessibilityNotification.posts.last == "You are offline.")
      #expect(screen.children.count == 1 && screen.children.first is Content)
      #expect(banner(screen)?.press("Try Again") == true)
      #expect(resource.snapshot.activity?.mode == .refresh)
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("new"))
      await resource.settled()
      #expect(banner(screen) == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("15.6 a banner that was closed returns with another text, and not with the next failing poll")
    func dismissal() async throws {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "old"
      let screen = makeScreen(DisplayPolicy(errors: .never), resource)
      for number in 1...2 {
        resource.refresh()
        await gate.arrived(number)
        gate.answer(call: number, with: .failure(number == 1 ? Offline() as any Error : LoadTimeoutError()))
        await resource.settled()
        #expect(banner(screen)?.press("Dismiss") == true)
        #expect(banner(screen) == nil)
        resource.data.error = resource.error
        #expect(banner(screen) == nil)
      }
    }

    @Test("15.6 an error in the place of content has no banner, nor has a screen that wants none")
    func noBanner() {
      final class Quiet: AsyncViewController<String> {
        override var showsFailedRefresh: Bool { false }
      }
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "old"
      let plain = makeScreen(DisplayPolicy(), resource)
      resource.data.error = Offline()
      #expect(texts(plain, AsyncFailureView.self) == ["You are offline.", "Try Again"])
      #expect(plain.view.subviews.count == 1)
      let quiet = Quiet(resource, policy: DisplayPolicy(errors: .never)) { _ in Content() }
      window.contentViewController = quiet
      #expect(banner(quiet) == nil)
      resource.cancel()
    }

    /// A content with an outlet.
    final class Rows: NSViewController, @MainActor AsyncContent {
      private var label: NSView?
      private(set) var applied: [[Int]] = []
      init() { super.init(nibName: nil, bundle: nil) }
      required init?(coder: NSCoder) { nil }
      override func loadView() {
        view = NSView(frame: .zero)
        label = view
      }
      func apply(_ rows: [Int], animated: Bool) {
        #expect(label != nil)
        applied.append(rows)
      }
    }

    @Test("15.8 a content that stays gets each value when its view is loaded, also an empty one, below the message")
    func lastingContent() throws {
      let resource = AsyncResource<[Int]> { nil }
      let screen = AsyncViewController(resource, policy: .emptyIsNoData(), animator: ImmediateAnimator()) { Rows() }
      screen.host.start()
      resource.data.value = [1]
      let rows = try #require(screen.children.first as? Rows)
      #expect(!rows.isViewLoaded && rows.applied == [])
      window.contentViewController = screen
      #expect(rows.applied == [[1]])
      resource.data.value = []
      #expect(rows.applied == [[1], []] && screen.children.count == 2 && screen.children.first === rows)
      #expect(texts(screen, AsyncEmptyView.self) == ["There is nothing here yet.", "Try Again"])
      resource.data.value = [2]
      #expect(screen.children == [rows])
      #expect(StandIn.audit() == [])
    }

    /// Content with messages of its own.
    final class Speaking: NSViewController, @MainActor AsyncContent {
      init() { super.init(nibName: nil, bundle: nil) }
      required init?(coder: NSCoder) { nil }
      override func loadView() { view = NSView(frame: .zero) }
      func apply(_ text: String, animated: Bool) {}
      var statusMessages: StatusMessages { StatusMessages(noData: "Nothing written", error: { _ in "No articles" }) }
    }

    final class Fixed: AsyncViewController<String> {
      override var canReload: Bool { false }
    }

    @Test("15.4 the messages of the content come first, and a screen without a reload has no button")
    func messages() {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "a"
      let screen = Fixed(resource, animator: ImmediateAnimator()) { _ in Speaking() }
      window.contentViewController = screen
      resource.data.error = Offline()
      #expect(texts(screen, AsyncFailureView.self) == ["No articles"])
      resource.data.value = nil
      #expect(texts(screen, AsyncEmptyView.self) == ["Nothing written"])
    }

    @Test("5.14, 6.6 a screen that appears in another's transition has its content at once, if there is a value")
    func nestedContent() {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "a"
      let page = AsyncViewController(resource) { Content() }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [Content()] : [page] }
      window.contentViewController = outer
      outer.setNeedsTransition(to: 1, animated: true)
      #expect(page.children.count == 1 && (page.children.first as? Content)?.texts == ["a"])
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(page.children.first is Content && outer.children == [page])
      #expect(StandIn.audit() == [])
    }

    @Test("15.5 ten failing polls are one announcement, until there is another text, and the message keeps its view")
    func polls() {
      AccessibilityNotification.posts = []
      let resource = AsyncResource<String> { nil }
      let screen = makeScreen(resource)
      for number in 0..<10 {
        resource.refresh()
        resource.data.error = Offline()
        #expect(texts(screen, AsyncFailureView.self) == ["You are offline.", "Try Again"])
        #expect(AccessibilityNotification.posts.count { $0 == "You are offline." } == 1, "poll \(number)")
      }
      let message = screen.children.last
      resource.data.error = LoadTimeoutError()
      #expect(texts(screen, AsyncFailureView.self)?.first == "This is taking too long. Please try again.")
      #expect(AccessibilityNotification.posts.count == 2 && screen.children.last === message)
      resource.data.value = "a"
      resource.data.value = nil
      #expect(texts(screen, AsyncEmptyView.self)?.first == "There is nothing here yet.")
      #expect(AccessibilityNotification.posts.count == 3 && StandIn.audit() == [])
    }

    @Test("15.6 a banner that was closed stays so where its content is hidden meanwhile, until a success")
    func closedForGood() {
      let resource = AsyncResource { [gate] in try await gate.wait() }
      resource.data.value = "old"
      let screen = makeScreen(DisplayPolicy(errors: .never), resource)
      AccessibilityNotification.posts = []
      resource.data.error = Offline()
      #expect(banner(screen)?.texts.contains("Not updated") == true)
      resource.reload()
      resource.cancel()
      #expect(banner(screen)?.press("Dismiss") == true && AccessibilityNotification.posts == ["You are offline."])
      resource.reload()
      resource.cancel()
      #expect(banner(screen) == nil && AccessibilityNotification.posts.count == 1)
      resource.data.value = "new"
      resource.data.error = Offline()
      #expect(banner(screen)?.texts.contains("Not updated") == true && AccessibilityNotification.posts.count == 2)
      resource.cancel()
    }

    @Test("15.8 a content that deletes its last row beside a refresh that has failed stays, below the error")
    func lastRowBesideAnError() async throws {
      let commit = ManualServer<Void>()
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = [1]
      resource.data.error = Offline()
      let policy = DisplayPolicy<[Int]>.emptyIsNoData(errors: .never)
      let screen = AsyncViewController(resource, policy: policy, animator: ImmediateAnimator()) { Rows() }
      window.contentViewController = screen
      resource.cancel()
      let rows = try #require(screen.children.first as? Rows)
      let deletion = deleteAll(of: resource, awaiting: commit)
      await commit.arrived(1)
      #expect(rows.applied.last == [] && screen.children.first === rows && screen.children.count == 2)
      #expect(texts(screen, AsyncFailureView.self) == ["You are offline.", "Try Again"])
      commit.answer(call: 1, with: .success(()))
      _ = await deletion.value
    }
  }
}

@MainActor
private protocol Drawn {
  var drawing: ViewHost? { get }
}
extension NSHostingView: Drawn {
  var drawing: ViewHost? { host }
}
