// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct InterruptedAppearanceTests {
    // MARK: Disappearing in the middle

    @Test("5.12 disappearing during a transition ends it, and the request that waits is carried out unseen")
    func disappearingInTheMiddle() {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      _ = stage.go(.failed, animated: true)
      expectEqual(stage.willDisappear(), "list.da cda list list+! cwd list list.wd")
      #expect(stage.container.isTransitioning)
      expectEqual(
        stage.didDisappear(),
        """
        spin.dd cdd spin spin-! list.dd cdd list D(loading,t) W(failed,t) K list- note+ note+! list-! D(ready,t)
        """)
      #expect(!stage.container.isTransitioning)
      expectEqual(stage.surface, ["note"])
      expectEqual(stage.container.currentState, .failed)
    }

    @Test("5.12 the request that waits is carried out after didAppear if the container turns back")
    func requestWaitsThroughTurningBack() {
      let stage = Stage(animator: HeldAnimator())
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      _ = stage.go(.empty)
      _ = stage.willDisappear()
      expectEqual(stage.willAppear(), "spin.dd cdd spin spin-! D(loading,t) cwa list list.wa")
      expectEqual(
        stage.didAppear(), "list.da cda list W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)")
    }

    @Test("5.12 animation ends that come late do nothing", arguments: [true, false])
    func lateEnds(afterDid: Bool) {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      _ = stage.willDisappear()
      if afterDid { _ = stage.didDisappear() }
      for animation in animator.animations {
        animation.run()
        animation.finish()
      }
      expectEqual(stage.trace.takeTrace(), "")
      if !afterDid { #expect(stage.didDisappear().hasPrefix("spin.dd cdd spin spin-!")) }
    }

    @Test("5.12 a child that has ended already is called for nothing twice")
    func halfEnded() {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      animator.of("list").finish()
      _ = stage.trace.take()
      expectEqual(stage.willDisappear(), "cwd list list.wd")
      expectEqual(stage.didDisappear(), "spin.dd cdd spin spin-! list.dd cdd list D(loading,t)")
    }

    @Test("5.12 a child that takes part in its animation takes its last position and is called at its end")
    func cutShort() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      animator.of("List").run()
      _ = stage.trace.take()
      expectEqual(stage.willDisappear(), "List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
      expectEqual(stage.didDisappear(), "Spin.end(out) Spin.dd cdd Spin Spin-! List.dd cdd List D(loading,t)")
    }

    @Test("5.12 of several who go only those who have not ended yet end with the container")
    func oneHasGone() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["a", "b"], .ready: []], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      animator.of("a").finish()
      expectEqual(stage.trace.takeTrace(), "a.dd cdd a a-!")
      expectEqual(stage.willDisappear(), "")
      expectEqual(stage.didDisappear(), "b.dd cdd b b-! D(loading,t)")
    }

    @Test("5.12 a child that has not started to move takes its last position first, and its late end does nothing")
    func cutShortBeforeItRuns() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      expectEqual(
        stage.willDisappear(), "List.move(in) List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
      for animation in animator.animations {
        animation.run()
        animation.finish()
      }
      expectEqual(stage.trace.takeTrace(), "")
      expectEqual(stage.didDisappear(), "Spin.end(out) Spin.dd cdd Spin Spin-! List.dd cdd List D(loading,t)")
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

    @Test("5.12 all children that are being added appear before any child disappears")
    func arriveBeforeDisappearing() {
      let stage = Stage([.loading: ["a"], .ready: ["x", "a", "y"]], animator: HeldAnimator())
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      expectEqual(
        stage.willDisappear(),
        """
        x.da cda x x+! y.da cda y y+! cwd x x.wd cwd a a.wd cwd y y.wd
        """)
    }

    @Test("5.12, 5.13 additions end before the first cwd; what leaves is run then and ends at didDisappear")
    func additionsFirst() {
      let stage = Stage([.loading: ["Spin", "Note"], .ready: ["List", "Bar"]], animator: HeldAnimator())
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      stage.tracesSurface = true
      _ = stage.trace.take()
      expectEqual(
        stage.willDisappear(),
        """
        List.move(in) List.end(in) List.da cda List List+! Bar.move(in) Bar.end(in) Bar.da cda Bar Bar+! \
        Spin.move(out) Note.move(out) cwd List List.wd cwd Bar Bar.wd
        """)
      expectEqual(
        stage.didDisappear(),
        """
        Spin.end(out) A(List,Bar,Note) Spin.dd cdd Spin Spin-! Note.end(out) A(List,Bar) Note.dd cdd Note Note-! \
        List.dd cdd List Bar.dd cdd Bar D(loading,t)
        """)
    }

    // MARK: Turning back

    @Test("5.13 turning back from disappearing gives no didDisappear and is no reappearance", arguments: [true, false])
    func turningBackToShow(keepsState: Bool) {
      let stage = Stage(keepsState: keepsState)
      _ = stage.appear()
      expectEqual(stage.willDisappear(), "cwd spin spin.wd")
      stage.initial = .ready
      expectEqual(stage.willAppear(), "cwa spin spin.wa")
      expectEqual(stage.didAppear(), "spin.da cda spin")
      expectEqual(stage.container.currentState, .loading)
    }

    @Test("5.13 turning back twice during the first appearance ends its transition once, with its own flag")
    func turningBackTwice() {
      let stage = Stage()
      _ = stage.willAppear(animated: true)
      expectEqual(stage.willDisappear(), "spin.da cda spin spin+! cwd spin spin.wd")
      expectEqual(stage.willAppear(), "D(nil,t) cwa spin spin.wa")
      expectEqual(stage.willDisappear(), "spin.da cda spin cwd spin spin.wd")
      expectEqual(stage.didDisappear(), "spin.dd cdd spin")
    }

    @Test("5.13 turning back from appearing gives each will its did, and one did transition")
    func turningBackToHide() {
      let stage = Stage()
      expectEqual(stage.willAppear(), "I W(loading,f) K spin+ cwa spin spin.wa")
      expectEqual(stage.willDisappear(), "spin.da cda spin spin+! cwd spin spin.wd")
      expectEqual(stage.didDisappear(), "spin.dd cdd spin D(nil,f)")
    }

    @Test("5.13 turning back from a reappearance gives each will its did")
    func turningBackFromReappearance() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.disappear()
      _ = stage.willAppear()
      expectEqual(stage.willDisappear(), "spin.da cda spin cwd spin spin.wd")
      expectEqual(stage.didDisappear(), "spin.dd cdd spin")
    }

    @Test("5.13 turning back during a transition ends that one, with the flag of the call for the child that leaves")
    func turningBackDuringTransition() {
      let stage = Stage(animator: HeldAnimator())
      stage.tracesSurface = true
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      _ = stage.willDisappear()
      _ = stage.child("spin").takeFlags()
      expectEqual(stage.willAppear(), "A(list) spin.dd cdd spin spin-! D(loading,t) cwa list list.wa")
      expectEqual(stage.child("spin").takeFlags(), "f")
      expectEqual(stage.didAppear(), "list.da cda list")
    }

    @Test("5.13 an animation that turning back cuts short was run, and its end is called just before the child leaves")
    func turningBackCutsShort() {
      let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: HeldAnimator())
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      expectEqual(
        stage.willDisappear(), "List.move(in) List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
      expectEqual(stage.willAppear(), "Spin.end(out) Spin.dd cdd Spin Spin-! D(loading,t) cwa List List.wa")
    }
  }
}
