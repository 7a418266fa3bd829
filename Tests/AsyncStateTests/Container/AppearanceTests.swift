// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct AppearanceTests {
    // MARK: First appearance

    @Test("5.10 the first appearance requests the children of the state and ends with the container's own")
    func first() {
      let stage = Stage()
      expectEqual(stage.willAppear(animated: true), "I W(loading,t) K spin+ cwa spin spin.wa")
      expectEqual(stage.container.appearance, .appearing)
      #expect(stage.container.isTransitioning)
      expectEqual(stage.didAppear(animated: true), "spin.da cda spin spin+! D(nil,t)")
      expectEqual(stage.container.appearance, .visible)
      #expect(!stage.container.isTransitioning)
    }

    @Test("5.10 a request between the two calls waits until after did")
    func requestWhileAppearing() {
      let stage = Stage()
      _ = stage.willAppear()
      expectEqual(stage.go(.empty), "")
      expectEqual(
        stage.didAppear(),
        """
        spin.da cda spin spin+! D(nil,f) W(empty,f) K spin- cwd spin spin.wd spin.dd cdd spin spin-! D(loading,f)
        """)
    }

    @Test("5.10 appearing is the container's own animation: neither the animator nor the child is called")
    func ownAnimation() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin"]], animator: animator)
      expectEqual(
        stage.appear(animated: true), "I W(loading,t) K Spin+ cwa Spin Spin.wa Spin.da cda Spin Spin+! D(nil,t)")
      expectEqual(stage.disappear(animated: true), "cwd Spin Spin.wd Spin.dd cdd Spin")
      #expect(animator.animations.isEmpty)
    }

    @Test("5.10 the first appearance without children ends with the container's own, too")
    func firstWithoutChildren() {
      let stage = Stage()
      stage.initial = .empty
      expectEqual(stage.willAppear(), "I W(empty,f) K")
      expectEqual(stage.didAppear(), "D(nil,f)")
    }

    // MARK: Disappearing and coming back

    @Test("5.11 disappearing calls the children and keeps them, and makes no state callback")
    func disappearing() {
      let stage = Stage([.loading: ["a", "b"]])
      _ = stage.appear()
      expectEqual(stage.willDisappear(), "cwd a a.wd cwd b b.wd")
      expectEqual(stage.container.appearance, .disappearing)
      expectEqual(stage.didDisappear(), "a.dd cdd a b.dd cdd b")
      expectEqual(stage.container.appearance, .gone)
      expectEqual(stage.surface, ["a", "b"])
      expectEqual(stage.container.currentState, .loading)
    }

    @Test("5.11 reappearing requests the children again, and did follows at once when no child is added")
    func reappearing() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.disappear()
      expectEqual(stage.willAppear(), "I W(loading,f) K D(loading,f) cwa spin spin.wa")
      #expect(!stage.container.isTransitioning)
      expectEqual(stage.didAppear(), "spin.da cda spin")
    }

    @Test("5.11 another order is not another child")
    func reappearingInOtherOrder() {
      let stage = Stage([.loading: ["a", "b"]])
      stage.tracesSurface = true
      _ = stage.appear()
      _ = stage.disappear()
      stage.cast[.loading] = ["b", "a"]
      expectEqual(stage.willAppear(), "I W(loading,f) K A(b,a) D(loading,f) cwa b b.wa cwa a a.wa")
      expectEqual(stage.didAppear(), "b.da cda b a.da cda a")
    }

    @Test("5.11 in another state a disappeared child is only removed, and did follows the new one's appearance")
    func reappearingInOtherState() {
      let stage = Stage([.loading: ["bar", "spin"], .ready: ["bar", "list"]])
      _ = stage.appear()
      _ = stage.disappear()
      stage.initial = .ready
      expectEqual(stage.willAppear(), "I W(ready,f) K spin- spin-! cwa bar bar.wa list+ cwa list list.wa")
      expectEqual(stage.surface, ["bar", "list"])
      expectEqual(stage.didAppear(), "bar.da cda bar list.da cda list list+! D(loading,f)")
    }

    @Test("5.11 a child that is only removed does not hold did back")
    func reappearingWithFewer() {
      let stage = Stage([.loading: ["bar", "spin"], .ready: ["bar"]])
      _ = stage.appear()
      _ = stage.disappear()
      stage.initial = .ready
      expectEqual(stage.willAppear(), "I W(ready,f) K spin- spin-! D(loading,f) cwa bar bar.wa")
    }

    @Test("5.11 every call carries the flag of the life-cycle call that caused it")
    func flags() {
      let stage = Stage()
      let delegate = FlagDelegate()
      stage.container.delegate = delegate
      _ = stage.willAppear(animated: true)
      _ = stage.didAppear(animated: false)
      _ = stage.willDisappear(animated: false)
      _ = stage.didDisappear(animated: true)
      expectEqual(stage.child("spin").takeFlags(), "tfft")
      expectEqual(delegate.takeFlags(), "tfft")
      _ = stage.willAppear(animated: false)
      _ = stage.didAppear(animated: true)
      expectEqual(stage.child("spin").takeFlags(), "ft")
      expectEqual(delegate.takeFlags(), "ft")
    }

    @Test("5.11 a request between the two calls of a reappearance waits for its end")
    func requestWhileReappearing() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.disappear()
      _ = stage.willAppear()
      expectEqual(stage.go(.empty), "")
      expectEqual(
        stage.didAppear(),
        """
        spin.da cda spin W(empty,f) K spin- cwd spin spin.wd spin.dd cdd spin spin-! D(loading,f)
        """)
    }

    @Test("5.11 a container that keeps its state appears again without a transition")
    func keepsState() {
      let stage = Stage(keepsState: true)
      expectEqual(stage.appear(), "W(loading,f) K spin+ cwa spin spin.wa spin.da cda spin spin+! D(nil,f)")
      _ = stage.go(.ready)
      _ = stage.disappear()
      expectEqual(stage.willAppear(animated: true), "cwa list list.wa")
      expectEqual(stage.container.currentState, .ready)
      #expect(!stage.container.isTransitioning)
      expectEqual(stage.didAppear(), "list.da cda list")
      #expect(stage.child("list").takeFlags().hasSuffix("tf"))
    }

    @Test("5.10, 5.11 after a request that came before the first appearance it is a reappearance of its kind")
    func requestBeforeFirstAppearance() {
      let keeping = Stage(keepsState: true)
      _ = keeping.go(.ready)
      expectEqual(keeping.willAppear(), "cwa list list.wa")
      expectEqual(keeping.container.currentState, .ready)
      let asking = Stage()
      _ = asking.go(.ready)
      expectEqual(asking.willAppear(), "I W(loading,f) K list- list-! spin+ cwa spin spin.wa")
      expectEqual(asking.didAppear(), "spin.da cda spin spin+! D(ready,f)")
    }

    @Test("5.11, 5.1 at a reappearance each child that leaves is off the surface first; then the others are arranged")
    func surfaceAtReappearance() {
      let stage = Stage([.loading: ["a", "b", "c"], .ready: ["x", "c"], .failed: ["c"], .empty: []])
      stage.tracesSurface = true
      _ = stage.appear()
      _ = stage.disappear()
      stage.initial = .ready
      expectEqual(
        stage.willAppear(),
        """
        I W(ready,f) K a- b- A(b,c) a-! A(c) b-! x+ cwa x x.wa cwa c c.wa A(x,c)
        """)
      expectEqual(stage.didAppear(), "x.da cda x x+! c.da cda c D(loading,f)")
      _ = stage.disappear()
      stage.initial = .failed
      expectEqual(stage.willAppear(), "I W(failed,f) K x- A(c) x-! D(ready,f) cwa c c.wa")
      _ = stage.didAppear()
      _ = stage.disappear()
      stage.initial = .empty
      expectEqual(stage.willAppear(), "I W(empty,f) K c- A() c-! D(failed,f)")
    }

    @Test("5.11 while several leave at a reappearance the others keep their order; the last arrangement has that of K")
    func orderAtReappearance() {
      let stage = Stage([.loading: ["a", "b", "c", "d"], .ready: ["d", "c"]])
      stage.tracesSurface = true
      _ = stage.appear()
      _ = stage.disappear()
      stage.initial = .ready
      expectEqual(
        stage.willAppear(),
        """
        I W(ready,f) K a- b- A(b,c,d) a-! A(c,d) b-! A(d,c) D(loading,f) cwa d d.wa cwa c c.wa
        """)
    }

    @Test("5.17 appear and disappear make both calls, also from a callback")
    func bothCalls() {
      let stage = Stage()
      stage.container.appear(animated: true)
      expectEqual(stage.trace.takeTrace(), "I W(loading,t) K spin+ cwa spin spin.wa spin.da cda spin spin+! D(nil,t)")
      stage.trace.once("list.wa") {
        stage.container.disappear(animated: true)
        stage.container.appear(animated: false)
      }
      #expect(
        stage.go(.ready).hasSuffix(
          """
          D(loading,f) cwd list list.wd list.dd cdd list I W(loading,f) K list- list-! spin+ cwa spin spin.wa \
          spin.da cda spin spin+! D(ready,f)
          """))
    }

    // MARK: Misuse

    @Test(
      "5.17 a life-cycle call that repeats or skips is ignored",
      arguments: [
        ("", "d"), ("", "x"), ("", "o"), ("a", "a"), ("a", "o"), ("ad", "a"), ("ad", "d"), ("ad", "o"), ("adx", "x"),
        ("adx", "d"), ("adxo", "x"), ("adxo", "d"), ("adxo", "o"),
      ])
    func misuse(before: String, call: Character) {
      let stage = Stage()
      for step in before { stage.perform(step) }
      let appearance = stage.container.appearance
      _ = stage.trace.take()
      stage.perform(call)
      expectEqual(stage.trace.takeTrace(), "")
      expectEqual(stage.container.appearance, appearance)
    }

    @Test("5.17 a willDisappear that is ignored changes nothing for the pending request")
    func ignoredDropsNothing() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.willDisappear()
      _ = stage.go(.ready)
      _ = stage.willDisappear()
      #expect(stage.didDisappear().contains("W(ready,f)"))
    }
  }
}

extension Stage {
  /// A life-cycle call by a letter: a and d for appearing, x and o for disappearing.
  func perform(_ step: Character) {
    switch step {
    case "a": container.willAppear(animated: false)
    case "d": container.didAppear(animated: false)
    case "x": container.willDisappear(animated: false)
    case "o": container.didDisappear(animated: false)
    default: fatalError("no such step: \(step)")
    }
  }
}
