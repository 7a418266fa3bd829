// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing
import Toolkit

/// A refresh that fails beside content.
extension ToolkitTests.AsyncViewControllerTests {
  private var reads: [String] { AccessibilityNotification.posts.filter { $0 != "Loading" } }

  /// A screen with content, beside which errors are displayed.
  private func showOld() -> (resource: AsyncResource<String>, screen: AsyncViewController<String>) {
    let resource = makeResource()
    resource.data.value = "old"
    return (resource, show(resource, policy: DisplayPolicy(errors: .never)))
  }

  @Test("15.6 a refresh that fails leaves the content, a banner says so, requests again, and is removed by a success")
  func failedRefresh() async throws {
    let (resource, screen) = showOld()
    #expect(screen.banner == nil)
    resource.refresh()
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Offline()))
    await resource.settled()
    #expect(screen.banner == ["Not updated", "You are offline.", "Try Again"])
    #expect(reads == ["You are offline."] && screen.children.count == 1)
    // In front of what a later transition displays, and neither doubled nor lost by one.
    screen.setNeedsTransition(to: .data("old"), animated: true)
    #expect(screen.view.subviews.count == 2 && screen.view.subviews.last === screen.bannerView)
    try screen.pressBanner("Try Again")
    #expect(resource.snapshot.activity?.mode == .refresh && screen.banner != nil)
    await gate.arrived(2)
    gate.answer(call: 2, with: .success("new"))
    await resource.settled()
    #expect(screen.banner == nil)
    #expect(StandIn.audit() == [])
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
    let screen = show(resource) { _ in Leaf() }
    resource.refresh()
    await gate.arrived(1)
    gate.answer(call: 1, with: .failure(Offline()))
    await resource.settled()
    #expect(screen.banner != nil)
    resource.reload()
    #expect(screen.banner == nil && !screen.children.contains { $0 is Leaf })
    await gate.arrived(2)
    resource.cancel()
    #expect(screen.banner != nil, "the error is displayed again with the content")
    resource.refresh()
    await gate.arrived(3)
    gate.answer(call: 3, with: .success("new"))
    await partial.arrived(1)
    #expect(screen.banner == nil && resource.isRunning)
    resource.cancel()
  }

  @Test("15.5, 15.6 another failure changes the banner that is there, whose button may have the focus")
  func sameBanner() async {
    let resource = makeResource()
    resource.data.value = "old"
    let screen = show(resource)
    var former: ToolkitView?
    for number in 1...2 {
      resource.refresh()
      await gate.arrived(number)
      gate.answer(call: number, with: .failure(number == 1 ? Offline() as any Error : LoadTimeoutError()))
      await resource.settled()
      #expect(screen.banner != nil && (former == nil || screen.bannerView === former))
      former = screen.bannerView
    }
    #expect(screen.banner?.contains("This is taking too long. Please try again.") == true)
    #expect(reads == ["You are offline.", "This is taking too long. Please try again."])
  }

  @Test("15.6 a banner that was closed is not back with ten failing polls, but with another text, or after a success")
  func closed() throws {
    let (resource, screen) = showOld()
    resource.data.error = Offline()
    try screen.pressBanner("Dismiss")
    for _ in 0..<10 {
      resource.refresh()
      resource.data.error = Offline()
      #expect(screen.banner == nil)
    }
    resource.data.error = LoadTimeoutError()
    #expect(screen.banner != nil)
    try screen.pressBanner("Dismiss")
    resource.data.value = "new"
    resource.data.error = LoadTimeoutError()
    #expect(screen.banner != nil)
  }

  @Test("15.6 an error in the place of content has no banner, nor has a screen that wants none")
  func noBanner() {
    final class Quiet: AsyncViewController<String> {
      override var showsFailedRefresh: Bool { false }
    }
    let resource = makeResource()
    resource.data.value = "old"
    let plain = show(resource)
    resource.data.error = Offline()
    #expect(plain.message == ["You are offline.", "Try Again"] && plain.banner == nil)
    let quiet = Quiet(resource, policy: DisplayPolicy(errors: .never)) { _ in Leaf() }
    window.root = quiet
    #expect(quiet.banner == nil)
    resource.cancel()
  }

  @Test("15.6 a banner that was closed stays so where its content is hidden, on each screen, until a success")
  func closedForGood() throws {
    let (resource, screen) = showOld()
    resource.data.error = Offline()
    #expect(screen.banner != nil && reads.count == 1)
    resource.reload()
    resource.cancel()
    #expect(screen.banner != nil && reads.count == 1)
    try screen.pressBanner("Dismiss")
    resource.reload()
    resource.cancel()
    #expect(screen.banner == nil && reads.count == 1)
    let other = show(resource, policy: DisplayPolicy(errors: .never))
    resource.cancel()
    #expect(other.banner == nil)
    resource.data.value = "new"
    resource.data.error = Offline()
    #expect(other.banner != nil && reads.count == 2)
  }

  @Test("15.6 no banner is in front of an indicator that stays for its minimum")
  func noBannerOverIndicator() async {
    let clock = ManualClock()
    let resource = makeResource()
    let pacer = DisplayPacer(delay: .milliseconds(200), minimum: .milliseconds(500), clock: clock)
    let screen = show(resource, policy: DisplayPolicy(errors: .never), pacer: pacer)
    resource.data.value = "a"
    screen.host.reload()
    await gate.arrived(1)
    await clock.advance(by: .milliseconds(200))
    gate.answer(call: 1, with: .failure(Offline()))
    await resource.settled()
    #expect(screen.message != nil && screen.banner == nil)
    await clock.advance(by: .seconds(1))
    #expect(screen.message == nil && screen.banner != nil)
  }

  @Test("15.5, 15.6 ten failing polls are one announcement, until there is another text or a person has retried")
  func polls() throws {
    for hasContent in [false, true] {
      StandIn.reset()
      let resource = AsyncResource<String> { nil }
      if hasContent { resource.data.value = "a" }
      let screen = show(resource, policy: DisplayPolicy(errors: .never))
      func fail(_ error: any Error) {
        resource.refresh()
        resource.data.error = error
        // Drawn.
        #expect((hasContent ? screen.banner : screen.message) != nil)
      }
      for _ in 0..<10 { fail(Offline()) }
      #expect(reads.count == 1)
      let message = screen.children.last
      for _ in 0..<2 { fail(LoadTimeoutError()) }
      #expect(reads.count == 2 && screen.children.last === message)
      if hasContent { try screen.pressBanner("Try Again") } else { try screen.pressMessage() }
      fail(LoadTimeoutError())
      #expect(reads.count == 3)
      resource.cancel()
    }
  }
}
