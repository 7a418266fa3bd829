// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct ContainerReleaseTests {
    @Test(
      "1.8, 5.4 an animation that is released unfinished, also elsewhere, ends later, on the actor that requested the transition",
      arguments: [false, true])
    @MainActor func animationOfAKnownActor(isElsewhere: Bool) async {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
      _ = stage.appear()
      stage.container.setNeedsTransition(to: .ready, animated: true)
      stage.trace.once("List.end(in)") { MainActor.assertIsolated() }
      stage.trace.once("Spin.end(out)") { MainActor.assertIsolated() }
      let handoffs = animator.animations.map(Dropped<AnyObject>.init)
      animator.animations = []
      _ = stage.trace.take()
      // The release elsewhere may return before this function has suspended, so wait for the callback itself.
      await stage.trace.reaches("D(loading,t)") {
        for handoff in handoffs { if isElsewhere { await handoff.releaseElsewhere() } else { handoff.release() } }
        if !isElsewhere { expectEqual(stage.trace.takeTrace(), "", "the release itself calls nothing") }
      }
      expectEqual(
        stage.trace.takeTrace(),
        """
        List.move(in) List.end(in) List.da cda List List+! Spin.move(out) Spin.end(out) Spin.dd cdd Spin Spin-! \
        D(loading,t)
        """)
    }

    @Test("1.8, 5.4 an animation without a container that is released unfinished elsewhere ends on its actor")
    @MainActor func animationOfNoContainer() async {
      let trace = Recorder()
      var animation: TransitionAnimation? = TransitionAnimation(
        child: AnimatedChild("a", trace), isAppearing: true, duration: .seconds(1), delay: .zero,
        onFinish: {
          MainActor.assertIsolated()
          trace.note("end")
        })
      let handoff = Dropped<AnyObject>(animation!)
      animation = nil
      await trace.reaches("end") { await handoff.releaseElsewhere() }
      expectEqual(trace.takeTrace(), "a.move(in) end")
    }

    @Test("1.8, 5.4 where the actor is not known it ends at the next call of the container, and not before")
    func animationOfNoActor() async {
      let animator = HeldAnimator()
      let stage = Stage([.loading: [], .ready: ["List"]], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      let handoff = Dropped<AnyObject>(animator.animations[0])
      animator.animations = []
      await handoff.releaseElsewhere()
      expectEqual(stage.trace.takeTrace(), "")
      expect(stage.container.isTransitioning)
      expectEqual(
        stage.go(.empty),
        """
        List.move(in) List.end(in) List.da cda List List+! D(loading,t) W(empty,f) K List- cwd List List.wd List.dd \
        cdd List List-! D(ready,f)
        """)
    }

    @Test("1.8 a container that only its running animation keeps is released with it, on any thread")
    func containerWithItsAnimation() async {
      let animator = HeldAnimator()
      var stage: Stage? = Stage([.loading: [], .ready: ["list"]], animator: animator)
      _ = stage?.appear()
      _ = stage?.go(.ready, animated: true)
      let released = Weak(stage?.container)
      stage = nil
      expect(released.object != nil)
      let handoff = Dropped<AnyObject>(animator.animations[0])
      animator.animations = []
      await handoff.releaseElsewhere()
      expectNil(released.object)
    }

    @Test("1.8 an animator that its actor has among its properties does not keep the actor")
    func actorOfAnAnimator() async {
      actor Screen {
        private var animator: ClockAnimator?
        private var container: StateContainer<Scene>?

        func begin(_ clock: ManualClock) {
          let animator = ClockAnimator(isolation: self, clock: clock)
          let container = StateContainer(initialState: Scene.loading, animator: animator) { _ in [] }
          container.appear(animated: false)
          container.setNeedsTransition(to: .ready, animated: true)
          self.animator = animator
          self.container = container
        }
      }
      var screen: Screen? = Screen()
      await screen?.begin(ManualClock())
      let released = Weak(screen)
      screen = nil
      expectNil(released.object)
    }

    @Test("5.16 a container whose last reference is released inside a callback ends its transition first")
    func releasedInsideACallback() {
      let trace = Recorder()
      let spin = TracedChild("spin", trace)
      let list = TracedChild("list", trace)
      var container: StateContainer? = StateContainer(initialState: Scene.loading) { $0 == .ready ? [list] : [spin] }
      container.map { trace.record($0, [.transitions, .children]) }
      container?.willAppear(animated: false)
      container?.didAppear(animated: false)
      _ = trace.take()
      let released = Weak(container)
      trace.once("W(ready,f)") { container = nil }
      container?.setNeedsTransition(to: .ready, animated: false)
      expectNil(released.object)
      expect(trace.take().hasSuffix("spin.dd cdd spin spin-! D(loading,f)"))
    }

    @Test("1.8, 5.12 the next call may as well be willDisappear", arguments: [true, false])
    func abandonedAndDisappearing(turnsBack: Bool) async {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin"], .ready: []], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      let handoff = Dropped<AnyObject>(animator.animations[0])
      animator.animations = []
      if turnsBack { _ = stage.willDisappear() }
      await handoff.releaseElsewhere()
      _ = turnsBack ? stage.willAppear() : stage.willDisappear()
      expectEqual(stage.container.isTransitioning, false)
      expectEqual(stage.surface, [])
    }
  }
}
