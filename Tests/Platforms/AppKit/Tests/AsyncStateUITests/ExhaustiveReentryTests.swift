// SPDX-License-Identifier: MIT
import AppKit
import AsyncState
import AsyncStateUI
import Testing

extension StandInTests {
  /// Each method in each callback: of the children, of the containers' hooks and of the animations.
  @MainActor
  @Suite(.serialized)
  struct ExhaustiveReentryTests {
    final class Leaf: NSViewController, @MainActor AnimatedTransitioning {
      let name: String
      let hooks: Hooks
      init(_ name: String, _ hooks: Hooks) {
        (self.name, self.hooks) = (name, hooks)
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
      override var description: String { name }

      override func loadView() {
        view = NSView()
        hooks.call("\(name).load")
      }
      override func viewWillAppear() { hooks.call("\(name).wa") }
      override func viewDidAppear() { hooks.call("\(name).da") }
      override func viewWillDisappear() { hooks.call("\(name).wd") }
      override func viewDidDisappear() { hooks.call("\(name).dd") }
      func transitionWillBegin(isAppearing: Bool) { hooks.call("\(name).begin") }
      func animateTransition(isAppearing: Bool) { hooks.call("\(name).animate") }
      func transitionDidEnd(isAppearing: Bool) { hooks.call("\(name).end") }
    }

    final class Screen: StateViewController<Int> {
      let hooks: Hooks
      init(_ hooks: Hooks, children: @escaping (Int) -> [NSViewController]) {
        self.hooks = hooks
        super.init(initialState: 0, children: children)
      }
      override func children(for state: Int) -> [NSViewController] {
        hooks.call("K")
        return super.children(for: state)
      }
      override func willTransition(to state: Int, animated: Bool) { hooks.call("W") }
      override func didTransition(from former: Int?, animated: Bool) { hooks.call("D") }
      override func layout(_ child: NSViewController) {
        super.layout(child)
        hooks.call("layout")
      }
    }

    /// A window with two containers and their leaves.
    @MainActor
    final class World: ReentryWorld {
      let hooks = Hooks()
      let window = NSWindow()
      let other = Screen(Hooks()) { _ in [] }
      let leaves: [Leaf]
      let inner: Screen
      let outer: Screen
      var violations: [String] = []

      init() {
        StandIn.reset()
        let hooks = hooks
        let leaves = (0..<3).map { Leaf("leaf \($0)", hooks) }
        let inner = Screen(hooks) { $0 == 0 ? [leaves[0]] : $0 == 1 ? [leaves[1], leaves[0]] : [leaves[1]] }
        outer = Screen(hooks) { $0 == 0 ? [inner] : $0 == 1 ? [leaves[2], inner] : [leaves[2]] }
        (self.leaves, self.inner) = (leaves, inner)
        StandIn.onViolation = { [weak self] in self?.violations.append($0) }
      }

      typealias Action = (name: String, body: () -> Void)

      var actions: [Action] {
        requests(animated: true) + requests(animated: false) + [("end an animation", { StandIn.endAnimation() })]
      }

      private func requests(animated: Bool) -> [Action] {
        [
          ("inner to 0, \(animated)", { [self] in inner.setNeedsTransition(to: 0, animated: animated) }),
          ("inner to 1, \(animated)", { [self] in inner.setNeedsTransition(to: 1, animated: animated) }),
          ("inner to 2, \(animated)", { [self] in inner.setNeedsTransition(to: 2, animated: animated) }),
          ("outer to 1, \(animated)", { [self] in outer.setNeedsTransition(to: 1, animated: animated) }),
          ("outer to 2, \(animated)", { [self] in outer.setNeedsTransition(to: 2, animated: animated) }),
        ]
      }

      func settle() {
        while !StandIn.animations.isEmpty { StandIn.endAnimation() }
      }

      func run() {
        window.contentViewController = outer
        inner.setNeedsTransition(to: 1, animated: true)
        settle()
        inner.setNeedsTransition(to: 2, animated: false)
        outer.setNeedsTransition(to: 1, animated: false)
        inner.setNeedsTransition(to: 1, animated: true)
        outer.setNeedsTransition(to: 2, animated: true)
        StandIn.endAnimation()
        settle()
        outer.setNeedsTransition(to: 0, animated: true)
        settle()
        window.isOrderedOut = true
        window.isOrderedOut = false
        window.contentViewController = other
        settle()
        window.contentViewController = outer
        settle()
      }
    }

    @Test("15.1 each method in each callback keeps the documented order and leaves nothing open")
    func eachInEach() {
      World.callEachInEach(least: 60)
    }
  }
}
