// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// A screen whose children follow its state. How they are animated, and what happens when another parent takes them, stand
/// in files of their own.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct StateViewControllerTests {
    final class Leaf: UIViewController {
      let scrollView = UIScrollView()
      override func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? { scrollView }
    }

    final class Sliding: UIViewController, @MainActor AnimatedTransitioning {
      var calls: [String] = []
      func transitionDuration(isAppearing: Bool) -> Duration { .seconds(2) }
      func transitionDelay(isAppearing: Bool) -> Duration { .seconds(1) }
      func transitionWillBegin(isAppearing: Bool) { calls.append("begin \(isAppearing)") }
      func animateTransition(isAppearing: Bool) { calls.append("animate \(isAppearing)") }
      func transitionDidEnd(isAppearing: Bool) { calls.append("end \(isAppearing)") }
    }

    final class Screen: StateViewController<Int> {
      var calls: [String] = []
      override func willTransition(to state: Int, animated: Bool) {
        calls.append("W \(container.currentState) \(state) \(animated)")
      }
      override func didTransition(from former: Int?, animated: Bool) { calls.append("D \(former as Any) \(animated)") }
    }

    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    func settle() {
      while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
        UIView.pendingAnimations.first?.end()
        StandIn.nextTurn()
      }
    }

    @Test("5.2 the hooks of a subclass are called before and after a transition")
    func hooks() {
      let leaves = [Leaf(), Leaf()]
      let screen = Screen(initialState: 0) { [leaves[$0]] }
      #expect(!screen.shouldAutomaticallyForwardAppearanceMethods)
      window.rootViewController = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.calls == ["W 0 0 false", "D nil false", "W 0 1 true"])
      settle()
      #expect(screen.calls.last == "D Optional(0) true")
      #expect(screen.children == [leaves[1]])
    }

    @Test("5.6 the view of a child fills that of the container; an override places it elsewhere")
    func layout() {
      final class Inset: StateViewController<Int> {
        override func layout(_ child: UIViewController) { child.view.frame = CGRect(x: 1, y: 2, width: 3, height: 4) }
      }
      let leaf = Leaf()
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [leaf] : [] }
      screen.view.frame = CGRect(x: 0, y: 0, width: 100, height: 50)
      window.rootViewController = screen
      // By constraints, so that a self-sizing cell, a sheet or a popover can measure the content.
      #expect(leaf.view.pinnedEdges == ["top", "bottom", "leading", "trailing"])
      #expect(!leaf.view.translatesAutoresizingMaskIntoConstraints)
      // A child that stays is not placed again.
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(leaf.view.pinnedEdges.count == 4)
      let inset = Inset(initialState: 0) { _ in [leaf] }
      window.rootViewController = inset
      #expect(leaf.view.translatesAutoresizingMaskIntoConstraints)
      #expect(leaf.view.frame == CGRect(x: 1, y: 2, width: 3, height: 4))
    }

    @Test("5.6 subviews of the app stay in front of the children")
    func ownSubviews() {
      let leaves = [Leaf(), Leaf()]
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      let badge = UIView()
      screen.view.addSubview(badge)
      window.rootViewController = screen
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.view.subviews == [leaves[1].view, badge])
    }

    @Test("5.14 children of a screen whose view is not loaded are not loaded, and displayed when it is")
    func notLoaded() {
      let leaves = [Leaf(), Leaf()]
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.children == [leaves[1]])
      #expect(!screen.isViewLoaded && !leaves[1].isViewLoaded)
      window.rootViewController = screen
      #expect(screen.view.subviews == [leaves[1].view])
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 the topmost child that stays decides about the status bar, the home indicator and the like")
    func topChild() {
      let (bottom, top, next) = (Leaf(), Leaf(), Leaf())
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [bottom, top] : [bottom, next] }
      window.rootViewController = screen
      #expect(screen.topChild === top)
      let updates = screen.statusBarUpdates
      #expect(updates > 0)
      screen.setNeedsTransition(to: 1, animated: true)
      // The child that leaves is still in front.
      #expect(screen.view.subviews == [bottom.view, next.view, top.view])
      #expect(screen.topChild === next)
      #expect(screen.statusBarUpdates > updates)
      #expect(screen.childForStatusBarStyle === next)
      #expect(screen.childForStatusBarHidden === next)
      #expect(screen.childForHomeIndicatorAutoHidden === next)
      #expect(screen.childForScreenEdgesDeferringSystemGestures === next)
      #expect(screen.contentScrollView(for: .top) === next.scrollView)
      #expect(screen.homeIndicatorUpdates > 0 && screen.screenEdgeUpdates > 0)
      settle()
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 a plain view is a child, and the same one as long as it is there")
    func plainView() {
      let (label, other) = (UILabel(), UILabel())
      let screen = StateViewController(initialState: 0) { $0 == 2 ? [] : [.containing($0 == 0 ? label : other)] }
      window.rootViewController = screen
      let child = screen.children.first
      #expect(screen.view.subviews == [label])
      screen.setNeedsTransition(to: 0, animated: true)
      #expect(screen.children.first === child)
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.view.subviews == [other])
      #expect(UIViewController.containing(screen.view) === screen)
      #expect(StandIn.audit() == [])
    }

    @Test("5.8 of two requests in a hook the last one wins")
    func requestsInHook() {
      final class Eager: StateViewController<Int> {
        var states: [Int] = []
        override func willTransition(to state: Int, animated: Bool) { states.append(state) }
        override func didTransition(from former: Int?, animated: Bool) {
          guard former == nil else { return }
          setNeedsTransition(to: 1, animated: false)
          setNeedsTransition(to: 2, animated: false)
        }
      }
      let screen = Eager(initialState: 0)
      window.rootViewController = screen
      #expect(screen.states == [0, 2])
    }

    @Test("15.1 a request made in a callback of another container's child is carried out when that step is over")
    func requestInsideStep() {
      final class Asking: UIViewController {
        var onAppear: () -> Void = {}
        override func viewWillAppear(_ animated: Bool) {
          super.viewWillAppear(animated)
          onAppear()
        }
      }
      let child = Asking()
      let inner = StateViewController(initialState: 0) { $0 == 0 ? [] : [child] }
      let outer = StateViewController(initialState: 0) { $0 == 0 ? [inner] : [] }
      window.rootViewController = outer
      var wasThere = false
      child.onAppear = {
        outer.setNeedsTransition(to: 1, animated: false)
        wasThere = outer.children == [inner]
      }
      inner.setNeedsTransition(to: 1, animated: false)
      #expect(wasThere)
      #expect(outer.children == [])
      #expect(StandIn.audit() == [])
    }

    @Test("1.8 a screen is released with its children")
    func release() {
      weak var screen: UIViewController?
      weak var leaf: Leaf?
      do {
        let child = Leaf()
        let made = StateViewController(initialState: 0) { _ in [child] }
        (screen, leaf) = (made, child)
        window.rootViewController = made
        window.rootViewController = nil
      }
      #expect(screen == nil && leaf == nil)
    }

    @Test("5.6 a child is laid out in a window only: a table in none would load its rows with wrong sizes")
    func layoutOutsideWindow() {
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0.description) }
      let tables = [UITableViewController(), UITableViewController()]
      let screen = StateViewController(initialState: 0) { [tables[$0]] }
      screen.setNeedsTransition(to: 0, animated: false)
      screen.loadViewIfNeeded()
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(violations == [])
      window.rootViewController = screen
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(violations == [])
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 the focus, and the size for a sheet, are those of the topmost child")
    func focusAndSize() {
      let leaves = [Leaf(), Leaf(), Leaf()]
      leaves[0].preferredContentSize = CGSize(width: 100, height: 50)
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.rootViewController = screen
      #expect(screen.preferredFocusEnvironments.first === leaves[0])
      #expect(screen.preferredContentSize == CGSize(width: 100, height: 50))
      let updates = screen.focusUpdates
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.preferredFocusEnvironments.first === leaves[1])
      #expect(screen.focusUpdates > updates)
      // A child without an opinion changes nothing.
      #expect(screen.preferredContentSize == CGSize(width: 100, height: 50))
      leaves[1].preferredContentSize.height = 70
      #expect(screen.preferredContentSize == CGSize(width: 0, height: 70))
      leaves[0].preferredContentSize.height = 90
      #expect(screen.preferredContentSize == CGSize(width: 0, height: 70))
    }
  }
}
