// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct NestingTests {
    /// Two or three containers, each a child of the one before, that write into one trace. Every container has the states
    /// `loading`, in which it displays the next one, and `empty`, in which it displays nothing; the last displays a leaf.
    struct Nest {
      let trace = Recorder()
      let delegates: [LevelDelegate]
      let containers: [StateContainer<Scene>]

      init(depth: Int, keepsState: Bool, animator: any TransitionAnimator = ImmediateAnimator()) {
        var child: any ChildController = TracedChild("leaf", trace)
        var containers: [StateContainer<Scene>] = []
        var delegates: [LevelDelegate] = []
        for level in (0..<depth).reversed() {
          let shown = child
          let children: (Scene) -> [any ChildController] = { $0 == .loading ? [shown] : [] }
          let container =
            keepsState
            ? StateContainer(initialState: .loading, animator: animator, children: children)
            : StateContainer(appearanceState: { .loading }, animator: animator, children: children)
          let delegate = LevelDelegate(level, trace)
          container.delegate = delegate
          delegates.insert(delegate, at: 0)
          containers.insert(container, at: 0)
          child = container
        }
        self.containers = containers
        self.delegates = delegates
      }

      var outer: StateContainer<Scene> { containers[0] }
      var inner: StateContainer<Scene> { containers[1] }
    }

    /// Marks each of its calls with the number of its container, which a `Recorder`'s marks do not have.
    final class LevelDelegate: StateContainerDelegate {
      let level: Int
      let trace: Recorder

      init(_ level: Int, _ trace: Recorder) {
        self.level = level
        self.trace = trace
      }

      func container(_ container: StateContainer<Scene>, willTransitionTo nextState: Scene, animated: Bool) {
        trace.note("W\(level)(\(nextState))")
      }
      func container(_ container: StateContainer<Scene>, didTransitionFrom previousState: Scene?, animated: Bool) {
        trace.note("D\(level)(\(previousState.map { "\($0)" } ?? "nil"))")
      }
      func container(_ container: StateContainer<Scene>, childWillAppear child: any ChildController, animated: Bool) {
        trace.note("cwa\(level)")
      }
      func container(_ container: StateContainer<Scene>, childDidAppear child: any ChildController, animated: Bool) {
        trace.note("cda\(level)")
      }
      func container(_ container: StateContainer<Scene>, childWillDisappear child: any ChildController, animated: Bool)
      {
        trace.note("cwd\(level)")
      }
      func container(_ container: StateContainer<Scene>, childDidDisappear child: any ChildController, animated: Bool) {
        trace.note("cdd\(level)")
      }
    }

    @Test("5.18 three deep, each level in turn")
    func threeDeep() {
      let nest = Nest(depth: 3, keepsState: true)
      nest.outer.appear(animated: false)
      expectEqual(
        nest.trace.takeTrace(),
        """
        W0(loading) cwa0 W1(loading) cwa1 W2(loading) leaf+ cwa2 leaf.wa leaf.da cda2 leaf+! D2(nil) cda1 D1(nil) cda0 \
        D0(nil)
        """)
      nest.outer.setNeedsTransition(to: .empty, animated: false)
      expectEqual(nest.trace.takeTrace(), "W0(empty) cwd0 cwd1 cwd2 leaf.wd leaf.dd cdd2 cdd1 cdd0 D0(loading)")
      expectEqual(nest.containers.map(\.appearance), [.visible, .gone, .gone])
      nest.outer.setNeedsTransition(to: .loading, animated: false)
      expectEqual(nest.trace.takeTrace(), "W0(loading) cwa0 cwa1 cwa2 leaf.wa leaf.da cda2 cda1 cda0 D0(empty)")
      nest.outer.disappear(animated: false)
      expectEqual(nest.trace.takeTrace(), "cwd0 cwd1 cwd2 leaf.wd leaf.dd cdd2 cdd1 cdd0")
    }

    @Test(
      "5.18 while the outer one displays something else, the inner one keeps its state or requests it, as its kind does"
    )
    func kinds() {
      for keepsState in [true, false] {
        let nest = Nest(depth: 2, keepsState: keepsState)
        nest.outer.appear(animated: false)
        nest.inner.setNeedsTransition(to: .empty, animated: false)
        nest.outer.setNeedsTransition(to: .empty, animated: false)
        expectEqual(nest.inner.currentState, .empty)
        _ = nest.trace.take()
        nest.outer.setNeedsTransition(to: .loading, animated: false)
        expectEqual(nest.inner.currentState, (keepsState ? .empty : .loading))
        expectEqual(nest.trace.take().contains("W1(loading)"), !keepsState)
      }
    }

    @Test("5.18 a request of the inner one while it appears with an animation of the outer one waits for its end")
    func duringOuterAnimation() {
      let animator = HeldAnimator()
      let trace = Recorder()
      let leaf = TracedChild("leaf", trace)
      let inner = StateContainer(initialState: Scene.loading) { $0 == .loading ? [leaf] : [] }
      let outer = StateContainer(initialState: Scene.empty, animator: animator) { $0 == .loading ? [inner] : [] }
      outer.appear(animated: false)
      outer.setNeedsTransition(to: .loading, animated: true)
      expectEqual(inner.appearance, .appearing)
      inner.setNeedsTransition(to: .empty, animated: false)
      expectEqual(trace.takeTrace(), "leaf+ leaf.wa")
      animator.finishAll()
      expectEqual(trace.takeTrace(), "leaf.da leaf+! leaf- leaf.wd leaf.dd leaf-!")
      #expect(!outer.isTransitioning)
    }

    @Test("5.18 the callbacks of one level may request from another")
    func fromAnotherLevel() {
      let nest = Nest(depth: 3, keepsState: true)
      nest.trace.once("leaf.da") {
        nest.outer.setNeedsTransition(to: .empty, animated: false)
        nest.containers[2].setNeedsTransition(to: .empty, animated: false)
      }
      nest.outer.appear(animated: false)
      expectEqual(nest.containers.map(\.currentState), [.empty, .loading, .empty])
      expectEqual(nest.containers.map(\.appearance), [.visible, .gone, .gone])
      #expect(nest.containers.allSatisfy { !$0.isTransitioning })
      let marks = nest.trace.marks
      for level in 0..<3 {
        expectEqual(marks.count { $0.hasPrefix("W\(level)") }, marks.count { $0.hasPrefix("D\(level)") })
        expectEqual(marks.count { $0 == "cwa\(level)" }, marks.count { $0 == "cda\(level)" })
        expectEqual(marks.count { $0 == "cwd\(level)" }, marks.count { $0 == "cdd\(level)" })
      }
    }
  }
}
