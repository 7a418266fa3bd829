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
      let containers: [StateContainer<Scene>]

      init(depth: Int, keepsState: Bool) {
        var child = trace.child("leaf")
        var containers: [StateContainer<Scene>] = []
        for level in (0..<depth).reversed() {
          let children: (Scene) -> [any ChildController] = { [child] in $0 == .loading ? [child] : [] }
          let container =
            keepsState
            ? StateContainer(initialState: .loading, children: children)
            : StateContainer(appearanceState: { .loading }, children: children)
          trace.record(container, [.transitions, .children]) { "\($0)\(level)" }
          containers.insert(container, at: 0)
          child = trace.child("c\(level)", wrapping: container)
        }
        self.containers = containers
      }

      var outer: StateContainer<Scene> { containers[0] }
      var inner: StateContainer<Scene> { containers[1] }
    }

    @Test("5.18 three deep, each level in turn")
    func threeDeep() {
      let nest = Nest(depth: 3, keepsState: true)
      nest.outer.appear(animated: false)
      expectEqual(
        nest.trace.takeTrace(),
        """
        W(loading0,f) c1+ cwa c1 c1.wa W(loading1,f) c2+ cwa c2 c2.wa W(loading2,f) leaf+ cwa leaf leaf.wa \
        c1.da c2.da leaf.da cda leaf leaf+! D(nil,f) cda c2 c2+! D(nil,f) cda c1 c1+! D(nil,f)
        """)
      nest.outer.setNeedsTransition(to: .empty, animated: false)
      expectEqual(
        nest.trace.takeTrace(),
        """
        W(empty0,f) c1- cwd c1 c1.wd cwd c2 c2.wd cwd leaf leaf.wd c1.dd c2.dd leaf.dd cdd leaf cdd c2 cdd c1 c1-! \
        D(loading0,f)
        """)
      expectEqual(nest.containers.map(\.appearance), [.visible, .gone, .gone])
      nest.outer.setNeedsTransition(to: .loading, animated: false)
      expectEqual(
        nest.trace.takeTrace(),
        """
        W(loading0,f) c1+ cwa c1 c1.wa cwa c2 c2.wa cwa leaf leaf.wa c1.da c2.da leaf.da cda leaf cda c2 cda c1 c1+! \
        D(empty0,f)
        """)
      nest.outer.disappear(animated: false)
      expectEqual(
        nest.trace.takeTrace(),
        "cwd c1 c1.wd cwd c2 c2.wd cwd leaf leaf.wd c1.dd c2.dd leaf.dd cdd leaf cdd c2 cdd c1")
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
        expectEqual(nest.trace.take().contains("W(loading1"), !keepsState)
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
      expect(!outer.isTransitioning)
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
      expect(nest.containers.allSatisfy { !$0.isTransitioning })
      let trace = nest.trace.take()
      for (will, did) in [("W(", "D("), ("cwa ", "cda "), ("cwd ", "cdd ")] {
        expectEqual(trace.occurrences(of: will), trace.occurrences(of: did))
      }
    }
  }
}
