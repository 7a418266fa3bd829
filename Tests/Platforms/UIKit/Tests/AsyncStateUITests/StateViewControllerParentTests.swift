// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// Children that another parent has or takes, and children that are given up.
extension StandInTests.StateViewControllerTests {
  @Test("15.1 a child that was added by hand is added once when it is listed")
  func addedByHand() {
    let leaf = Leaf()
    let screen = StateViewController(initialState: 0) { $0 == 0 ? [] : [leaf] }
    window.rootViewController = screen
    screen.addChild(leaf)
    screen.view.addSubview(leaf.view)
    leaf.didMove(toParent: screen)
    screen.giveUp(leaf)
    #expect(leaf.parent === screen)
    screen.setNeedsTransition(to: 1, animated: false)
    #expect(screen.children == [leaf])
    #expect(screen.view.subviews == [leaf.view])
    screen.setNeedsTransition(to: 0, animated: false)
    #expect(screen.children == [])
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 a child that another container lists is taken from the former in the documented order")
  func takenByContainer() {
    let shared = Leaf()
    let first = StateViewController(initialState: 0) { $0 == 0 ? [shared] : [] }
    let second = StateViewController(initialState: 0) { $0 == 0 ? [] : [shared] }
    let both = StateViewController(initialState: 0) { _ in [first, second] }
    window.rootViewController = both
    second.setNeedsTransition(to: 1, animated: true)
    #expect(shared.parent === second)
    settle()
    #expect(first.children == [] && first.topChild == nil)
    first.setNeedsTransition(to: 0, animated: true)
    #expect(shared.parent === first)
    settle()
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 the former container does not animate a child that another one has taken")
  func notAnimatedByTheFormer() {
    let shared = Leaf()
    let first = StateViewController(initialState: 0) { $0 == 0 ? [shared] : [] }
    let second = StateViewController(initialState: 0) { $0 == 0 ? [] : [shared] }
    window.rootViewController = StateViewController(initialState: 0) { _ in [first, second] }
    second.setNeedsTransition(to: 1, animated: true)
    settle()
    first.setNeedsTransition(to: 1, animated: true)
    #expect(shared.view.alpha == 1 && shared.view.isUserInteractionEnabled)
    #expect(!shared.view.accessibilityElementsHidden)
    settle()
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 a child that was given up and is listed again is animated in, and not out")
  func listedAgain() {
    let shared = Leaf()
    let screen = StateViewController(initialState: 0) { $0 == 1 ? [] : [shared] }
    window.rootViewController = screen
    settle()
    screen.giveUp(shared)
    screen.setNeedsTransition(to: 2, animated: true)
    #expect(shared.parent === screen && shared.view.isUserInteractionEnabled)
    settle()
    #expect(shared.view.alpha == 1 && shared.view.superview === screen.view)
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 a child of a plain parent is taken from it in the documented order")
  func takenFromPlainParent() {
    final class Moved: UIViewController {
      var calls: [String] = []
      override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        calls.append(parent == nil ? "x-" : "x+")
      }
    }
    let (shared, plain) = (Moved(), UIViewController())
    let screen = StateViewController(initialState: 0) { $0 == 0 ? [plain] : [plain, shared] }
    window.rootViewController = screen
    plain.addChild(shared)
    plain.view.addSubview(shared.view)
    shared.didMove(toParent: plain)
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(shared.parent === screen)
    #expect(shared.calls == ["x+", "x-", "x+"])
    settle()
    #expect(plain.children == [] && plain.view.subviews == [])
    #expect(StandIn.audit() == [])
  }

  @Test(
    "15.1 another parent takes a child without a word, and the child is listed again later",
    arguments: [true, false])
  func takenSilently(isAppearing: Bool) {
    let (shared, other) = (Leaf(), UIViewController())
    let screen = StateViewController(initialState: isAppearing ? 1 : 0) { $0 == 1 ? [] : [shared] }
    window.rootViewController = screen
    let secondWindow = UIWindow()
    secondWindow.rootViewController = other
    secondWindow.makeKeyAndVisible()
    if isAppearing { screen.setNeedsTransition(to: 0, animated: true) }
    shared.view.removeFromSuperview()
    other.addChild(shared)
    other.view.addSubview(shared.view)
    shared.didMove(toParent: other)
    #expect(screen.topChild == nil)
    settle()
    #expect(shared.parent === other)
    #expect(shared.view.superview === other.view)
    screen.setNeedsTransition(to: 1, animated: true)
    settle()
    #expect(shared.parent === other)
    #expect(screen.children == [])
    #expect(StandIn.audit() == [])

    screen.setNeedsTransition(to: 2, animated: true)
    settle()
    #expect(shared.parent === screen)
    #expect(screen.view.subviews == [shared.view])
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 a child given up in the middle of its animation is in order for the next parent")
  func givenUpInTheMiddle() {
    let (sliding, other) = (Sliding(), UIViewController())
    let screen = StateViewController(initialState: 0) { $0 == 0 ? [] : [sliding] }
    let both = StateViewController(initialState: 0) { _ in [screen, other] }
    window.rootViewController = both
    screen.setNeedsTransition(to: 1, animated: true)
    screen.giveUp(sliding)
    #expect(sliding.parent == nil)
    #expect(sliding.calls == ["begin true", "animate true", "end true"])
    other.addChild(sliding)
    other.view.addSubview(sliding.view)
    sliding.didMove(toParent: other)
    settle()
    #expect(sliding.parent === other)
    #expect(sliding.calls.count == 3)
    screen.setNeedsTransition(to: 0, animated: false)
    #expect(sliding.parent === other)
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 a child that is given up fades no more, and disappears at once")
  func givenUpWhileFading() {
    final class Recording: UIViewController {
      var flags: [Bool] = []
      override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        flags.append(animated)
      }
    }
    let child = Recording()
    let screen = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(UIView.pendingAnimations.count == 1)
    screen.giveUp(child)
    #expect(UIView.pendingAnimations.isEmpty)
    #expect(child.view.alpha == 1)
    #expect(child.flags == [false])
    settle()
    #expect(StandIn.audit() == [])
  }
}
