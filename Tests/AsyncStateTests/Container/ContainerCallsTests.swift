// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What is done to a container, and the calls that follow, in the notation of the contract: a law is a story of a few steps.
  struct ContainerCallsTests {
    @Test("5.10 the first appearance requests the children of the state, and ends with the container's own")
    func appearing() {
      expectCalls(
        "a request between the two calls waits until after did",
        [
          .willAppear: "I W(loading,f) K spin+ cwa spin spin.wa", .request(.empty): "",
          .didAppear: """
          spin.da cda spin spin+! D(nil,f) W(empty,f) K spin- cwd spin spin.wd spin.dd cdd spin spin-! D(loading,f)
          """,
        ])
      expectCalls(
        "it is the container's own animation: neither the animator nor the child is called", with: [.loading: ["Spin"]],
        animator: HeldAnimator(),
        [
          .appear(animated: true): "I W(loading,t) K Spin+ cwa Spin Spin.wa Spin.da cda Spin Spin+! D(nil,t)",
          .disappear(animated: true): "cwd Spin Spin.wd Spin.dd cdd Spin",
        ])
    }

    @Test(
      "5.1, 5.11 disappearing keeps the children; what appears again requests them again, or keeps its state, as its kind"
    )
    func reappearing() {
      expectCalls(
        "no child is added, so did follows at once", with: [.loading: ["a", "b"]], before: [.appear],
        [
          .willDisappear: "cwd a a.wd cwd b b.wd", .didDisappear: "a.dd cdd a b.dd cdd b",
          .willAppear: "I W(loading,f) K D(loading,f) cwa a a.wa cwa b b.wa", .request(.empty): "",
          .didAppear: """
          a.da cda a b.da cda b W(empty,f) K a- cwd a a.wd b- cwd b b.wd a.dd cdd a a-! b.dd cdd b b-! D(loading,f)
          """,
        ])
      expectCalls(
        "in another state a child that is not visible is only removed, and holds no did back",
        with: [.loading: ["bar", "spin"], .ready: ["bar", "list"], .failed: ["bar"]],
        before: [.appear, .disappear, .initial(.ready)],
        [
          .willAppear: "I W(ready,f) K spin- spin-! cwa bar bar.wa list+ cwa list list.wa",
          .didAppear: "bar.da cda bar list.da cda list list+! D(loading,f)",
          .disappear: "cwd bar bar.wd cwd list list.wd bar.dd cdd bar list.dd cdd list",
          .initial(.failed): "", .willAppear: "I W(failed,f) K list- list-! D(ready,f) cwa bar bar.wa",
        ])
      expectCalls(
        "each child that leaves is off the surface first; then the others are arranged",
        with: [.loading: ["a", "b", "c"], .ready: ["x", "c"], .empty: []], isSurfaceTraced: true,
        before: [.appear, .disappear, .initial(.ready)],
        [
          .willAppear: "I W(ready,f) K a- b- A(b,c) a-! A(c) b-! x+ cwa x x.wa cwa c c.wa A(x,c)",
          .didAppear: "x.da cda x x+! c.da cda c D(loading,f)",
          .disappear: "cwd x x.wd cwd c c.wd x.dd cdd x c.dd cdd c", .initial(.empty): "",
          .willAppear: "I W(empty,f) K x- c- A(c) x-! A() c-! D(ready,f)",
        ])
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
    }

    @Test(
      "5.12 disappearing during a transition ends it, additions first, and the request that waits is carried out after")
    func disappearingDuringATransition() {
      let swap = [Scene.loading: ["Spin", "Note"], .ready: ["List", "Bar"], .failed: ["x"]]
      let begun: [ContainerStep] = [.appear, .request(.ready, animated: true)]
      expectCalls(
        "additions end before the first cwd; what leaves is run then, and ends at didDisappear", with: swap,
        isSurfaceTraced: true, animator: HeldAnimator(), before: begun + [.request(.failed, animated: true)],
        [
          .willDisappear: """
          List.move(in) List.end(in) List.da cda List List+! Bar.move(in) Bar.end(in) Bar.da cda Bar Bar+! \
          Spin.move(out) Note.move(out) cwd List List.wd cwd Bar Bar.wd
          """,
          .didDisappear: """
          Spin.end(out) A(List,Bar,Note) Spin.dd cdd Spin Spin-! Note.end(out) A(List,Bar) Note.dd cdd Note Note-! \
          List.dd cdd List Bar.dd cdd Bar D(loading,t) W(failed,t) K List- Bar- x+ A(x,List,Bar) x+! \
          A(x,Bar) List-! A(x) Bar-! D(ready,t)
          """,
        ])
      expectCalls(
        "a child that has ended, or was run, is called for nothing twice, and ends that come late do nothing",
        with: [.loading: ["Spin", "a"], .ready: ["List"]], animator: HeldAnimator(),
        before: begun + [.end("a"), .run("List")],
        [
          .willDisappear: "List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd", .lateEnds: "",
          .didDisappear: "Spin.end(out) Spin.dd cdd Spin Spin-! List.dd cdd List D(loading,t)", .lateEnds: "",
        ])
      expectCalls(
        "an animation that ends when the container has begun to disappear is late: its child is seen until it has",
        animator: HeldAnimator(), before: begun, inside: ("list.da", [.end("spin")]),
        [
          .willDisappear: "list.da cda list list+! cwd list list.wd",
          .didDisappear: "spin.dd cdd spin spin-! list.dd cdd list D(loading,t)",
        ])
      expectCalls(
        "if the container turns back, the request waits for didAppear", animator: HeldAnimator(),
        before: begun + [.request(.empty), .willDisappear],
        [
          .willAppear: "spin.dd cdd spin spin-! D(loading,t) cwa list list.wa",
          .didAppear: "list.da cda list W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)",
        ])
    }

    @Test("5.12 an animation that was cut short ends nothing of the transition after it, and keeps no container")
    func cutShortIsOver() {
      let animator = HeldAnimator()
      var stage: Stage? = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
      _ = stage?.appear()
      _ = stage?.go(.ready, animated: true)
      let former = animator.animations
      animator.animations = []
      _ = stage?.disappear()
      _ = stage?.appear()
      _ = stage?.go(.ready, animated: true)
      for animation in former { animation.finish() }
      expectEqual(stage?.trace.takeTrace(), "")
      expectEqual(stage?.container.isTransitioning, true)
      _ = stage?.disappear()
      let released = Weak(stage?.container)
      withExtendedLifetime(former + animator.animations) { stage = nil }
      expectNil(released.object)
    }

    @Test("5.13 turning back gives each will its did, and is neither a reappearance nor another transition")
    func turningBack() {
      expectCalls(
        "from appearing, once and twice", before: [.willAppear],
        [
          .willDisappear: "spin.da cda spin spin+! cwd spin spin.wd", .willAppear: "D(nil,f) cwa spin spin.wa",
          .willDisappear: "spin.da cda spin cwd spin spin.wd", .didDisappear: "spin.dd cdd spin",
        ])
      expectCalls(
        "during a transition: what leaves has run, and its end is called just before it leaves",
        with: [.loading: ["Spin"], .ready: ["List"]], animator: HeldAnimator(),
        before: [.appear, .request(.ready, animated: true)],
        [
          .willDisappear: "List.move(in) List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd",
          .willAppear: "Spin.end(out) Spin.dd cdd Spin Spin-! D(loading,t) cwa List List.wa",
        ],
        // That of `willAppear`, not of the request.
        then: { expectEqual($0.child("Spin").takeFlags(), "fftf") })
    }

    @Test("5.14 a request while the container is not visible changes the children, and none appears")
    func requestWhileGone() {
      expectCalls(
        "the surface is arranged, and again for each child that is removed",
        with: [.loading: ["a", "b"], .ready: ["x"]],
        isSurfaceTraced: true, animator: HeldAnimator(), before: [.appear, .disappear],
        [
          .request(.ready, animated: true): "W(ready,t) K a- b- x+ A(x,a,b) x+! A(x,b) a-! A(x) b-! D(loading,t)",
          .willAppear: "I W(loading,f) K x- A() x-! a+ cwa a a.wa b+ cwa b b.wa A(a,b)",
        ])
      expectCalls(
        "before the first appearance no state was left; that is a reappearance then",
        [
          .request(.ready): "W(ready,f) K list+ list+! D(nil,f)",
          .willAppear: "I W(loading,f) K list- list-! spin+ cwa spin spin.wa",
          .didAppear: "spin.da cda spin spin+! D(ready,f)",
        ])
    }

    @Test(
      "5.17 a life-cycle call that repeats or skips is ignored; appear and disappear make both, also from a callback")
    func misuse() {
      expectCalls(
        "it changes nothing for the request that waits",
        before: [.appear, .willDisappear, .request(.ready), .willDisappear],
        [.didDisappear: "spin.dd cdd spin W(ready,f) K spin- list+ list+! spin-! D(loading,f)"])
      let appearing = "cwa spin spin.wa spin.da cda spin"
      expectCalls(
        "in the last callback of a transition", before: [], inside: ("spin+!", [.disappear(animated: true)]),
        [
          .appear(animated: true):
            "I W(loading,t) K spin+ \(appearing) spin+! D(nil,t) cwd spin spin.wd spin.dd cdd spin"
        ])
    }

    // MARK: The order of a transition

    @Test(
      "5.1, 5.2, 5.3 removals begin in the order of the children, additions in that of the next; additions end first")
    func order() {
      expectCalls(
        "the container's will is called before the child's, its did after it",
        with: [.loading: ["A", "b", "c"], .ready: ["x", "b", "y"]], isSurfaceTraced: true, before: [.appear],
        [
          .request(.ready): """
          W(ready,f) K A- cwd A A.wd c- cwd c c.wd x+ cwa x x.wa y+ cwa y y.wa A(x,b,y,A,c) \
          x.da cda x x+! y.da cda y y+! A(x,b,y,c) A.dd cdd A A-! A(x,b,y) c.dd cdd c c-! D(loading,f)
          """
        ],
        then: { expectEqual($0.child("y").takeFlags(), "ff") })
    }

    @Test("5.5, 5.6 children that stay are not called, and the surface is arranged where it changes")
    func surface() {
      expectCalls(
        "once for each change", with: [.loading: ["a"], .ready: ["a", "b"], .failed: ["b", "a"], .empty: []],
        isSurfaceTraced: true, before: [.appear],
        [
          .request(.ready): "W(ready,f) K b+ cwa b b.wa A(a,b) b.da cda b b+! D(loading,f)",
          .request(.ready, animated: true): "W(ready,t) K D(ready,t)",
          .request(.failed): "W(failed,f) K A(b,a) D(ready,f)",
          .request(.loading): "W(loading,f) K b- cwd b b.wd A(a,b) A(a) b.dd cdd b b-! D(failed,f)",
          .request(.empty): "W(empty,f) K a- cwd a a.wd A() a.dd cdd a a-! D(loading,f)",
        ])
      expectCalls(
        "the same state with fresh children is a full exchange", before: [.appear, .recast],
        [
          .request(.loading): """
          W(loading,f) K spin- cwd spin spin.wd spin+ cwa spin spin.wa spin.da cda spin spin+! spin.dd cdd spin \
          spin-! D(loading,f)
          """
        ])
      expectCalls(
        "what leaves is above what is new, and each leaves when it ends",
        with: [.loading: ["a", "b", "c", "d"], .ready: ["x", "d", "b"]], isSurfaceTraced: true,
        animator: HeldAnimator(),
        before: [.appear],
        [
          .request(.ready, animated: true): "W(ready,t) K a- cwd a a.wd c- cwd c c.wd x+ cwa x x.wa A(x,d,b,a,c)",
          .end("a"): "A(x,d,b,c) a.dd cdd a a-!", .end("x"): "x.da cda x x+!",
          .end("c"): "A(x,d,b) c.dd cdd c c-! D(loading,t)",
        ], then: { expectEqual($0.surface, ["x", "d", "b"]) })
    }
  }
}
