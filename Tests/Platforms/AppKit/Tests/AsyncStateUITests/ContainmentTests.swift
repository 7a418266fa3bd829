// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateTesting
import AsyncStateUI
import SwiftUI
import Testing

extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct ContainmentTests {
    final class Leaf: NSViewController {
      let name: String
      var calls: [String] = []
      init(_ name: String) {
        self.name = name
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
      override func loadView() { view = NSView() }
      override func viewWillAppear() { calls.append("wa") }
      override func viewDidAppear() { calls.append("da") }
      override func viewWillDisappear() { calls.append("wd") }
      override func viewDidDisappear() { calls.append("dd") }
      override var description: String { name }
    }

    private static func children(_ parts: [NSViewController], of state: Int) -> [NSViewController] {
      let listed = parts.enumerated().filter { state & (1 << $0.offset) != 0 }.map(\.element)
      return state % 3 == 0 ? listed.reversed() : listed
    }

    @Test("15.1 ten thousand random sequences, three containers deep, keep AppKit's order and leave nothing open")
    func randomSequences() {
      for seed in 0..<Sequences.count {
        StandIn.reset()
        var violations: [String] = []
        StandIn.onViolation = { violations.append($0) }
        defer { StandIn.reset() }
        var generator = Generator(seed: seed)
        let leaves = (0..<8).map { Leaf("\($0)") }
        let innermost = StateViewController(initialState: 1) { Self.children(Array(leaves[6...]), of: $0) }
        let inner = StateViewController(initialState: 1, animator: ViewAnimator()) {
          Self.children(Array(leaves[3..<6]) + [innermost], of: $0)
        }
        let outer = StateViewController(initialState: 1, animator: ViewAnimator()) {
          Self.children(Array(leaves[..<3]) + [inner], of: $0)
        }
        let window = NSWindow()
        window.contentViewController = outer
        for _ in 0..<30 {
          let state = Int.random(in: 0..<16, using: &generator)
          let flag = Bool.random(using: &generator)
          switch Int.random(in: 0..<8, using: &generator) {
          case 0...2: outer.setNeedsTransition(to: state, animated: flag)
          case 3: inner.setNeedsTransition(to: state, animated: flag)
          case 4: innermost.setNeedsTransition(to: state % 4, animated: flag)
          case 5: window.isOrderedOut = flag
          default: StandIn.endAnimation()
          }
        }
        window.isOrderedOut = false
        while !StandIn.animations.isEmpty { StandIn.endAnimation() }
        let shown = Self.children(Array(leaves[..<3]) + [inner], of: outer.container.currentState)
        // Each in turn, from the first.
        let turns = ["wa", "da", "wd", "dd"]
        let found =
          violations + StandIn.audit()
          + (outer.view.subviews == shown.map(\.view) ? [] : ["The surface is not that of the state"])
          + (Set(outer.children) == Set(shown) ? [] : ["The children are not those of the state"])
          + leaves.filter { $0.calls != $0.calls.indices.map { turns[$0 % 4] } }.map { "\($0): \($0.calls)" }
        guard found.isEmpty else {
          Issue.record("Seed \(seed): \(found)")
          return
        }
      }
    }

    @Test("5.1 hooks and the order of a transition")
    func hooks() {
      final class Screen: StateViewController<Int> {
        var calls: [String] = []
        override func willTransition(to state: Int, animated: Bool) { calls.append("W \(state) \(animated)") }
        override func didTransition(from former: Int?, animated: Bool) {
          calls.append("D \(former as Any) \(animated)")
        }
      }
      StandIn.reset()
      let (first, second) = (Leaf("first"), Leaf("second"))
      let screen = Screen(initialState: 0) { $0 == 0 ? [first] : [second] }
      let window = NSWindow()
      window.contentViewController = screen
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.calls == ["W 0 false", "D nil false", "W 1 false", "D Optional(0) false"])
      #expect(first.calls == ["wa", "da", "wd", "dd"])
      #expect(second.calls == ["wa", "da"])
      #expect(second.view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
      #expect(screen.children == [second])
    }

    @Test("5.4 a child that conforms decides how it is animated; others fade")
    func animations() {
      final class Sliding: NSViewController, @MainActor AnimatedTransitioning {
        var calls: [String] = []
        override func loadView() { view = NSView() }
        func transitionDuration(isAppearing: Bool) -> Duration { .seconds(2) }
        func transitionDelay(isAppearing: Bool) -> Duration { .seconds(1) }
        func transitionWillBegin(isAppearing: Bool) { calls.append("begin \(isAppearing)") }
        func animateTransition(isAppearing: Bool) { calls.append("animate \(isAppearing)") }
        func transitionDidEnd(isAppearing: Bool) { calls.append("end \(isAppearing)") }
      }
      StandIn.reset()
      let (plain, sliding) = (Leaf("plain"), Sliding(nibName: nil, bundle: nil))
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [plain] : [sliding] }
      let window = NSWindow()
      window.contentViewController = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(StandIn.durations == [3, 0.35])
      #expect(StandIn.implicitGroups == 2)
      #expect(sliding.calls == ["begin true", "animate true"])
      #expect(sliding.view.alphaValue == 1)
      #expect(plain.view.alphaValue == 0)
      #expect(screen.view.subviews == [sliding.view, plain.view])
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(sliding.calls == ["begin true", "animate true", "end true"])
      #expect(plain.view.alphaValue == 1)
      #expect(screen.view.subviews == [sliding.view])

      screen.setNeedsTransition(to: 0, animated: true)
      #expect(plain.view.alphaValue == 1)
      #expect(plain.view.alphas.suffix(2) == [0, 1])
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(sliding.calls.suffix(3) == ["begin false", "animate false", "end false"])
      #expect(StandIn.audit() == [])
      withExtendedLifetime(window) {}
    }

    @Test("15.1 a child that another parent has taken is left alone until it is listed again")
    func takenChild() {
      StandIn.reset()
      let (shared, other) = (Leaf("shared"), Leaf("other"))
      let screen = StateViewController(initialState: 0) { $0 == 1 ? [] : [shared] }
      let window = NSWindow()
      window.contentViewController = screen
      let secondWindow = NSWindow()
      secondWindow.contentViewController = other
      shared.view.removeFromSuperview()
      other.addChild(shared)
      other.view.addSubview(shared.view)
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(shared.parent === other)
      #expect(shared.view.superview === other.view)
      screen.setNeedsTransition(to: 2, animated: false)
      #expect(shared.parent === screen)
      #expect(shared.view.superview === screen.view)
      screen.setNeedsTransition(to: 3, animated: false)
      #expect(screen.children == [shared])
      #expect(StandIn.audit() == [])
      withExtendedLifetime((window, secondWindow)) {}
    }

    @Test("15.1 a child that another parent has taken is taken back by a transition that lists it")
    func takenBack() {
      StandIn.reset()
      let (shared, other) = (Leaf("shared"), Leaf("other"))
      let screen = StateViewController(initialState: 0) { _ in [shared] }
      let window = NSWindow()
      window.contentViewController = screen
      for state in 1...2 {
        shared.view.removeFromSuperview()
        other.addChild(shared)
        screen.setNeedsTransition(to: state, animated: state == 2)
        while !StandIn.animations.isEmpty { StandIn.endAnimation() }
        #expect(shared.parent === screen)
        #expect(screen.view.subviews == [shared.view])
      }
      #expect(StandIn.audit() == [])
      withExtendedLifetime(window) {}
    }

    @Test("15.1 a request made in a callback of another container's child is carried out when that step is over")
    func requestInsideStep() {
      final class Asking: NSViewController {
        var onAppear: () -> Void = {}
        override func loadView() { view = NSView() }
        override func viewWillAppear() { onAppear() }
      }
      StandIn.reset()
      let child = Asking(nibName: nil, bundle: nil)
      let inner = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [inner] : [] }
      let window = NSWindow()
      window.contentViewController = outer
      var wasThere = false
      child.onAppear = {
        outer.setNeedsTransition(to: 1, animated: false)
        wasThere = outer.children == [inner]
      }
      inner.setNeedsTransition(to: 1, animated: false)
      #expect(wasThere)
      #expect(outer.children == [])
      #expect(StandIn.audit() == [])
      withExtendedLifetime(window) {}
    }

    @Test("15.1 a child that was added by hand is added once when it is listed")
    func addedByHand() {
      StandIn.reset()
      let leaf = Leaf("leaf")
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [] : [leaf] }
      let window = NSWindow()
      window.contentViewController = screen
      screen.addChild(leaf)
      screen.view.addSubview(leaf.view)
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.children == [leaf])
      #expect(screen.view.subviews == [leaf.view])
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(screen.children == [])
      #expect(StandIn.audit() == [])
      withExtendedLifetime(window) {}
    }

    @Test("1.8 a child that outlives its screen is left alone when the screen's animation ends")
    func childOutlivesScreen() {
      StandIn.reset()
      let (leaf, other) = (Leaf("leaf"), NSView())
      do {
        let screen = StateViewController(initialState: 0) { $0 == 0 ? [leaf] : [] }
        let window = NSWindow()
        window.contentViewController = screen
        screen.setNeedsTransition(to: 1, animated: true)
        window.contentViewController = nil
      }
      #expect(leaf.parent == nil)
      other.addSubview(leaf.view)
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(leaf.view.superview === other)
    }

    @Test("5.14 children of a screen whose view is not loaded are not loaded, and displayed when it is")
    func notLoaded() {
      StandIn.reset()
      let leaves = [Leaf("0"), Leaf("1")]
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.children == [leaves[1]])
      #expect(!screen.isViewLoaded && !leaves[1].isViewLoaded)
      let window = NSWindow()
      window.contentViewController = screen
      #expect(screen.view.subviews == [leaves[1].view])
      #expect(leaves[1].calls == ["wa", "da"])
      withExtendedLifetime(window) {}
    }

    @Test("1.8 a screen is released with its children, in the middle of a transition, too")
    func release() async {
      weak var released: NSViewController?
      weak var leaf: Leaf?
      do {
        StandIn.reset()
        let child = Leaf("leaf")
        let screen = StateViewController(initialState: 0, animator: ViewAnimator()) { $0 == 0 ? [] : [child] }
        let window = NSWindow()
        window.contentViewController = screen
        screen.setNeedsTransition(to: 1, animated: true)
        (released, leaf) = (screen, child)
        StandIn.reset()
      }
      // What the release of an animation ends is carried out when the main actor is free.
      await Task { @MainActor in }.value
      #expect(released == nil)
      #expect(leaf == nil)
    }

    @Test("1.8 a screen is released on another thread, in the middle of a transition, too")
    func releasedElsewhere() async {
      StandIn.reset()
      let child = Leaf("leaf")
      var screen: StateViewController<Int>? = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
      weak let released = screen
      let window = NSWindow()
      window.contentViewController = screen
      screen?.setNeedsTransition(to: 1, animated: true)
      window.contentViewController = nil
      await releaseElsewhere(&screen)
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(released == nil)
      #expect(child.parent == nil)
    }

    @Test("15.1 the status view is SwiftUI's, in a hosting controller")
    func hostedStatus() throws {
      StandIn.reset()
      let gate = ManualServer<String?>()
      let resource = AsyncResource { try await gate.wait() }
      let screen = StateViewController(initialState: 0) { _ in
        [NSHostingController(rootView: AsyncView(resource) { Text($0) })]
      }
      let window = NSWindow()
      window.contentViewController = screen
      let hosting = try #require(screen.children.first as? any HostingController)
      #expect(hosting.host?.texts == ["(progress)"])
      resource.data.value = "Hello"
      hosting.host?.draw()
      #expect(hosting.host?.texts == ["Hello"])
      window.contentViewController = nil
      #expect(hosting.host == nil)
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15.1 a child that another container takes in the middle of a fade gets its opacity back",
      arguments: [false, true])
    func takenWhileFading(isTakenFirst: Bool) {
      StandIn.reset()
      let shared = Leaf("shared")
      let left = StateViewController(initialState: 1) { $0 == 1 ? [shared] : [] }
      let right = StateViewController(initialState: 0) { $0 == 1 ? [shared] : [] }
      let both = StateViewController(initialState: 0) { _ in [left, right] }
      let window = NSWindow()
      window.contentViewController = both
      if isTakenFirst { right.setNeedsTransition(to: 1, animated: true) }
      left.setNeedsTransition(to: 0, animated: true)
      if !isTakenFirst { right.setNeedsTransition(to: 1, animated: true) }
      while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      #expect(shared.parent === right && shared.view.superview === right.view)
      #expect(shared.view.alphaValue == 1 && !shared.view.isAccessibilityHidden())
      #expect(StandIn.audit() == [])
      StandIn.reset()
    }
  }
}

@MainActor
private protocol HostingController: AnyObject {
  var host: ViewHost? { get }
}
extension NSHostingController: HostingController {}
