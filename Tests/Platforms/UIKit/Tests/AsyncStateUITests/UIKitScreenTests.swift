// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

extension UIViewController {
  var unavailable: UIContentUnavailableConfiguration? {
    contentUnavailableConfiguration as? UIContentUnavailableConfiguration
  }
}

extension ToolkitTests {
  /// What only UIKit has: refresh controls, swipes, configurations, and the focus of VoiceOver.
  @MainActor
  struct UIKitScreenTests {
    /// An error as programs throw it: nothing for people to see.
    struct Broken: Error {}

    final class Talker: Leaf, @MainActor AsyncContent {
      func apply(_ text: String, animated: Bool) {}
    }

    private let gate = ManualServer<String?>()
    private let window = makeWindow()

    private func makeResource() -> AsyncResource<String> {
      AsyncResource { [gate] in try await gate.wait() }
    }

    // MARK: Refresh controls

    @Test("3.7 a pull refreshes and keeps the content; the control turns as long as a load runs")
    func refreshControl() async {
      let resource = makeResource()
      let control = UIRefreshControl()
      let token = control.bind(to: resource)
      control.pull()
      #expect(control.isRefreshing)
      #expect(resource.snapshot.activity?.mode == .refresh)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(!control.isRefreshing)
      #expect(control.ends == 1)

      resource.start()
      #expect(!control.isRefreshing)
      control.pull()
      resource.cancel()
      #expect(control.ends == 2)
      withExtendedLifetime(token) {}
    }

    @Test("1.6 a refresh control and a screen do not keep the resource; without one the control stops at once")
    func releasedResource() {
      let control = UIRefreshControl()
      weak var released: AsyncResource<String>?
      do {
        let resource = makeResource()
        released = resource
        _ = control.bind(to: resource)
      }
      #expect(released == nil)
      control.pull()
      #expect(!control.isRefreshing)
    }

    @Test("3.7 a refresh control that is unbound requests nothing any more, and another binding is not doubled")
    func unboundRefreshControl() async {
      let (first, second) = (makeResource(), makeResource())
      let control = UIRefreshControl()
      var token: ObservedToken? = control.bind(to: first)
      token?.cancel()
      control.pull()
      #expect(!first.isRunning)
      token = control.bind(to: second)
      control.pull()
      #expect(!first.isRunning && second.isRunning)
      second.cancel()
      token = nil
      await Task { @MainActor in }.value
      control.pull()
      #expect(!second.isRunning)
      withExtendedLifetime(token) {}
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

    @Test("15.6 a banner that was closed returns when another request of a person fails, and not before")
    func dismissal() async throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in
        UIViewController()
      }
      window.root = screen
      let pulled = UIRefreshControl()
      let binding = pulled.bind(to: resource)
      defer { withExtendedLifetime(binding) {} }
      for number in 1...2 {
        pulled.pull()
        #expect(screen.banner == nil)
        await gate.arrived(number)
        gate.answer(call: number, with: .failure(Offline()))
        await resource.settled()
        #expect(screen.banner != nil)
        try screen.pressBanner("Dismiss")
        #expect(screen.banner == nil)
        // Other news of the data does not bring it back.
        resource.invalidate()
        #expect(screen.banner == nil)
      }
      // The screen is covered and appears again: what is stale is requested, and the banner stays closed.
      window.root = UIViewController()
      window.root = screen
      #expect(resource.isRunning)
      #expect(screen.banner == nil)
      resource.cancel()
    }

    // MARK: In the place of content

    final class Polite: AsyncViewController<String> {
      override func configuration(for status: AsyncStatus<String>) -> UIContentUnavailableConfiguration? {
        var configuration = super.configuration(for: status)
        switch status {
        case .error: configuration?.text = "Sorry"
        case .noData: configuration?.buttonProperties.primaryAction = nil
        case .idle, .waiting, .loading, .data: break
        }
        return configuration
      }
    }

    @Test("2.2 what is displayed in the place of content can be overridden")
    func ownConfiguration() {
      let resource = makeResource()
      let screen = Polite(resource) { Leaf($0) }
      window.root = screen
      #expect(screen.unavailable?.kind == "loading")
      resource.data.value = nil
      #expect(screen.message == ["There is nothing here yet."] && screen.unavailable?.image != nil)
      resource.data.error = Offline()
      #expect(screen.message == ["Sorry", "Try Again"])
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
      window.root = screen
      #expect(screen.unavailable?.text == "Wait")
      resource.data.value = nil
      #expect(screen.unavailable?.text == "All done.")
      resource.data.error = Broken()
      #expect(screen.unavailable?.text == "Oh.")
      #expect(screen.unavailable?.kind == "search")
      #expect(screen.unavailable?.button.title == "Once more")
      resource.data.error = Offline()
      #expect(screen.unavailable?.text == "You are offline.")
    }

    @Test("15.8 a text does not lie over content that fades out")
    func fadingContent() {
      let resource = AsyncResource<String> { nil }
      resource.data.value = "a"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .always)) { _ in UIViewController() }
      window.root = screen
      StandIn.settle()
      resource.data.error = Offline()
      #expect(StandIn.isAnimating && screen.unavailable == nil)
      StandIn.settle()
      #expect(screen.unavailable?.text == "You are offline." && screen.children == [])
    }

    @Test("15.3, 5.13 a swipe back that is taken back is no appearance: it requests nothing, of neither screen")
    func cancelledSwipe() async {
      let screens = (0..<2).map { _ in
        AsyncViewController(makeResource()) { _ in UIViewController() }
      }
      let navigation = UINavigationController(rootViewController: screens[0])
      window.root = navigation
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await screens[0].host.data.settled()
      navigation.pushViewController(screens[1], animated: false)
      await gate.arrived(2)
      gate.answer(call: 2, with: .failure(Offline()))
      await screens[1].host.data.settled()

      navigation.beginInteractivePop()
      StandIn.transition?.cancel()
      StandIn.settle()
      #expect(gate.callCount == 2 && screens.allSatisfy { $0.unavailable?.text == "You are offline." })
      // Completed, it is one.
      navigation.beginInteractivePop()
      StandIn.transition?.finish()
      StandIn.settle()
      await gate.arrived(3)
      screens[0].host.data.cancel()
      #expect(StandIn.audit() == [])
    }

    @Test("6.6 an indicator that follows content stays its minimum from when it is on the screen")
    func minimumAfterContent() async {
      let clock = ManualClock()
      let resource = makeResource()
      let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
      let screen = AsyncViewController(resource, pacer: pacer) { Leaf($0) }
      window.root = screen
      resource.data.value = "a"
      StandIn.settle()
      screen.host.reload()
      await gate.arrived(1)
      await clock.advance(by: .milliseconds(200))
      #expect(screen.unavailable == nil)
      await clock.advance(by: .milliseconds(350))
      StandIn.settle()
      #expect(screen.unavailable != nil)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      await clock.advance(by: .milliseconds(499))
      StandIn.settle()
      #expect(screen.unavailable != nil)
      await clock.advance(by: .milliseconds(1))
      StandIn.settle()
      #expect(screen.unavailable == nil)
    }

    // MARK: Accessibility

    @Test("15.6 the parts of a banner stand below one another, uncut from the accessibility sizes on; else three lines")
    func largeTexts() throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in UIViewController() }
      window.root = screen
      resource.data.error = Offline()
      let banner = try #require(screen.bannerView as? UIStackView)
      var lines: [Int] { banner.all.compactMap { ($0 as? UILabel)?.numberOfLines } }
      #expect(banner.axis == .horizontal && lines == [1, 3])
      StandIn.contentSizeCategory = .accessibilityMedium
      #expect(banner.axis == .vertical && lines == [0, 0])
      StandIn.contentSizeCategory = .large
      #expect(banner.axis == .horizontal && lines == [1, 3])
    }

    @Test("15.5 VoiceOver is notified of loading, failure and content, and its focus moves where what had it has gone")
    func announcements() throws {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.root = screen
      // The first status is read with the screen.
      #expect(UIAccessibility.posts == [])
      resource.data.error = Offline()
      try #require(screen.unavailable?.buttonProperties.primaryAction).performWithSender(nil, target: nil)
      resource.data.value = "a"
      StandIn.settle()
      #expect(
        UIAccessibility.posts == [
          "layoutChanged", "announcement You are offline.", "layoutChanged", "announcement Loading", "layoutChanged",
        ])
      window.root = UIViewController()
      resource.data.error = Broken()
      #expect(UIAccessibility.posts.count == 5)
    }

    @Test("15.5 the focus that moves does not interrupt an announcement, and stays with a content that stays")
    func focus() {
      let resource = AsyncResource<String> { nil }
      let screen = AsyncViewController(resource) { Talker() }
      window.root = screen
      resource.data.error = Broken()
      // The focus moves in the next turn of the run loop.
      StandIn.nextTurn()
      #expect(VoiceOver.spoken == ["Something went wrong. Please try again."])
      resource.data.value = "a"
      StandIn.settle()
      VoiceOver.posts = []
      for text in ["b", "c"] { resource.data.value = text }
      StandIn.settle()
      #expect(VoiceOver.posts == [])
    }
  }
}
