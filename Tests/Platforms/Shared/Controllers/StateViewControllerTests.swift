// SPDX-License-Identifier: MIT
import AsyncState
@testable import AsyncStateUI
import Testing
import Toolkit

extension ToolkitTests {
  /// A screen in a window whose children follow its state: hooks, animations, other parents, and releases.
  @MainActor
  struct StateViewControllerTests {
    final class Sliding: Leaf, @MainActor AnimatedTransitioning {
      var motions: [String] = []
      func transitionDuration(isAppearing: Bool) -> Duration { .seconds(2) }
      func transitionDelay(isAppearing: Bool) -> Duration { .seconds(1) }
      func transitionWillBegin(isAppearing: Bool) { motions.append("begin \(isAppearing)") }
      func animateTransition(isAppearing: Bool) { motions.append("animate \(isAppearing)") }
      func transitionDidEnd(isAppearing: Bool) { motions.append("end \(isAppearing)") }
    }

    let window = makeWindow()

    @Test("5.1, 5.2 the hooks of a subclass are called before and after a transition, and the children appear in order")
    func hooks() {
      final class Screen: StateViewController<Int> {
        var calls: [String] = []
        override func willTransition(to state: Int, animated: Bool) {
          calls.append("W \(container.currentState) \(state) \(animated)")
        }
        override func didTransition(from former: Int?, animated: Bool) {
          calls.append("D \(former as Any) \(animated)")
        }
      }
      let leaves = [Leaf("0"), Leaf("1")]
      let screen = Screen(initialState: 0) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.calls == ["W 0 0 false", "D nil false", "W 0 1 true"])
      StandIn.settle()
      #expect(screen.calls.last == "D Optional(0) true")
      #expect(leaves[0].appearances == ["wa", "da", "wd", "dd"] && leaves[1].appearances == ["wa", "da"])
      #expect(leaves[1].view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
      // A child that stays is not placed again.
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.children == [leaves[1]] && leaves[1].view.pinnedEdges.count == 4)
    }

    @Test("15.1 a request made in a callback of another container's child is carried out when that step is over")
    func requestInsideStep() {
      let child = Leaf()
      let inner = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [inner] : [] }
      window.root = outer
      var wasThere = false
      child.onCall = { call in
        guard call == "wa" else { return }
        outer.setNeedsTransition(to: 1, animated: false)
        wasThere = outer.children == [inner]
      }
      inner.setNeedsTransition(to: 1, animated: false)
      #expect(wasThere)
      #expect(outer.children == [])
      #expect(StandIn.audit() == [])
    }

    // MARK: Animations

    @Test("5.4 children fade; one that conforms decides how it is animated")
    func animations() {
      let (plain, sliding) = (Leaf(), Sliding())
      (plain.preferredContentSize.width, sliding.preferredContentSize.width) = (1, 2)
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [plain] : [sliding] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(StandIn.durations == [3, 0.35])
      #expect(sliding.motions == ["begin true", "animate true"])
      #expect(sliding.view.opacity == 1 && plain.view.opacity == 0)
      // What leaves is in front, is not the topmost child, and VoiceOver does not find it.
      #expect(screen.view.subviews == [sliding.view, plain.view] && screen.preferredContentSize.width == 2)
      #expect(plain.view.isUnheard && !sliding.view.isUnheard)
      StandIn.settle()
      #expect(sliding.motions == ["begin true", "animate true", "end true"])
      #expect(plain.view.opacity == 1 && !plain.view.isUnheard && screen.view.subviews == [sliding.view])
      screen.setNeedsTransition(to: 0, animated: true)
      #expect(plain.view.alphas.suffix(2) == [0, 1])
      StandIn.settle()
      #expect(sliding.motions.suffix(3) == ["begin false", "animate false", "end false"])
      #expect(StandIn.audit() == [])
    }

    @Test("5.8 by default a request during an animation waits")
    func noInterruption() {
      let leaves = [Leaf(), Leaf()]
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      screen.setNeedsTransition(to: 0, animated: true)
      #expect(screen.container.currentState == 1)
      StandIn.settle()
      #expect(screen.children == [leaves[0]])
    }

    // MARK: Other parents

    @Test(
      "15.1 another parent takes a child without a word, and the child is listed again later",
      arguments: [true, false])
    func takenSilently(isAppearing: Bool) {
      let (shared, other) = (Leaf("shared"), Leaf("other"))
      let screen = StateViewController(initialState: isAppearing ? 1 : 0) { $0 == 1 ? [] : [shared] }
      window.root = StateViewController(initialState: 0) { _ in [screen, other] }
      if isAppearing { screen.setNeedsTransition(to: 0, animated: true) }
      shared.view.removeFromSuperview()
      other.take(shared)
      StandIn.settle()
      #expect(shared.parent === other && shared.view.superview === other.view)
      screen.setNeedsTransition(to: 1, animated: true)
      StandIn.settle()
      #expect(shared.parent === other && screen.children == [])
      #expect(StandIn.audit() == [])
      screen.setNeedsTransition(to: 2, animated: true)
      StandIn.settle()
      #expect(shared.parent === screen && screen.view.subviews == [shared.view] && other.children == [])
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 the former container does not animate a child that another one has taken")
    func notAnimatedByTheFormer() {
      let shared = Leaf()
      let first = StateViewController(initialState: 0) { $0 == 0 ? [shared] : [] }
      let second = StateViewController(initialState: 0) { $0 == 0 ? [] : [shared] }
      window.root = StateViewController(initialState: 0) { _ in [first, second] }
      second.setNeedsTransition(to: 1, animated: true)
      #expect(shared.parent === second)
      StandIn.settle()
      #expect(first.children == [])
      first.setNeedsTransition(to: 1, animated: true)
      #expect(shared.view.opacity == 1 && !shared.view.isUnheard)
      StandIn.settle()
      first.setNeedsTransition(to: 0, animated: true)
      #expect(shared.parent === first)
      StandIn.settle()
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15.1 a child that another container takes in the middle of a fade gets its opacity back",
      arguments: [false, true])
    func takenWhileFading(isTakenFirst: Bool) {
      let shared = Leaf("shared")
      let left = StateViewController(initialState: 1) { $0 == 1 ? [shared] : [] }
      let right = StateViewController(initialState: 0) { $0 == 1 ? [shared] : [] }
      window.root = StateViewController(initialState: 0) { _ in [left, right] }
      if isTakenFirst { right.setNeedsTransition(to: 1, animated: true) }
      left.setNeedsTransition(to: 0, animated: true)
      if !isTakenFirst { right.setNeedsTransition(to: 1, animated: true) }
      StandIn.settle()
      #expect(shared.parent === right && shared.view.superview === right.view)
      #expect(shared.view.opacity == 1 && !shared.view.isUnheard)
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15.1 a child given up in the middle of its animation is in order for the next parent, and is listed again later")
    func givenUpInTheMiddle() {
      let (sliding, other) = (Sliding(), Leaf())
      let screen = StateViewController(initialState: 0) { $0 == 1 ? [sliding] : [] }
      window.root = StateViewController(initialState: 0) { _ in [screen, other] }
      screen.setNeedsTransition(to: 1, animated: true)
      screen.giveUp(sliding)
      #expect(sliding.parent == nil)
      #expect(sliding.motions == ["begin true", "animate true", "end true"])
      other.take(sliding)
      StandIn.settle()
      #expect(sliding.parent === other && sliding.motions.count == 3)
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(sliding.parent === other)
      // Animated in, and not out.
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(sliding.parent === screen && sliding.motions.suffix(2) == ["begin true", "animate true"])
      StandIn.settle()
      #expect(sliding.view.superview === screen.view && StandIn.audit() == [])
    }

    // MARK: Release

    @Test("1.8 a child that outlives its screen is left alone when the screen's animation ends")
    func childOutlivesScreen() {
      let (leaf, other) = (Leaf(), ToolkitView(frame: .zero))
      do {
        let screen = StateViewController(initialState: 0) { $0 == 0 ? [leaf] : [] }
        window.root = screen
        screen.setNeedsTransition(to: 1, animated: true)
        window.root = nil
      }
      #expect(leaf.parent == nil)
      other.addSubview(leaf.view)
      StandIn.settle()
      #expect(leaf.view.superview === other)
    }

    @Test("1.8 a screen is released with its children, in the middle of a transition, too", arguments: [false, true])
    func release(animated: Bool) async {
      weak var released: ViewController?
      weak var leaf: Leaf?
      do {
        let child = Leaf()
        let screen = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
        window.root = screen
        screen.setNeedsTransition(to: 1, animated: animated)
        (released, leaf) = (screen, child)
        window.root = nil
        StandIn.reset()
      }
      // What the release of an animation ends is carried out when the main actor is free.
      await Task { @MainActor in }.value
      #expect(released == nil && leaf == nil)
    }

    @Test("1.8 a screen is released on another thread, in the middle of a transition, too")
    func releasedElsewhere() async {
      let child = Leaf()
      var screen: StateViewController<Int>? = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
      weak let released = screen
      window.root = screen
      screen?.setNeedsTransition(to: 1, animated: true)
      window.root = nil
      await releaseElsewhere(&screen)
      StandIn.settle()
      #expect(released == nil && child.parent == nil)
    }
  }
}
