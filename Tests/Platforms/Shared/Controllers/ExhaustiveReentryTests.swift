// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import Toolkit

extension ToolkitTests {
  /// Each method in each callback: of the children, of the containers' hooks, of the animations and of the screen's content.
  @MainActor
  struct ExhaustiveReentryTests {
    struct Failure: Error {}

    /// Where all callbacks arrive; one of them carries out the action.
    @MainActor
    final class Hooks {
      var names: [String] = []
      var chosen: Int?
      var action: () -> Void = {}

      func call(_ name: String) {
        names.append(name)
        guard names.count == chosen else { return }
        let action = action
        self.action = {}
        action()
      }
    }

    final class Part: Leaf, @MainActor AnimatedTransitioning {
      let hooks: Hooks
      init(_ name: String, _ hooks: Hooks) {
        self.hooks = hooks
        super.init(name)
        // Inside addChild the controller has no parent yet: see World.
        onCall = { call in if call != "x+" { hooks.call("\(name).\(call)") } }
      }
      required init?(coder: NSCoder) { nil }

      func transitionWillBegin(isAppearing: Bool) { hooks.call("\(name).begin") }
      func animateTransition(isAppearing: Bool) { hooks.call("\(name).animate") }
      func transitionDidEnd(isAppearing: Bool) { hooks.call("\(name).end") }
    }

    final class Screen: StateViewController<Int> {
      let hooks: Hooks
      init(_ hooks: Hooks, _ animator: ViewAnimator, children: @escaping (Int) -> [ViewController]) {
        self.hooks = hooks
        super.init(initialState: 0, animator: animator, children: children)
      }
      override func children(for state: Int) -> [ViewController] {
        hooks.call("K")
        return super.children(for: state)
      }
      override func willTransition(to state: Int, animated: Bool) { hooks.call("W") }
      override func didTransition(from former: Int?, animated: Bool) { hooks.call("D") }
      override func layout(_ child: ViewController) {
        super.layout(child)
        hooks.call("layout")
      }
    }

    final class Article: AsyncViewController<Int> {
      var hooks: Hooks?
      #if canImport(UIKit)
        override func configuration(for status: AsyncStatus<Int>) -> UIContentUnavailableConfiguration? {
          hooks?.call("configuration")
          return super.configuration(for: status)
        }
      #endif
      override func willTransition(to state: AsyncStatus<Int>, animated: Bool) { hooks?.call("article.W") }
      override func didTransition(from former: AsyncStatus<Int>?, animated: Bool) { hooks?.call("article.D") }
    }

    /// A window, a container, an article that shows another container, and its leaves, which always go the same way while a
    /// method is called in one callback.
    @MainActor
    final class World {
      let hooks = Hooks()
      let window = makeWindow()
      let resource = AsyncResource<Int> { nil }
      let animator = ViewAnimator()
      let inner: Screen
      let article: Article
      let outer: Screen
      var violations: [String] = []

      init() {
        let hooks = hooks
        let leaves = (0..<4).map { Part("leaf \($0)", hooks) }
        let inner = Screen(hooks, animator) { $0 == 0 ? [leaves[0]] : $0 == 1 ? [leaves[1], leaves[0]] : [leaves[1]] }
        let article = Article(resource) { $0 == 0 ? inner : leaves[2] }
        article.hooks = hooks
        outer = Screen(hooks, ViewAnimator()) { $0 == 0 ? [article] : $0 == 1 ? [leaves[3], article] : [leaves[3]] }
        (self.inner, self.article) = (inner, article)
        StandIn.onViolation = { [weak self] in self?.violations.append($0) }
      }

      typealias Action = (name: String, body: () -> Void)

      /// What is called in the chosen callback.
      var actions: [Action] {
        var actions =
          requests(animated: true) + requests(animated: false) + [
            ("value 0", { [self] in resource.data.value = 0 }),
            ("value 1", { [self] in resource.data.value = 1 }),
            ("no value", { [self] in resource.data.value = nil }),
            ("error", { [self] in resource.data.error = Failure() }),
            ("invalidate", { [self] in resource.invalidate() }),
            ("reset", { [self] in resource.reset() }),
            ("reload", { [self] in article.host.reload() }),
            ("load", { [self] in article.host.start() }),
            ("end an animation", { StandIn.endAnimation() }),
          ]
        #if canImport(UIKit)
          actions += [
            ("inner gives up", { [self] in _ = inner.children.first.map { inner.giveUp($0) } }),
            ("article gives up", { [self] in _ = article.children.first.map { article.giveUp($0) } }),
            ("outer gives up", { [self] in outer.giveUp(article) }),
            ("finish animations", { [self] in animator.finishAll() }),
          ]
        #endif
        return actions
      }

      private func requests(animated: Bool) -> [Action] {
        let requests: [Action] = [1, 2].flatMap { state in
          [
            ("inner to \(state)", { [self] in inner.setNeedsTransition(to: state, animated: animated) }),
            ("outer to \(state)", { [self] in outer.setNeedsTransition(to: state, animated: animated) }),
          ]
        }
        return
          (requests + [
            ("article to data", { [self] in article.setNeedsTransition(to: .data(1), animated: animated) })
          ]).map { ("\($0.name), \(animated)", $0.body) }
      }

      func run() {
        window.root = outer
        resource.data.value = 0
        StandIn.settle()
        inner.setNeedsTransition(to: 1, animated: true)
        StandIn.settle()
        inner.setNeedsTransition(to: 2, animated: false)
        resource.data.value = 1
        StandIn.endAnimation()
        resource.data.value = 0
        StandIn.settle()
        outer.setNeedsTransition(to: 1, animated: false)
        resource.data.error = Failure()
        outer.setNeedsTransition(to: 2, animated: true)
        StandIn.settle()
        outer.setNeedsTransition(to: 0, animated: true)
        resource.data.value = 0
        StandIn.settle()
        resource.data.value = 0
        StandIn.settle()
        #if !canImport(UIKit)
          for isOrderedOut in [true, false] { window.isOrderedOut = isOrderedOut }
        #endif
        window.root = nil
        StandIn.settle()
        resource.reset()
      }
    }

    @Test("15.1 each method in each callback keeps the documented order and leaves nothing open")
    func eachInEach() {
      let plain = World()
      plain.run()
      #expect(plain.violations == [] && StandIn.audit() == [])
      let names = plain.hooks.names
      #expect(names.count > 60)
      var found: [String: [String]] = [:]
      for number in plain.actions.indices {
        for chosen in 1...names.count {
          let world = World()
          let (name, body) = world.actions[number]
          world.hooks.chosen = chosen
          world.hooks.action = body
          world.run()
          world.hooks.action = {}
          for finding in world.violations + StandIn.audit() {
            found["\(name): \(finding)", default: []].append("\(chosen) \(names[chosen - 1])")
          }
        }
      }
      for (finding, places) in found.sorted(by: { $0.key < $1.key }) { Issue.record("\(finding) in \(places)") }
      StandIn.reset()
    }
  }
}
