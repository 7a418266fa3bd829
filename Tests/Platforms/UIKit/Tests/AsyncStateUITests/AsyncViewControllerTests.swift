// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Testing
import UIKit

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct AsyncViewControllerTests {
    struct Failure: LocalizedError {
      var errorDescription: String? { "No connection" }
    }

    final class Text: UIViewController {
      let text: String
      init(_ text: String) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
    }

    final class Reader: UIViewController, @MainActor AsyncContent {
      var texts: [String] = []
      init(_ text: String) {
        texts = [text]
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
      func apply(_ text: String, animated: Bool) { texts.append("\(text) \(animated)") }
    }

    final class Polite: AsyncViewController<String> {
      var transitions: [String] = []
      override func configuration(for status: AsyncStatus<String>) -> UIContentUnavailableConfiguration? {
        var configuration = super.configuration(for: status)
        switch status {
        case .error: configuration?.text = "Sorry"
        case .noData: configuration?.buttonProperties.primaryAction = nil
        case .idle, .waiting, .loading, .data: break
        }
        return configuration
      }
      override func willTransition(to state: AsyncStatus<String>, animated: Bool) {
        super.willTransition(to: state, animated: animated)
        transitions.append("W \(state.kind) \(animated)")
      }
      override func didTransition(from former: AsyncStatus<String>?, animated: Bool) {
        transitions.append("D \(former?.kind as Any) \(animated)")
      }
    }

    private let gate = ManualServer<String?>()
    private let window = UIWindow()

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func makeResource() -> AsyncResource<String> {
      AsyncResource { [gate] in try await gate.wait() }
    }

    private func unavailable(_ screen: UIViewController) -> UIContentUnavailableConfiguration? {
      screen.contentUnavailableConfiguration as? UIContentUnavailableConfiguration
    }

    private func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    @Test("6.1, 3.11 the host of a screen is visible while the screen is")
    func visibility() async {
      let screen = AsyncViewController(AsyncResource { "a" }) { Text($0) }
      let isVisible = screen.host.isVisible
      #expect(!isVisible.current)
      window.rootViewController = screen
      #expect(isVisible.current)
      window.rootViewController = UIViewController()
      #expect(!isVisible.current)
    }

    @Test("4, 15.4 after a cancel and a log-out it says that nothing was loaded, and not that there is nothing")
    func idle() async {
      let gate = ManualServer<String?>()
      let resource = AsyncResource { try await gate.wait() }
      let screen = AsyncViewController(resource) { Text($0) }
      window.rootViewController = screen
      await gate.arrived(1)
      resource.cancel()
      #expect(unavailable(screen)?.text == "Not loaded.")
      resource.data.value = "a"
      resource.forget()
      settle()
      #expect(unavailable(screen)?.text == "Not loaded.")
    }

    @Test("6.1 the first request is made when the screen appears; then error, retry and content")
    func errorAndRetry() async throws {
      let resource = makeResource()
      let screen = AsyncViewController(resource) { Text($0) }
      screen.loadViewIfNeeded()
      #expect(!resource.isRunning)
      window.rootViewController = screen
      #expect(resource.isRunning)
      #expect(unavailable(screen)?.kind == "loading")

      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Failure()))
      await resource.data.currentLoadOutcome()
      #expect(unavailable(screen)?.text == "No connection")
      let button = try #require(unavailable(screen)?.buttonProperties.primaryAction)
      #expect(unavailable(screen)?.button.title == "Try Again")
      #expect(unavailable(screen)?.image != nil)

      button.performWithSender(nil, target: nil)
      #expect(unavailable(screen)?.kind == "loading")
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("Hello"))
      await resource.data.currentLoadOutcome()
      settle()
      #expect(screen.contentUnavailableConfiguration == nil)
      #expect((screen.children.first as? Text)?.text == "Hello")
      #expect(screen.topChild === screen.children.first)
      #expect(StandIn.audit() == [])
    }

    @Test("5.14, 6.6 a screen that appears in another's transition has its content at once, if there is a value")
    func nestedContent() {
      let resource = makeResource()
      resource.data.value = "a"
      let page = AsyncViewController(resource) { Text($0) }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [UIViewController()] : [page] }
      window.rootViewController = outer
      outer.setNeedsTransition(to: 1, animated: true)
      #expect((page.children.first as? Text)?.text == "a" && page.contentUnavailableConfiguration == nil)
      settle()
      #expect(page.children.count == 1 && outer.children == [page])
      // What waited before is not displayed after it.
      outer.setNeedsTransition(to: 0, animated: false)
      resource.data.value = "b"
      resource.data.value = "c"
      outer.setNeedsTransition(to: 1, animated: false)
      settle()
      #expect((page.children.first as? Text)?.text == "c")
      #expect(StandIn.audit() == [])
    }

    @Test("2.2 no data is displayed as a message; the texts can be overridden")
    func noData() {
      let resource = makeResource()
      let screen = Polite(resource) { Text($0) }
      window.rootViewController = screen
      resource.data.value = nil
      #expect(unavailable(screen)?.text == "There is nothing here yet.")
      #expect(unavailable(screen)?.buttonProperties.primaryAction == nil)
      resource.data.error = Failure()
      #expect(unavailable(screen)?.text == "Sorry")
      resource.data.value = "a"
      settle()
      #expect(
        screen.transitions.suffix(2) == [
          "W data true", "D Optional(error) true",
        ])

      let plain = AsyncViewController(makeResource()) { Text($0) }
      window.rootViewController = plain
      plain.host.data.value = nil
      #expect(unavailable(plain)?.text == "There is nothing here yet.")
      #expect(unavailable(plain)?.image != nil)
    }

    @Test("5.5 each value has a controller of its own; an AsyncContent stays and gets the later values")
    func laterValues() {
      let resource = makeResource()
      let screen = AsyncViewController(resource) { Text($0) }
      window.rootViewController = screen
      resource.data.value = "a"
      settle()
      let first = screen.children.first
      resource.data.value = "b"
      settle()
      #expect(screen.children.count == 1 && screen.children.first !== first)

      let reading = makeResource()
      let stable = AsyncViewController(reading) { Reader($0) }
      window.rootViewController = stable
      reading.data.value = "a"
      settle()
      reading.data.value = "b"
      settle()
      reading.data.error = Failure()
      settle()
      #expect(stable.children.isEmpty)
      reading.data.value = "c"
      settle()
      #expect((stable.children.first as? Reader)?.texts == ["a", "a false", "b true", "c false"])
      #expect(StandIn.audit() == [])
    }

    @Test("6.6 a placeholder is there at once, and the indicator after the pacer's delay")
    func placeholder() async {
      final class Patient: AsyncViewController<String> {
        let skeleton = Text("sample")
        override func children(for status: AsyncStatus<String>) -> [UIViewController] {
          if case .loading = status { return [skeleton] }
          return super.children(for: status)
        }
      }
      let clock = ManualClock()
      let resource = makeResource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let screen = Patient(resource, pacer: pacer) { Text($0) }
      window.rootViewController = screen
      settle()
      #expect(screen.children == [screen.skeleton] && screen.contentUnavailableConfiguration == nil)
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      #expect(screen.children == [screen.skeleton])
      #expect(unavailable(screen)?.kind == "loading")
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      settle()
      #expect(screen.children.count == 1 && screen.children != [screen.skeleton])
      #expect(screen.contentUnavailableConfiguration == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("6.6 with a pacer nothing is displayed before its delay")
    func pacing() async {
      let clock = ManualClock()
      let resource = makeResource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let screen = AsyncViewController(resource, pacer: pacer) { Text($0) }
      window.rootViewController = screen
      #expect(screen.contentUnavailableConfiguration == nil)
      resource.data.value = "a"
      #expect(screen.contentUnavailableConfiguration == nil)
      #expect(screen.children.count == 1)
    }

    @Test(
      "15.11 a screen that is given no pacer has that of the app, measured by the clock of its data; a preview has none"
    )
    func pacerOfTheApp() async {
      let clock = ManualClock()
      let resource = AsyncResource(options: LoadOptions(clock: clock)) { [gate] in try await gate.wait() }
      DisplayPacer.app = DisplayPacer()
      let screen = AsyncViewController(resource) { Text($0) }
      let preview = AsyncViewController(AsyncResource<String>.preview(.loading)) { Text($0) }
      DisplayPacer.app = nil
      window.rootViewController = preview
      settle()
      #expect(unavailable(preview)?.kind == "loading")
      window.rootViewController = screen
      settle()
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(199))
      #expect(unavailable(screen) == nil)
      await clock.advance(by: .milliseconds(1))
      settle()
      #expect(unavailable(screen)?.kind == "loading")
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      settle()
      #expect(screen.children == [])
      await clock.advance(by: .milliseconds(500))
      settle()
      #expect((screen.children.first as? Text)?.text == "a")
    }

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
      await resource.data.currentLoadOutcome()
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

    @Test(
      "3.6 a screen requests what is stale each time it appears, and nothing that is fresh, as a view of SwiftUI does")
    func requestsAtEachAppearance() async {
      let resource = makeResource()
      resource.data.value = "fresh"
      let screen = AsyncViewController(resource) { Reader($0) }
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      #expect(!resource.isRunning)
      #expect((screen.children.first as? Reader)?.texts.first == "fresh")

      navigation.pushViewController(UIViewController(), animated: false)
      resource.invalidate()
      #expect(!resource.isRunning)
      navigation.popViewController(animated: false)
      #expect(resource.snapshot.activity?.mode == .refresh)
      #expect(screen.children.count == 1)
      // Going away and coming back joins the request that runs.
      navigation.pushViewController(UIViewController(), animated: false)
      navigation.popViewController(animated: false)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("new"))
      await resource.data.currentLoadOutcome()
      #expect((screen.children.first as? Reader)?.texts.last == "new true")
      // The buttons request whatever is fresh.
      screen.host.refresh()
      #expect(resource.isRunning)
      resource.cancel()
      #expect(StandIn.audit() == [])
    }

    @Test("3.3 a screen whose request was cancelled requests again when it appears again")
    func appearsAfterCancel() async {
      let resource = makeResource()
      let screen = AsyncViewController(resource) { Text($0) }
      let navigation = UINavigationController(rootViewController: screen)
      window.rootViewController = navigation
      resource.cancel()
      navigation.pushViewController(UIViewController(), animated: false)
      navigation.popViewController(animated: false)
      #expect(resource.isRunning)
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

    @Test("1.8 a screen is released on another thread in the middle of its load, and cancels it")
    func releasedElsewhere() async {
      var screen: AsyncViewController<String>? = AsyncViewController(makeResource()) { Text($0) }
      weak let released = screen
      window.rootViewController = screen
      await gate.arrived(1)
      window.rootViewController = nil
      await releaseElsewhere(&screen)
      await gate.ended(1)
      #expect(released == nil)
    }

    @Test("1.8 a screen is released on another thread in the middle of a transition")
    func releasedElsewhereInTransition() async {
      let resource = makeResource()
      var screen: AsyncViewController<String>? = AsyncViewController(resource) { Text($0) }
      weak let released = screen
      window.rootViewController = screen
      resource.data.value = "a"
      weak let content = screen?.children.first
      #expect(content != nil && !UIView.pendingAnimations.isEmpty)
      window.rootViewController = nil
      await releaseElsewhere(&screen)
      settle()
      #expect(released == nil)
      resource.data.value = "b"
      #expect(StandIn.audit() == [])
      StandIn.reset()
      #expect(content == nil)
    }

    @Test("1.8 a screen is released in the middle of its load and cancels it")
    func releasedScreen() async {
      weak var released: UIViewController?
      do {
        let screen = AsyncViewController(makeResource()) { Text($0) }
        released = screen
        window.rootViewController = screen
        await gate.arrived(1)
        window.rootViewController = nil
      }
      #expect(released == nil)
      await gate.ended(1)
    }
  }
}

extension AsyncData {
  /// Waits for the end of the load that is running.
  @MainActor
  func currentLoadOutcome() async {
    let token = observed.isRunning
    for await isRunning in token.values where !isRunning { return }
  }
}
