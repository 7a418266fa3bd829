// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct TransitionTests {
    @Test("5.1 the container's will is called before the child's own, its did after it")
    func orderAroundTheChild() {
      let stage = Stage()
      _ = stage.appear()
      let received = stage.go(.ready)
      #expect(received.contains("spin- cwd spin spin.wd"))
      #expect(received.contains("list+ cwa list list.wa"))
      #expect(received.contains("list.da cda list list+!"))
      #expect(received.contains("spin.dd cdd spin spin-!"))
    }

    @Test("5.2 a transition calls will, changes the state, requests the children once and calls did once")
    func oneTransition() {
      let stage = Stage()
      _ = stage.appear()
      var seen: [String] = []
      stage.trace.once("W(ready,f)") {
        seen.append("W: \(stage.container.currentState) \(stage.surface) \(stage.container.isTransitioning)")
      }
      stage.trace.once("K") {
        seen.append("K: \(stage.container.currentState) \(stage.surface) \(stage.container.isTransitioning)")
      }
      stage.trace.once("cwa list") { seen.append("cwa: \(stage.surface)") }
      stage.trace.once("list.da") { seen.append("da: \(stage.surface)") }
      stage.trace.once("D(loading,f)") {
        seen.append("D: \(stage.container.currentState) \(stage.surface) \(stage.container.isTransitioning)")
      }
      let received = stage.go(.ready)
      #expect(
        seen == [
          #"W: loading ["spin"] true"#,
          #"K: ready ["spin"] true"#,
          #"cwa: ["spin"]"#,
          #"da: ["list", "spin"]"#,
          #"D: ready ["list"] false"#,
        ])
      for once in ["W(", "K", "D("] { #expect(received.occurrences(of: once) == 1) }
    }

    @Test(
      "5.2 removals begin in the order of the children, additions in the order of the next, and the surface follows")
    func orderOfSeveral() {
      let stage = Stage([.loading: ["a", "b", "c"], .ready: ["x", "b", "y"]])
      stage.tracesSurface = true
      _ = stage.appear()
      #expect(
        stage.go(.ready) == """
          W(ready,f) K a- cwd a a.wd c- cwd c c.wd x+ cwa x x.wa y+ cwa y y.wa A(x,b,y,a,c) \
          x.da cda x x+! y.da cda y y+! A(x,b,y,c) a.dd cdd a a-! A(x,b,y) c.dd cdd c c-! D(loading,f)
          """)
    }

    @Test("5.3 without animation all additions end, then all removals, then did, inside the call")
    func notAnimated() {
      let stage = Stage()
      _ = stage.appear()
      #expect(
        stage.go(.ready) == """
          W(ready,f) K spin- cwd spin spin.wd list+ cwa list list.wa list.da cda list list+! spin.dd cdd spin spin-! \
          D(loading,f)
          """)
      #expect(stage.child("list").takeFlags() == "ff")
    }

    @Test("5.3 without animation a child that takes part in animations is not called for one")
    func notAnimatedAsksNobody() {
      let stage = Stage([.loading: ["Spin"], .ready: ["List"]])
      _ = stage.appear()
      #expect(
        stage.go(.ready) == """
          W(ready,f) K Spin- cwd Spin Spin.wd List+ cwa List List.wa List.da cda List List+! Spin.dd cdd Spin Spin-! \
          D(loading,f)
          """)
    }

    @Test("5.2 did names the state that was left, nil the first time, and carries its own transition's flag")
    func previousState() {
      let stage = Stage()
      #expect(stage.appear(animated: true).hasSuffix("D(nil,t)"))
      #expect(stage.go(.ready).hasSuffix("D(loading,f)"))
      #expect(stage.go(.failed, animated: true).hasSuffix("D(ready,t)"))
      #expect(stage.go(.failed).hasSuffix("D(failed,f)"))
    }

    @Test("5.9 a caller that waits for a transition continues when it has finished, after did")
    @MainActor func finished() async {
      let stage = Stage()
      _ = stage.appear()
      let outcome = await stage.container.transition(to: .ready, animated: false)
      #expect(outcome == .finished)
      #expect(stage.trace.take().hasSuffix("D(loading,f)"))
    }

    @Test("5.9 a request that another replaces has been superseded; one that outlasts a disappearance is finished")
    @MainActor func superseded() async {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      let first = Waiting { await stage.container.transition(to: .ready, animated: true) }
      await first.begun()
      let second = Waiting { await stage.container.transition(to: .failed, animated: false) }
      await second.begun()
      let third = Waiting { await stage.container.transition(to: .empty, animated: false) }
      await third.begun()
      #expect(await second.end() == .superseded)
      _ = stage.disappear()
      #expect(await third.end() == .finished)
      #expect(await first.end() == .finished)
      #expect(stage.container.currentState == .empty)
    }

    @Test("5.9 when the awaiting task is cancelled a request that has not begun is withdrawn")
    @MainActor func cancelledBeforeItBegins() async {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      let pending = Waiting { await stage.container.transition(to: .empty, animated: false) }
      await pending.begun()
      pending.cancel()
      animator.finishAll()
      #expect(await pending.end() == .dropped)
      #expect(stage.trace.take().hasSuffix("D(loading,t)"))
      #expect(stage.container.currentState == .ready)
    }

    @Test("5.9 when the awaiting task is cancelled it returns at once, and a transition that has begun continues")
    @MainActor func cancelledAfterItBegan() async {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      let running = Waiting { await stage.container.transition(to: .ready, animated: true) }
      await running.begun()
      running.cancel()
      #expect(await running.end() == .dropped)
      #expect(stage.container.isTransitioning)
      animator.finishAll()
      #expect(stage.trace.take().hasSuffix("D(loading,t)"))
    }

    @Test("5.9 a task that is cancelled already requests nothing")
    @MainActor func cancelledBefore() async {
      let stage = Stage()
      _ = stage.appear()
      let outcome = Waiting {
        withUnsafeCurrentTask { $0?.cancel() }
        return await stage.container.transition(to: .ready, animated: false)
      }
      #expect(await outcome.end() == .dropped)
      #expect(stage.trace.takeTrace() == "")
    }

    @Test("5.9 cancelling from a callback of the container withdraws the request")
    @MainActor func cancelledInACallback() async {
      let stage = Stage()
      _ = stage.appear()
      var pending: Waiting<TransitionOutcome>?
      _ = stage.willDisappear()
      pending = Waiting { await stage.container.transition(to: .empty, animated: false) }
      await pending?.begun()
      stage.trace.once("spin.dd") { pending?.cancel() }
      #expect(stage.didDisappear() == "spin.dd cdd spin")
      #expect(await pending?.end() == .dropped)
    }

    @Test("5.15 before anything the current state is the initial one, computed and not kept")
    func beforeAnything() {
      let stage = Stage()
      stage.initial = .failed
      #expect(stage.container.currentState == .failed)
      stage.initial = .ready
      #expect(stage.container.currentState == .ready)
      #expect(stage.trace.takeTrace() == "I I")
      #expect(!stage.container.hasDeterminedState)
      #expect(!stage.container.isTransitioning)
      #expect(stage.container.appearance == .gone)
      #expect(stage.surface == [])
      _ = stage.willAppear()
      #expect(stage.container.hasDeterminedState)
    }
  }
}
