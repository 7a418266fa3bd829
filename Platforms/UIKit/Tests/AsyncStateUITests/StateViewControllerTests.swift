import AsyncState
import AsyncStateUI
import Testing
import UIKit

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

    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

    init() {
      StandIn.reset()
      window.makeKeyAndVisible()
    }

    private func settle() {
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
      #expect(leaf.view.frame == CGRect(x: 0, y: 0, width: 100, height: 50))
      #expect(leaf.view.autoresizingMask == [.flexibleWidth, .flexibleHeight])
      // What the app has changed is not placed again while the child stays.
      leaf.view.frame.size.height = 10
      screen.setNeedsTransition(to: 0, animated: false)
      #expect(leaf.view.frame.height == 10)
      let inset = Inset(initialState: 0) { _ in [leaf] }
      window.rootViewController = inset
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
  }
}
