// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateUI
import Testing
import UIKit

/// Each method in each callback: of the children, of the containers' hooks, of the animations and of the screen's content.
extension StandInTests {
  @MainActor
  @Suite(.serialized)
  struct ExhaustiveReentryTests {
    struct Failure: Error {}

    final class Leaf: UIViewController, @MainActor AnimatedTransitioning {
      let name: String
      let hooks: Hooks
      init(_ name: String, _ hooks: Hooks) {
        (self.name, self.hooks) = (name, hooks)
        super.init(nibName: nil, bundle: nil)
      }
      required init?(coder: NSCoder) { nil }
      override var description: String { name }

      override func viewDidLoad() {
        super.viewDidLoad()
        hooks.call("\(name).load")
      }
      override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        hooks.call("\(name).wa")
      }
      override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        hooks.call("\(name).ia")
      }
      override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        hooks.call("\(name).da")
      }
      override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        hooks.call("\(name).wd")
      }
      override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        hooks.call("\(name).dd")
      }
      override func didMove(toParent parent: UIViewController?) {
        super.didMove(toParent: parent)
        hooks.call("\(name).\(parent == nil ? "x-!" : "x+!")")
      }
      func transitionWillBegin(isAppearing: Bool) { hooks.call("\(name).begin") }
      func animateTransition(isAppearing: Bool) { hooks.call("\(name).animate") }
      func transitionDidEnd(isAppearing: Bool) { hooks.call("\(name).end") }
    }

    final class Screen: StateViewController<Int> {
      let hooks: Hooks
      init(_ hooks: Hooks, _ animator: ViewAnimator, children: @escaping (Int) -> [UIViewController]) {
        self.hooks = hooks
        super.init(initialState: 0, animator: animator, children: children)
      }
      override func children(for state: Int) -> [UIViewController] {
        hooks.call("K")
        return super.children(for: state)
      }
      override func willTransition(to state: Int, animated: Bool) { hooks.call("W") }
      override func didTransition(from former: Int?, animated: Bool) { hooks.call("D") }
      override func layout(_ child: UIViewController) {
        super.layout(child)
        hooks.call("layout")
      }
    }

    final class Article: AsyncViewController<Int> {
      var hooks: Hooks?
      override func configuration(for status: AsyncStatus<Int>) -> UIContentUnavailableConfiguration? {
        hooks?.call("configuration")
        return super.configuration(for: status)
      }
      override func willTransition(to state: AsyncStatus<Int>, animated: Bool) { hooks?.call("article.W") }
      override func didTransition(from former: AsyncStatus<Int>?, animated: Bool) { hooks?.call("article.D") }
    }

    /// A window, a container, an article that shows another container, and its leaves.
    @MainActor
    final class World: ReentryWorld {
      let hooks = Hooks()
      let window = UIWindow()
      let resource = AsyncResource<Int> { nil }
      let animator = ViewAnimator()
      let leaves: [Leaf]
      let inner: Screen
      let article: Article
      let outer: Screen
      var violations: [String] = []

      init() {
        StandIn.reset()
        let hooks = hooks
        let leaves = (0..<4).map { Leaf("leaf \($0)", hooks) }
        let inner = Screen(hooks, animator) { $0 == 0 ? [leaves[0]] : $0 == 1 ? [leaves[1], leaves[0]] : [leaves[1]] }
        let article = Article(resource) { $0 == 0 ? inner : leaves[2] }
        article.hooks = hooks
        outer = Screen(hooks, ViewAnimator()) { $0 == 0 ? [article] : $0 == 1 ? [leaves[3], article] : [leaves[3]] }
        (self.leaves, self.inner, self.article) = (leaves, inner, article)
        StandIn.onViolation = { [weak self] in self?.violations.append("\($0)") }
      }

      func settle() {
        while !UIView.pendingAnimations.isEmpty || StandIn.isBusy {
          UIView.pendingAnimations.first?.end()
          StandIn.nextTurn()
        }
      }

      typealias Action = (name: String, body: () -> Void)

      var actions: [Action] {
        requests(animated: true) + requests(animated: false) + [
          ("inner gives up", { [self] in _ = inner.children.first.map { inner.giveUp($0) } }),
          ("article gives up", { [self] in _ = article.children.first.map { article.giveUp($0) } }),
          ("outer gives up", { [self] in outer.giveUp(article) }),
          ("value 0", { [self] in resource.data.value = 0 }),
          ("value 1", { [self] in resource.data.value = 1 }),
          ("no value", { [self] in resource.data.value = nil }),
          ("error", { [self] in resource.data.error = Failure() }),
          ("invalidate", { [self] in resource.invalidate() }),
          ("reset", { [self] in resource.reset() }),
          ("reload", { [self] in article.host.reload() }),
          ("load", { [self] in article.host.start() }),
          ("finish animations", { [self] in animator.finishAll() }),
        ]
      }

      private func requests(animated: Bool) -> [Action] {
        [
          ("inner to 1, \(animated)", { [self] in inner.setNeedsTransition(to: 1, animated: animated) }),
          ("inner to 2, \(animated)", { [self] in inner.setNeedsTransition(to: 2, animated: animated) }),
          ("outer to 1, \(animated)", { [self] in outer.setNeedsTransition(to: 1, animated: animated) }),
          ("outer to 2, \(animated)", { [self] in outer.setNeedsTransition(to: 2, animated: animated) }),
          ("article to data, \(animated)", { [self] in article.setNeedsTransition(to: .data(1), animated: animated) }),
        ]
      }

      func run() {
        window.rootViewController = outer
        window.makeKeyAndVisible()
        resource.data.value = 0
        settle()
        inner.setNeedsTransition(to: 1, animated: true)
        settle()
        inner.setNeedsTransition(to: 2, animated: false)
        resource.data.value = 1
        UIView.pendingAnimations.first?.end()
        resource.data.value = 0
        settle()
        outer.setNeedsTransition(to: 1, animated: false)
        resource.data.error = Failure()
        outer.setNeedsTransition(to: 2, animated: true)
        settle()
        outer.setNeedsTransition(to: 0, animated: true)
        resource.data.value = 0
        settle()
        resource.data.value = 0
        settle()
        window.rootViewController = nil
        settle()
        resource.reset()
      }
    }

    @Test("15.1 each method in each callback keeps the documented order and leaves nothing open")
    func eachInEach() {
      World.callEachInEach(least: 80)
    }
  }
}
