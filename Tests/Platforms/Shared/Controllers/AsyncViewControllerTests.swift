// SPDX-License-Identifier: MIT
import Accessibility
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import Network
import Testing
import Toolkit

extension ToolkitTests {
  /// A resource on a screen: what is displayed for each status, and when it is requested.
  @MainActor
  struct AsyncViewControllerTests {
    /// A content that stays.
    final class Content<Value>: Leaf, @MainActor AsyncContent {
      var values: [Value] = []
      func apply(_ value: Value, animated: Bool) { values.append(value) }
    }

    /// One with messages of its own.
    final class Speaking: Leaf, @MainActor AsyncContent {
      func apply(_ text: String, animated: Bool) {}
      var statusMessages: StatusMessages { StatusMessages(noData: "Nothing written", error: { _ in "No articles" }) }
    }

    let gate = ManualServer<String?>()
    let window = makeWindow()

    func makeResource() -> AsyncResource<String> { AsyncResource { [gate] in try await gate.wait() } }

    /// Transitions are over at once.
    func show<Value>(
      _ resource: AsyncResource<Value>, policy: DisplayPolicy<Value> = DisplayPolicy(), pacer: DisplayPacer? = .app,
      content: @escaping (Value) -> ViewController = { _ in Content<Value>() }
    ) -> AsyncViewController<Value> {
      let screen = AsyncViewController(
        resource, policy: policy, pacer: pacer, animator: ImmediateAnimator(), content: content)
      window.root = screen
      return screen
    }

    @Test(
      "4, 3.11, 15.4 the host is visible with its screen, which says after a cancel or a log-out that nothing was loaded"
    )
    func visibleAndIdle() async {
      let resource = makeResource()
      let screen = show(resource)
      #expect(screen.host.isVisible.current)
      await gate.arrived(1)
      resource.cancel()
      #expect(screen.message == ["Not loaded.", "Try Again"])
      resource.data.value = "a"
      resource.forget()
      #expect(screen.message == ["Not loaded.", "Try Again"])
      window.root = Leaf()
      #expect(!screen.host.isVisible.current)
    }

    @Test(
      "6.1, 15.3 the first request at the appearance, an indicator, an error with a retry, the content, and nothing")
    func statuses() async throws {
      let resource = makeResource()
      let screen = AsyncViewController(resource, animator: ImmediateAnimator()) { Content<String>() }
      screen.loadViewIfNeeded()
      #expect(!resource.isRunning)
      window.root = screen
      #expect(resource.isRunning && screen.message == ["(progress)"])
      await gate.arrived(1)
      gate.answer(call: 1, with: .failure(Offline()))
      await resource.settled()
      #expect(screen.message == ["You are offline.", "Try Again"])
      try screen.pressMessage()
      #expect(screen.message == ["(progress)"])
      await gate.arrived(2)
      gate.answer(call: 2, with: .success("a"))
      await resource.settled()
      let content = try #require(screen.children.last as? Content<String>)
      resource.data.value = "b"
      #expect(screen.children == [content] && content.values == ["a", "b"] && screen.message == nil)
      resource.data.value = nil
      #expect(screen.message == ["There is nothing here yet.", "Try Again"])
      #expect(StandIn.audit() == [])
    }

    @Test("3.3, 3.6, 15.3 each time it appears it requests what is stale, and nothing that is fresh")
    func appearances() async {
      let resource = makeResource()
      resource.data.value = "a"
      let screen = show(resource)
      #expect(!resource.isRunning && screen.children.first is Content<String>)
      window.root = Leaf()
      resource.invalidate()
      #expect(!resource.isRunning)
      // Going away and coming back joins the request that runs.
      for _ in 0..<2 {
        window.root = screen
        #expect(resource.snapshot.activity?.mode == .refresh && screen.children.count == 1)
        window.root = Leaf()
      }
      window.root = screen
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      #expect((screen.children.first as? Content<String>)?.values.last == "b")
      // The buttons request whatever is fresh.
      screen.host.refresh()
      #expect(resource.isRunning)
      resource.cancel()
      #expect(StandIn.audit() == [])
    }

    @Test("5.14, 6.6 a screen that appears in another's transition has its content at once, if there is a value")
    func nestedContent() {
      let resource = makeResource()
      resource.data.value = "a"
      let page = AsyncViewController(resource) { Content<String>() }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [Leaf()] : [page] }
      window.root = outer
      outer.setNeedsTransition(to: 1, animated: true)
      #expect((page.children.first as? Content<String>)?.values == ["a"] && page.message == nil)
      StandIn.settle()
      #expect(page.children.count == 1 && outer.children == [page])
      // What waited before is not displayed after it.
      outer.setNeedsTransition(to: 0, animated: false)
      resource.data.value = "b"
      resource.data.value = "c"
      outer.setNeedsTransition(to: 1, animated: false)
      StandIn.settle()
      #expect((page.children.first as? Content<String>)?.values.last == "c")
      #expect(StandIn.audit() == [])
    }

    // MARK: Pacing

    @Test("6.6 a placeholder is there at once, and the indicator in front of it after the pacer's delay")
    func placeholder() async {
      final class Patient: AsyncViewController<String> {
        let skeleton = Leaf()
        override func children(for status: AsyncStatus<String>) -> [ViewController] {
          if case .loading = status { return [skeleton] + super.children(for: status) }
          return super.children(for: status)
        }
      }
      let clock = ManualClock()
      let resource = makeResource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: clock)
      let screen = Patient(resource, pacer: pacer, animator: ImmediateAnimator()) { _ in Leaf() }
      window.root = screen
      #expect(screen.children == [screen.skeleton] && screen.message == nil)
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      #expect(screen.children.first === screen.skeleton && screen.message == ["(progress)"])
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(screen.children.count == 1 && screen.children != [screen.skeleton] && screen.message == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("6.6 with a pacer nothing is displayed before its delay")
    func pacing() {
      let resource = makeResource()
      let pacer = DisplayPacer(delay: .seconds(1), minimum: .zero, clock: ManualClock())
      let screen = show(resource, pacer: pacer)
      #expect(screen.message == nil)
      resource.data.value = "a"
      #expect(screen.message == nil && screen.children.count == 1)
    }

    @Test(
      "15.11 a screen that is given no pacer has that of the app, measured by the clock of its data; a preview has none"
    )
    func pacerOfTheApp() async {
      let clock = ManualClock()
      let resource = AsyncResource(options: LoadOptions(clock: clock)) { [gate] in try await gate.wait() }
      DisplayPacer.app = DisplayPacer()
      let preview = show(.preview(.loading)) { (_: String) in Leaf() }
      #expect(preview.message == ["(progress)"])
      let screen = show(resource)
      DisplayPacer.app = nil
      await gate.arrived(1)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(199))
      #expect(screen.message == nil)
      await clock.advance(by: .milliseconds(1))
      #expect(screen.message == ["(progress)"])
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(screen.message == ["(progress)"])
      await clock.advance(by: .milliseconds(500))
      #expect(screen.message == nil && (screen.children.first as? Content<String>)?.values == ["a"])
    }

    @Test("6.6, 15.3 a screen that is back, and requests, does not say that nothing was loaded")
    func backAfterLogOut() async {
      let resource = makeResource()
      let screen = show(resource, pacer: DisplayPacer(clock: ManualClock()))
      resource.data.value = "a"
      window.root = Leaf()
      resource.forget()
      window.root = screen
      #expect(resource.isRunning && screen.message == nil)
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("b"))
      await resource.settled()
      #expect((screen.children.first as? Content<String>)?.values.last == "b")
    }

    // MARK: Content

    @Test("15.8 a content that deletes its last row stays, gets the empty value, and the message lies over it")
    func lastRow() throws {
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = [1]
      let screen = show(resource, policy: .emptyIsNoData())
      let rows = try #require(screen.children.first as? Content<[Int]>)
      resource.data.value = []
      #expect(screen.children.first === rows && rows.view.superview === screen.view && rows.values == [[1], []])
      #expect(screen.message?.first == "There is nothing here yet.")
      resource.data.value = [2]
      #expect(screen.children == [rows] && rows.values.last == [2] && screen.message == nil)
      // What is forgotten is not displayed below a message.
      resource.forget()
      #expect(!screen.children.contains(rows) && screen.message?.first == "Not loaded.")
      #expect(StandIn.audit() == [])
    }

    @Test("15.8 a content that deletes its last row beside a refresh that has failed stays, below the error")
    func lastRowBesideAnError() async throws {
      let commit = ManualServer<Void>()
      let resource = AsyncResource<[Int]> { nil }
      resource.data.value = [1]
      resource.data.error = Offline()
      let screen = show(resource, policy: .emptyIsNoData(errors: .never))
      resource.cancel()
      let rows = try #require(screen.children.first as? Content<[Int]>)
      let deletion = deleteAll(of: resource, awaiting: commit)
      await commit.arrived(1)
      #expect(rows.values.last == [] && screen.children.first === rows)
      #expect(screen.message == ["You are offline.", "Try Again"])
      // Pulled, it keeps its control.
      resource.refresh()
      #expect(screen.children.first === rows && screen.message != nil)
      resource.cancel()
      // The server refuses, and the row is back.
      commit.answer(call: 1, with: .failure(Offline()))
      _ = await deletion.value
      #expect(screen.children == [rows] && rows.values.last == [1] && screen.message == nil)
      #expect(StandIn.audit() == [])
    }

    @Test("1.6, 15.8 a content that was made for a value, and is displayed no more, is not kept")
    func released() {
      let resource = AsyncResource<String> { nil }
      let screen = show(resource, policy: DisplayPolicy(errors: .always)) { Leaf($0) }
      resource.data.value = "a"
      weak let content = screen.children.first
      #expect(content != nil)
      resource.data.error = Offline()
      #expect(content == nil)
      withExtendedLifetime(screen) {}
    }

    final class Fixed: AsyncViewController<String> {
      override var canReload: Bool { false }
    }

    @Test("6.5, 15.4 the messages of the content come first, and a screen without a reload has no button")
    func messages() {
      let resource = makeResource()
      let screen = Fixed(resource, animator: ImmediateAnimator()) { _ in Speaking() }
      window.root = screen
      resource.data.value = nil
      #expect(screen.message == ["There is nothing here yet."])
      resource.data.value = "a"
      resource.data.error = Offline()
      #expect(screen.message == ["No articles"])
      resource.data.value = nil
      #expect(screen.message == ["Nothing written"])
      #expect(StandIn.audit() == [])
    }

    // MARK: The network

    @Test("15.7 a person can insist where the system says that there is no network: the request that waits is sent")
    func insisting() async throws {
      let resource = AsyncResource(options: LoadOptions(gate: .online)) { [gate] in try await gate.wait() }
      NWPathMonitor.change(to: .satisfied)
      NWPathMonitor.change(to: .unsatisfied)
      defer { NWPathMonitor.change(to: .satisfied) }
      let screen = show(resource)
      #expect(resource.isWaiting && gate.callCount == 0)
      #expect(screen.message == ["Waiting for a connection.", "Try Again"])
      try screen.pressMessage()
      await gate.arrived(1)
      gate.answer(call: 1, with: .success("a"))
      await resource.settled()
      #expect(resource.value == "a")
    }

    @Test("15.7 the button is there while the system says that there is no network, whatever else a gate waits for")
    func twoConditions() async throws {
      NWPathMonitor.change(to: .satisfied)
      defer { NWPathMonitor.change(to: .satisfied) }
      let isLoggedIn = Input(false)
      let gate = LoadGate(isOpen: false)
      let following = gate.follow(LoadGate.isOnline && isLoggedIn)
      let resource = AsyncResource<String>(options: LoadOptions(gate: gate)) { "a" }
      let screen = show(resource)
      #expect(resource.isWaiting && screen.message == ["Waiting for a connection."])
      NWPathMonitor.change(to: .unsatisfied)
      #expect(screen.message == ["Waiting for a connection.", "Try Again"])
      try screen.pressMessage()
      #expect(resource.isWaiting && screen.message == ["Waiting for a connection."])
      isLoggedIn.write(true)
      await resource.settled()
      #expect(resource.value == "a")
      withExtendedLifetime(following) {}
    }

    // MARK: Release

    @Test("1.8 a screen is released on another thread in the middle of its load, and cancels it")
    func releasedElsewhere() async {
      var screen: AsyncViewController<String>? = AsyncViewController(makeResource()) { Leaf($0) }
      weak let released = screen
      window.root = screen
      await gate.arrived(1)
      window.root = nil
      await releaseElsewhere(&screen)
      await gate.ended(1)
      #expect(released == nil)
    }

    @Test("1.8 a screen is released on another thread in the middle of a transition")
    func releasedElsewhereInTransition() async {
      let resource = makeResource()
      var screen: AsyncViewController<String>? = AsyncViewController(resource) { Leaf($0) }
      weak let released = screen
      window.root = screen
      resource.data.value = "a"
      weak let content = screen?.children.first
      #expect(content != nil && StandIn.isAnimating)
      window.root = nil
      await releaseElsewhere(&screen)
      StandIn.settle()
      #expect(released == nil)
      resource.data.value = "b"
      #expect(StandIn.audit() == [])
      StandIn.reset()
      #expect(content == nil)
    }
  }
}
