// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct AnimationTests {
    static let swap: [Scene: [String]] = [.loading: ["Spin"], .ready: ["List"]]

    @Test(
      "5.4 with the immediate animator each child begins, is called, moves and ends inside the call, also without a delegate"
    )
    func immediate() {
      for hasDelegate in [true, false] {
        let stage = Stage(Self.swap)
        if !hasDelegate { stage.container.delegate = nil }
        _ = stage.appear()
        let marks = """
          W(ready,t) K Spin- cwd Spin Spin.wd List+ cwa List List.wa \
          List.begin(in) List.time(in) List.wait(in) List.move(in) List.end(in) List.da cda List List+! \
          Spin.begin(out) Spin.time(out) Spin.wait(out) Spin.move(out) Spin.end(out) Spin.dd cdd Spin Spin-! \
          D(loading,t)
          """.marks
        let expected = hasDelegate ? marks : marks.filter { !["c", "W", "D"].contains($0.prefix(1)) }
        expectEqual(stage.go(.ready, animated: true), expected.joined(separator: " "))
        expect(!stage.container.isTransitioning)
        expectEqual(stage.child("List").takeFlags(), "tt")
      }
    }

    @Test("5.4 did follows when the last child has ended, whichever that is; each runs and ends once")
    func eachAtItsOwnTime() {
      expectCalls(
        "the outgoing child is first", with: Self.swap, isSurfaceTraced: true, animator: HeldAnimator(),
        before: [.appear],
        [
          .request(.ready, animated: true): """
          W(ready,t) K Spin- cwd Spin Spin.wd List+ cwa List List.wa A(List,Spin) \
          List.begin(in) List.time(in) List.wait(in) Spin.begin(out) Spin.time(out) Spin.wait(out)
          """,
          .run("Spin"): "Spin.move(out)", .run("Spin"): "",
          .end("Spin"): "Spin.end(out) A(List) Spin.dd cdd Spin Spin-!", .end("Spin"): "", .run("Spin"): "",
          .end("List"): "List.move(in) List.end(in) List.da cda List List+! D(loading,t)", .lateEnds: "",
        ], then: { expectEqual($0.container.isTransitioning, false) })
    }

    @Test("5.4 an animation takes the times that its child gives, none less than zero; else 0.35 s and no delay")
    func times() {
      final class Plain: TransitioningController {}
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["Spin", "spin"], .ready: ["List"]], animator: animator)
      stage.animatedChild("List").duration = .seconds(2)
      stage.animatedChild("List").delay = .seconds(1)
      stage.animatedChild("Spin").duration = .seconds(-2)
      stage.animatedChild("Spin").delay = .seconds(-1)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      let plain = Plain()
      let container = StateContainer(initialState: 0, animator: animator) { $0 == 1 ? [plain] : [] }
      container.appear(animated: false)
      container.setNeedsTransition(to: 1, animated: true)
      expectEqual(
        animator.animations.map { "\($0.isAppearing ? "in" : "out") \($0.duration) \($0.delay)" },
        [
          "in 2.0 seconds 1.0 seconds", "out 0.0 seconds 0.0 seconds", "out 0.35 seconds 0.0 seconds",
          "in 0.35 seconds 0.0 seconds",
        ])
      animator.finishAll()
    }

    @Test("5.4 an animation that its animator does not keep is over when it was handed over", arguments: [true, false])
    func notKept(replacesFormer: Bool) {
      final class Forgetful: TransitionAnimator {
        let replacesFormer: Bool
        var last: TransitionAnimation?
        init(replacesFormer: Bool) { self.replacesFormer = replacesFormer }
        func animate(_ animation: TransitionAnimation) { if replacesFormer { last = animation } }
      }
      let animator = Forgetful(replacesFormer: replacesFormer)
      let stage = Stage([.loading: [], .ready: ["List", "Bar"]], animator: animator)
      _ = stage.appear()
      let trace = stage.go(.ready, animated: true)
      expect(trace.contains("List.move(in) List.end(in) List.da cda List List+!"))
      expectEqual(stage.container.isTransitioning, replacesFormer)
      animator.last?.finish()
      expect(!stage.container.isTransitioning)
    }

    // MARK: Time

    /// An animation of a second that notes its end.
    @MainActor private func animation(of child: TracedChild, delay: Duration) -> TransitionAnimation {
      TransitionAnimation(
        child: child, isAppearing: true, duration: .seconds(1), delay: delay,
        onFinish: { [trace = child.trace] in trace.note("end") })
    }

    @Test("5.4 with the clock animator each child starts after its delay and ends after its duration")
    @MainActor func clock() async {
      let clock = ManualClock()
      let stage = Stage(Self.swap, animator: ClockAnimator(clock: clock))
      stage.animatedChild("List").delay = .seconds(2)
      stage.animatedChild("List").duration = .seconds(3)
      stage.animatedChild("Spin").duration = .seconds(1)
      _ = stage.appear()
      let end = Waiting { await stage.container.transition(to: .ready, animated: true) }
      await end.begun()
      expect(stage.trace.take().hasSuffix("Spin.begin(out) Spin.time(out) Spin.wait(out) Spin.move(out)"))

      await clock.sleepers(atLeast: 1)
      await stage.trace.reaches("Spin-!") { await clock.advance(by: .seconds(1)) }
      expectEqual(stage.trace.takeTrace(), "Spin.end(out) Spin.dd cdd Spin Spin-!")
      await stage.trace.reaches("List.move(in)") { await clock.advance(by: .seconds(1)) }
      expectEqual(stage.trace.takeTrace(), "List.move(in)")
      await clock.advance(by: .seconds(3))
      await expectEqual(end.end(), .finished)
      expectEqual(stage.trace.takeTrace(), "List.end(in) List.da cda List List+! D(loading,t)")
      expectEqual(clock.sleeperCount, 0)
    }

    @Test("5.4 an animation that is over early, or as it starts, leaves nothing in the clock; others end in time")
    @MainActor func overEarly() async {
      let clock = ManualClock()
      let trace = Recorder()
      let animator = ClockAnimator(clock: clock)
      var early: TransitionAnimation? = animation(of: TracedChild("a", trace), delay: .seconds(1))
      animator.animate(early!)
      await clock.sleepers(atLeast: 2)
      early?.finish()
      expectEqual(trace.takeTrace(), "end")
      expectEqual(clock.sleeperCount, 0)
      var short: TransitionAnimation? = animation(of: AnimatedChild("a", trace), delay: .zero)
      trace.once("a.move(in)") { short?.finish() }
      animator.animate(short!)
      expectEqual(trace.takeTrace(), "a.move(in) end")
      let released = (Weak(early), Weak(short))
      (early, short) = (nil, nil)
      expectNil(released.0.object)
      expectNil(released.1.object)
      // Whatever else keeps it, an animator finishes an animation in its time.
      let kept = (1...2).map { _ in animation(of: TracedChild("a", trace), delay: .seconds(1)) }
      ImmediateAnimator().animate(kept[0])
      expectEqual(trace.takeTrace(), "end")
      animator.animate(kept[1])
      await clock.advance(by: .seconds(1), sleepersAtLeast: 2)
      expectEqual(trace.takeTrace(), "")
      await clock.advance(by: .seconds(1))
      expectEqual(trace.takeTrace(), "end")
      withExtendedLifetime(kept) {}
    }

    @Test("5.2 children that end at the same time end additions first, whichever sleep wakes first")
    @MainActor func sameTime() async {
      let clock = ManualClock()
      let stage = Stage([.loading: ["a", "b"], .ready: ["x", "y"]], animator: ClockAnimator(clock: clock))
      _ = stage.appear()
      let end = Waiting { await stage.container.transition(to: .ready, animated: true) }
      await end.begun()
      _ = stage.trace.take()
      await clock.advance(by: .milliseconds(350), sleepersAtLeast: 4)
      await expectEqual(end.end(), .finished)
      expectEqual(
        stage.trace.takeTrace(),
        """
        x.da cda x x+! y.da cda y y+! a.dd cdd a a-! b.dd cdd b b-! D(loading,t)
        """)
    }

    @Test("1.6 a running animation keeps its container until it ends, and no longer")
    @MainActor func animationKeepsContainer() async {
      let clock = ManualClock()
      let trace = Recorder()
      let list = TracedChild("list", trace)
      var container: StateContainer? = StateContainer(
        initialState: Scene.loading, animator: ClockAnimator(clock: clock), children: { $0 == .ready ? [list] : [] })
      container.map { trace.record($0, [.transitions, .children]) }
      container?.willAppear(animated: false)
      container?.didAppear(animated: false)
      container?.setNeedsTransition(to: .ready, animated: true)
      let released = Weak(container)
      container = nil
      expect(released.object != nil)
      await clock.sleepers(atLeast: 1)
      await trace.reaches("D(loading,t)") { await clock.advance(by: .milliseconds(350)) }
      expect(trace.take().hasSuffix("list.da cda list list+! D(loading,t)"))
      // The step that called this ends with the task that the animator slept in.
      await Task { @MainActor in }.value
      expectNil(released.object)
    }
  }
}
