// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

extension ToolkitTests {
  /// What containers do in UIKit alone: bars, the focus, and animators that can be interrupted.
  @MainActor
  struct UIKitContainerTests {
    final class Scrolling: Leaf {
      let scrollView = UIScrollView()
      override func contentScrollView(for edge: NSDirectionalRectEdge) -> UIScrollView? { scrollView }
    }

    private let window = makeWindow()
    private let leaves = [Leaf("0"), Leaf("1"), Leaf("2")]

    @Test("15.1 the topmost child that stays decides about the status bar, the home indicator and the like")
    func topChild() {
      let (bottom, top, next) = (Leaf(), Leaf(), Scrolling())
      let screen = StateViewController(initialState: 0) { $0 == 0 ? [bottom, top] : [bottom, next] }
      window.root = screen
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
      StandIn.settle()
      #expect(StandIn.audit() == [])
    }

    @Test("5.6 a child is laid out in a window only: a table in none would load its rows with wrong sizes")
    func layoutOutsideWindow() {
      var violations: [String] = []
      StandIn.onViolation = { violations.append($0) }
      let tables = [UITableViewController(), UITableViewController()]
      let screen = StateViewController(initialState: 0) { [tables[$0]] }
      screen.setNeedsTransition(to: 0, animated: false)
      screen.loadViewIfNeeded()
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(violations == [])
      window.root = screen
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(violations == [])
      #expect(StandIn.audit() == [])
    }

    @Test("15.1 the focus is that of the topmost child")
    func focus() {
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.root = screen
      #expect(screen.preferredFocusEnvironments.first === leaves[0])
      let updates = screen.focusUpdates
      screen.setNeedsTransition(to: 1, animated: false)
      #expect(screen.preferredFocusEnvironments.first === leaves[1])
      #expect(screen.focusUpdates > updates)
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
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(UIView.pendingAnimations.count == 1)
      screen.giveUp(child)
      #expect(!StandIn.isAnimating)
      #expect(child.view.alpha == 1)
      #expect(child.flags == [false])
      StandIn.settle()
      #expect(StandIn.audit() == [])
    }

    // MARK: Animations

    @Test("5.4 with an animator of another kind children take 0.35 seconds")
    func otherAnimator() {
      final class Recording: TransitionAnimator {
        var animations: [TransitionAnimation] = []
        func animate(_ animation: TransitionAnimation) { animations.append(animation) }
      }
      let animator = Recording()
      let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(animator.animations.map(\.duration) == [.milliseconds(350), .milliseconds(350)])
      #expect(animator.animations.map(\.delay) == [.zero, .zero])
      #expect(animator.animations.map(\.viewController) == [leaves[1], leaves[0]])
      #expect(leaves[1].view.alpha == 0)
      for animation in animator.animations { animation.finish() }
      #expect(screen.children == [leaves[1]])
      #expect(StandIn.audit() == [])
    }

    @Test(
      "5.4 finishAll ends the animations that run, with the animator's options, and those that have ended are forgotten"
    )
    func finishAll() {
      let animator = ViewAnimator(duration: .seconds(4), options: .curveLinear)
      let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(StandIn.durations == [4, 4] && UIView.pendingAnimations.allSatisfy { $0.options == .curveLinear })
      animator.finishAll()
      #expect(!screen.container.isTransitioning)
      screen.setNeedsTransition(to: 0, animated: true)
      #expect(screen.container.isTransitioning)
      StandIn.settle()
      animator.finishAll()
      #expect(StandIn.audit() == [])
    }

    @Test(
      "5.8 a request during an animation waits, or ends it if the animator is interruptible", arguments: [true, false])
    func interruption(isInterruptible: Bool) {
      let animator = ViewAnimator(isInterruptible: isInterruptible)
      #expect(animator.duration == .milliseconds(350))
      let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(screen.container.isTransitioning)
      #expect(UIView.pendingAnimations.allSatisfy { $0.options.contains(.allowUserInteraction) })
      screen.setNeedsTransition(to: 2, animated: false)
      #expect(screen.container.currentState == (isInterruptible ? 2 : 1))
      StandIn.settle()
      #expect(screen.children == [leaves[2]])
      #expect(StandIn.audit() == [])
    }

    @Test("5.4 a fade leads back to the child's own opacity, and leaves its other animations alone")
    func ownOpacity() {
      leaves[1].view.alpha = 0.5
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(leaves[1].view.alphas.suffix(2) == [0, 0.5])
      // The child moves by itself meanwhile.
      UIView.animate(withDuration: 9, delay: 0) { leaves[1].view.frame.origin.x = 10 }
      for animation in UIView.pendingAnimations where animation.duration < 1 { animation.end() }
      #expect(leaves[1].view.alpha == 0.5)
      #expect(UIView.pendingAnimations.map(\.duration) == [9])
      screen.setNeedsTransition(to: 0, animated: true)
      for animation in UIView.pendingAnimations where animation.duration < 1 { animation.end() }
      #expect(leaves[1].view.alpha == 0.5)
      leaves[1].view.alpha = 1
      StandIn.settle()
      #expect(StandIn.audit() == [])
    }

    @Test(
      "15.1 what fades out is neither touched nor found by VoiceOver, and is as before when it is over or turns back")
    func beneathAFade() {
      leaves[1].view.isUserInteractionEnabled = false
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.root = screen
      screen.setNeedsTransition(to: 1, animated: true)
      #expect(!leaves[0].view.isUserInteractionEnabled && leaves[0].view.accessibilityElementsHidden)
      #expect(!leaves[1].view.accessibilityElementsHidden)
      StandIn.settle()
      #expect(leaves[0].view.isUserInteractionEnabled && !leaves[0].view.accessibilityElementsHidden)
      screen.setNeedsTransition(to: 0, animated: true)
      #expect(leaves[1].view.accessibilityElementsHidden)
      // The screen is covered in the middle.
      window.root = UIViewController()
      StandIn.settle()
      #expect(!leaves[1].view.isUserInteractionEnabled && !leaves[1].view.accessibilityElementsHidden)
      #expect(leaves[0].view.isUserInteractionEnabled)
      #expect(StandIn.audit() == [])
    }

    @Test("5.4 with animations switched off a transition is complete at once")
    func animationsOff() {
      let screen = StateViewController(initialState: 0) { [leaves[$0]] }
      window.root = screen
      UIView.setAnimationsEnabled(false)
      for state in [1, 0, 1] {
        screen.setNeedsTransition(to: state, animated: true)
        #expect(!screen.container.isTransitioning)
        #expect(screen.children == [leaves[state]])
      }
      #expect(StandIn.audit() == [])
    }
  }
}
