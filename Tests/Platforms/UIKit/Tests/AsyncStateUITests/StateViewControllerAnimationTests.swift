// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// How the children of a screen are animated, and what a request does meanwhile.
extension StandInTests.StateViewControllerTests {
  @Test("5.4 children fade; one that conforms decides how it is animated")
  func animations() {
    let (plain, sliding) = (Leaf(), Sliding())
    let animator = ViewAnimator(duration: .seconds(4), options: .curveLinear)
    let screen = StateViewController(initialState: 0, animator: animator) { $0 == 0 ? [plain] : [sliding] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(UIView.pendingAnimations.map(\.duration) == [2, 4])
    #expect(UIView.pendingAnimations.map(\.delay) == [1, 0])
    #expect(UIView.pendingAnimations.allSatisfy { $0.options == .curveLinear })
    #expect(sliding.calls == ["begin true", "animate true"])
    #expect(sliding.view.alpha == 1)
    #expect(plain.view.alpha == 0)
    settle()
    #expect(sliding.calls == ["begin true", "animate true", "end true"])
    #expect(plain.view.alpha == 1)
    screen.setNeedsTransition(to: 0, animated: true)
    #expect(plain.view.alpha == 1)
    #expect(plain.view.alphas.suffix(2) == [0, 1])
    settle()
    #expect(sliding.calls.suffix(3) == ["begin false", "animate false", "end false"])
    #expect(StandIn.audit() == [])
  }

  @Test("5.4 with an animator of another kind children take 0.35 seconds")
  func otherAnimator() {
    final class Recording: TransitionAnimator {
      var animations: [TransitionAnimation] = []
      func animate(_ animation: TransitionAnimation) { animations.append(animation) }
    }
    let leaves = [Leaf(), Leaf()]
    let animator = Recording()
    let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(animator.animations.map(\.duration) == [.milliseconds(350), .milliseconds(350)])
    #expect(animator.animations.map(\.delay) == [.zero, .zero])
    #expect(animator.animations.map(\.viewController) == [leaves[1], leaves[0]])
    #expect(leaves[1].view.alpha == 0)
    for animation in animator.animations { animation.finish() }
    #expect(screen.children == [leaves[1]])
    #expect(StandIn.audit() == [])
  }

  @Test("5.4 a child whose animation is ended early is not animated any more")
  func endedEarly() {
    let leaf = Leaf()
    let animator = ViewAnimator()
    let screen = StateViewController(initialState: 0, animator: animator) { $0 == 0 ? [] : [leaf] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    animator.finishAll()
    #expect(UIView.pendingAnimations.isEmpty)
    #expect(leaf.view.alpha == 1)
  }

  @Test("5.4 finishAll ends the animations that run, and those that have ended are forgotten")
  func finishAll() {
    let leaves = [Leaf(), Leaf()]
    let animator = ViewAnimator()
    let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(UIView.pendingAnimations.count == 2)
    animator.finishAll()
    #expect(!screen.container.isTransitioning)
    screen.setNeedsTransition(to: 0, animated: true)
    #expect(screen.container.isTransitioning)
    settle()
    animator.finishAll()
    #expect(StandIn.audit() == [])
  }

  @Test(
    "5.8 a request during an animation waits, or ends it if the animator is interruptible", arguments: [true, false])
  func interruption(isInterruptible: Bool) {
    let leaves = [Leaf(), Leaf(), Leaf()]
    let animator = ViewAnimator(isInterruptible: isInterruptible)
    #expect(animator.duration == .milliseconds(350))
    let screen = StateViewController(initialState: 0, animator: animator) { [leaves[$0]] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(screen.container.isTransitioning)
    #expect(UIView.pendingAnimations.allSatisfy { $0.options.contains(.allowUserInteraction) })
    screen.setNeedsTransition(to: 2, animated: false)
    #expect(screen.container.currentState == (isInterruptible ? 2 : 1))
    settle()
    #expect(screen.children == [leaves[2]])
    #expect(StandIn.audit() == [])
  }

  @Test("5.8 by default a request during an animation waits")
  func noInterruption() {
    let leaves = [Leaf(), Leaf()]
    let screen = StateViewController(initialState: 0) { [leaves[$0]] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    screen.setNeedsTransition(to: 0, animated: true)
    #expect(screen.container.currentState == 1)
    settle()
    #expect(screen.children == [leaves[0]])
  }

  @Test("5.4 a fade leads back to the child's own opacity, and leaves its other animations alone")
  func ownOpacity() {
    let leaves = [Leaf(), Leaf()]
    leaves[1].view.alpha = 0.5
    let screen = StateViewController(initialState: 0) { [leaves[$0]] }
    window.rootViewController = screen
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
    settle()
    #expect(StandIn.audit() == [])
  }

  @Test("15.1 what fades out is neither touched nor found by VoiceOver, and is as before when it is over or turns back")
  func beneathAFade() {
    let leaves = [Leaf(), Leaf()]
    leaves[1].view.isUserInteractionEnabled = false
    let screen = StateViewController(initialState: 0) { [leaves[$0]] }
    window.rootViewController = screen
    screen.setNeedsTransition(to: 1, animated: true)
    #expect(!leaves[0].view.isUserInteractionEnabled && leaves[0].view.accessibilityElementsHidden)
    #expect(!leaves[1].view.accessibilityElementsHidden)
    settle()
    #expect(leaves[0].view.isUserInteractionEnabled && !leaves[0].view.accessibilityElementsHidden)
    screen.setNeedsTransition(to: 0, animated: true)
    #expect(leaves[1].view.accessibilityElementsHidden)
    // The screen is covered in the middle.
    window.rootViewController = UIViewController()
    settle()
    #expect(!leaves[1].view.isUserInteractionEnabled && !leaves[1].view.accessibilityElementsHidden)
    #expect(leaves[0].view.isUserInteractionEnabled)
    #expect(StandIn.audit() == [])
  }

  @Test("5.4 with animations switched off a transition is complete at once")
  func animationsOff() {
    let leaves = [Leaf(), Leaf()]
    let screen = StateViewController(initialState: 0) { [leaves[$0]] }
    window.rootViewController = screen
    UIView.setAnimationsEnabled(false)
    for state in [1, 0, 1] {
      screen.setNeedsTransition(to: state, animated: true)
      #expect(!screen.container.isTransitioning)
      #expect(screen.children == [leaves[state]])
    }
    #expect(StandIn.audit() == [])
  }
}
