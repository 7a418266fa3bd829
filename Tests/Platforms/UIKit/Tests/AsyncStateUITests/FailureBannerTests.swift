// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
@testable import AsyncStateUI
import Testing
import UIKit

/// A refresh that fails beside content.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct FailureBannerTests {
    struct Offline: LocalizedError {
      var errorDescription: String? { "You are offline." }
    }

    private let gate = ManualServer<String?>()
    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
      UIView.setAnimationsEnabled(false)
    }

    private func makeResource() -> AsyncResource<String> {
      AsyncResource { [gate] in try await gate.wait() }
    }

    private func banner(_ screen: UIViewController) -> FailureBanner? {
      screen.view.subviews.compactMap { $0 as? FailureBanner }.first
    }

    private func all(below view: UIView) -> [UIView] { [view] + view.subviews.flatMap { all(below: $0) } }

    private func texts(_ screen: UIViewController) -> [String] {
      banner(screen).map { all(below: $0) }?.compactMap { ($0 as? UILabel)?.text } ?? []
    }

    private func press(_ number: Int, of screen: UIViewController) throws {
      let buttons = try #require(banner(screen)).subviews.compactMap { $0 as? UIButton }
      buttons[number].sendActions(for: .primaryActionTriggered)
    }

    @Test(
      "15.6 a refresh that fails leaves the content, a banner says so, requests again, and disappears with a success")
    func retry() async throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in
        UIViewController()
      }
      window.rootViewController = screen
      #expect(banner(screen) == nil)
      resource.refresh()
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.data.currentLoadOutcome()
      #expect(texts(screen) == ["Not updated", "You are offline."])
      #expect(screen.view.subviews.last === banner(screen))
      #expect(screen.children.count == 1)
      #expect(UIAccessibility.posts == ["announcement You are offline."])
      // In front of what a later transition displays, and neither doubled nor lost by one.
      screen.setNeedsTransition(to: .data("old"), animated: true)
      #expect(screen.view.subviews.count == 2 && screen.view.subviews.last === banner(screen))

      try press(0, of: screen)
      #expect(resource.snapshot.activity?.mode == .refresh)
      #expect(banner(screen) != nil)
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("new"))
      await resource.data.currentLoadOutcome()
      #expect(banner(screen) == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("15.6 the parts of a banner stand below one another, uncut from the accessibility sizes on; else three lines")
    func largeTexts() throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in UIViewController() }
      window.rootViewController = screen
      resource.data.error = Offline()
      let banner = try #require(self.banner(screen))
      var lines: [Int] { all(below: banner).compactMap { ($0 as? UILabel)?.numberOfLines } }
      #expect(banner.axis == .horizontal && lines == [1, 3])
      StandIn.contentSizeCategory = .accessibilityMedium
      #expect(banner.axis == .vertical && lines == [0, 0])
      StandIn.contentSizeCategory = .large
      #expect(banner.axis == .horizontal && lines == [1, 3])
    }

    @Test("15.6 a banner that was closed is not back with ten failing polls, but with another text, or after a success")
    func polls() throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in UIViewController() }
      window.rootViewController = screen
      resource.data.error = Offline()
      try press(1, of: screen)
      for _ in 0..<10 {
        resource.refresh()
        resource.data.error = Offline()
        #expect(banner(screen) == nil)
      }
      resource.data.error = LoadTimeoutError()
      #expect(banner(screen) != nil)
      try press(1, of: screen)
      resource.data.value = "new"
      resource.data.error = LoadTimeoutError()
      #expect(banner(screen) != nil)
    }

    @Test("15.6 a banner that was closed returns when another request of a person fails, and not before")
    func dismissal() async throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in
        UIViewController()
      }
      window.rootViewController = screen
      let pulled = UIRefreshControl()
      let binding = pulled.bind(to: resource)
      defer { withExtendedLifetime(binding) {} }
      for number in 1...2 {
        pulled.pull()
        #expect(banner(screen) == nil)
        await gate.arrived(number)
        gate.answer(call: number, with: .failure(Offline()))
        await resource.data.currentLoadOutcome()
        #expect(banner(screen) != nil)
        try press(1, of: screen)
        #expect(banner(screen) == nil)
        // Other news of the data does not bring it back.
        resource.invalidate()
        #expect(banner(screen) == nil)
      }
      // The screen is covered and appears again: what is stale is requested, and the banner stays closed.
      window.rootViewController = UIViewController()
      window.rootViewController = screen
      #expect(resource.isRunning)
      #expect(banner(screen) == nil)
      resource.cancel()
    }

    @Test("15.6 a banner stands beside content alone: not in front of a reload, nor beside what a load has yielded")
    func besideContent() async {
      let partial = ManualServer<Void>()
      let resource = AsyncResource(
        .value { [gate] (reporter: LoadReporter<String>) in
          let value = try await gate.wait()
          try reporter.yield(value)
          try await partial.wait()
          return value
        })
      resource.data.value = "old"
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      resource.refresh()
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.settled()
      #expect(banner(screen) != nil)
      resource.reload()
      #expect(banner(screen) == nil && screen.children.isEmpty)
      await gate.arrived(2)
      resource.cancel()
      #expect(banner(screen) != nil, "the error is displayed again with the content")
      resource.refresh()
      await gate.arrived(3)
      gate.answer(call: 3, with: .success("new"))
      await partial.arrived(1)
      #expect(banner(screen) == nil && resource.isRunning)
      resource.cancel()
    }

    @Test("15.5, 15.6 another failure changes the banner that is there, whose button may have the focus")
    func sameBanner() async throws {
      let resource = makeResource()
      resource.data.value = "old"
      let screen = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = screen
      var former: FailureBanner?
      for number in 1...2 {
        resource.refresh()
        await gate.arrived(number)
        gate.answer(call: number, with: .failure(number == 1 ? Offline() as any Error : LoadTimeoutError()))
        await resource.settled()
        #expect(banner(screen) != nil && (former == nil || banner(screen) === former))
        former = banner(screen)
      }
      #expect(texts(screen).last == "This is taking too long. Please try again.")
      #expect(UIAccessibility.posts.suffix(2).first?.hasSuffix("offline.") == true)
      #expect(UIAccessibility.posts.last?.hasSuffix("too long. Please try again.") == true)
    }

    @Test("15.6 an error in the place of content has no banner, nor has a screen that wants none")
    func noBanner() {
      final class Quiet: AsyncViewController<String> {
        override var showsFailedRefresh: Bool { false }
      }
      let resource = makeResource()
      resource.data.value = "old"
      let plain = AsyncViewController(resource) { _ in UIViewController() }
      window.rootViewController = plain
      resource.data.error = Offline()
      #expect(banner(plain) == nil)
      #expect(plain.contentUnavailableConfiguration != nil)
      let quiet = Quiet(resource, policy: DisplayPolicy(errors: .never)) { _ in UIViewController() }
      window.rootViewController = quiet
      #expect(banner(quiet) == nil)
      resource.cancel()
    }

    @Test("15.6 a banner that was closed stays so where its content is hidden, on each screen, until a success")
    func closedForGood() throws {
      let resource = makeResource()
      resource.data.value = "old"
      func makeScreen() -> UIViewController {
        AsyncViewController(resource, policy: DisplayPolicy(errors: .never)) { _ in UIViewController() }
      }
      let screen = makeScreen()
      window.rootViewController = screen
      var reads: Int { UIAccessibility.posts.count { $0.hasSuffix("You are offline.") } }
      resource.data.error = Offline()
      #expect(banner(screen) != nil && reads == 1)
      resource.reload()
      resource.cancel()
      #expect(banner(screen) != nil && reads == 1)
      try press(1, of: screen)
      resource.reload()
      resource.cancel()
      #expect(banner(screen) == nil && reads == 1)
      let other = makeScreen()
      window.rootViewController = other
      resource.cancel()
      #expect(banner(other) == nil)
      resource.data.value = "new"
      resource.data.error = Offline()
      #expect(banner(other) != nil && reads == 2)
    }
  }
}
