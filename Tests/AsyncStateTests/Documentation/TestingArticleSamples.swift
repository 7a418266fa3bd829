// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

/// The samples of the article Testing: a screen, and its tests.
enum TestingArticleSamples {
  protocol NewsService: Sendable {
    func headlines() async throws -> [String]
  }

  @MainActor
  final class HeadlinesScreen: @MainActor AsyncStatusPresenter {
    private(set) var line = ""
    let headlines: AsyncResource<[String]>
    let host: AsyncHost<[String]>

    init(service: any NewsService, clock: any Clock<Duration> = ContinuousClock()) {
      headlines = AsyncResource(
        options: LoadOptions(retry: .exponential(first: .seconds(1)), timeout: .seconds(10), clock: clock),
        operation: { try await service.headlines() })
      host = AsyncHost(headlines)
      host.presenter = self
    }

    func transitionToLoading(animated: Bool) { line = "One moment …" }
    func transitionToError(_ error: any Error, animated: Bool) { line = "That did not work: \(error)" }
    func transitionToNoData(animated: Bool) { line = "No news today." }
    func transitionToIdle(animated: Bool) { line = "Not loaded." }
    func transitionToWaiting(animated: Bool) { line = "Waiting." }
    func transitionToData(_ headlines: [String], animated: Bool) { line = headlines.joined(separator: ", ") }
  }

  struct GatedNews: NewsService {
    let server = ManualServer<[String]>()
    func headlines() async throws -> [String] { try await server.wait() }
  }

  final class Page: ChildController {
    private(set) var isVisible = false
    func didAppear(animated: Bool) { isVisible = true }
    func didDisappear(animated: Bool) { isVisible = false }
  }
}

private typealias HeadlinesScreen = TestingArticleSamples.HeadlinesScreen
private typealias GatedNews = TestingArticleSamples.GatedNews
private typealias Page = TestingArticleSamples.Page

private struct NoConnection: Error {}

extension AllTests {
  struct TestingArticleSampleTests {
    @Test("the headlines are displayed when they arrive")
    @MainActor
    func answer() async {
      let news = GatedNews()
      let screen = HeadlinesScreen(service: news, clock: ManualClock())
      screen.host.start()
      #expect(screen.line == "One moment …")

      await news.server.arrived(1)
      news.server.answer(call: 1, with: .success(["Rain", "Sun"]))
      await screen.host.settled()
      #expect(screen.line == "Rain, Sun")
    }

    @Test("two screens make one request")
    @MainActor
    func joined() async throws {
      let server = ManualServer<String>()
      let article = AsyncResource { try await server.wait() }
      let list = Task { try await article.get() }
      await article.awaited(by: 1)
      let detail = Task { try await article.get() }
      await article.awaited(by: 2)

      server.answer(call: 1, with: .success("Storm"))
      #expect(try await list.value == "Storm")
      #expect(try await detail.value == "Storm")
      #expect(server.callCount == 1)
    }

    @Test("the answer to an older request is not displayed, though it arrives last")
    @MainActor
    func race() async {
      let deaf = ManualServer<Int>(ignoresCancellation: true)
      let data = AsyncData<Int>()
      let old = data.start { try await deaf.wait() }
      await deaf.arrived(1)
      let new = data.start { try await deaf.wait() }
      await deaf.arrived(2)

      deaf.answer(call: 2, with: .success(2))
      _ = await new.outcome()
      deaf.answer(call: 1, with: .success(1))
      await data.settled()
      #expect(data.value == 2)
      _ = await old.outcome()  // .superseded
    }

    @Test("an older request has been superseded")
    @MainActor
    func outcome() async {
      let data = AsyncData<Int>()
      let old = data.start { 1 }
      let new = data.start { 2 }
      guard case .superseded = await old.outcome() else { return #expect(Bool(false)) }
      guard case .success(2) = await new.outcome() else { return #expect(Bool(false)) }
    }

    @Test("after a failure it requests again a second later, and displays no error")
    @MainActor
    func retry() async {
      let clock = ManualClock()
      let news = GatedNews()
      let screen = HeadlinesScreen(service: news, clock: clock)
      screen.host.start()
      await news.server.arrived(1)
      news.server.answer(call: 1, with: .failure(NoConnection()))
      await clock.sleepers(atLeast: 1, dueWithin: .seconds(1))
      #expect(screen.line == "One moment …")
      #expect(screen.headlines.data.snapshot.activity?.failures == 1)

      await clock.advance(by: .seconds(1))
      await news.server.arrived(2)
      news.server.answer(call: 2, with: .success(["Sun"]))
      await screen.host.settled()
      #expect(screen.line == "Sun")
      #expect(clock.sleeperCount == 0)
    }

    @Test("after ten seconds it gives up")
    @MainActor
    func timeout() async {
      let clock = ManualClock()
      let news = GatedNews()
      let screen = HeadlinesScreen(service: news, clock: clock)
      screen.host.start()
      await clock.advance(by: .seconds(10))
      #expect(screen.headlines.data.error is LoadTimeoutError)
      #expect(screen.line == "That did not work: LoadTimeoutError()")
    }

    @Test("a page is visible when its animation has ended")
    @MainActor
    func animation() async {
      let clock = ManualClock()
      let (first, second) = (Page(), Page())
      let animator = ClockAnimator(clock: clock)
      let container = StateContainer(initialState: 1, animator: animator) { [$0 == 1 ? first : second] }
      container.willAppear(animated: false)
      container.didAppear(animated: false)

      container.setNeedsTransition(to: 2, animated: true)
      #expect(container.isTransitioning)
      await clock.advance(by: .milliseconds(350))  // The default duration of an animation.
      #expect(second.isVisible)
      #expect(!first.isVisible)
      #expect(!container.isTransitioning)
    }
  }
}
