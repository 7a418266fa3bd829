// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct TransitionTests {
    @Test("5.2, 5.6 a transition calls will, changes the state, requests the children and calls did, each once")
    func oneTransition() {
      let stage = Stage()
      stage.tracesSurface = true
      _ = stage.appear()
      var seen: [String] = []
      for mark in ["W(ready,f)", "K", "cwa list", "A(list,spin)", "list.da", "A(list)", "D(loading,f)"] {
        stage.trace.once(mark) {
          seen.append("\(mark): \(stage.container.currentState) \(stage.surface) \(stage.container.isTransitioning)")
        }
      }
      _ = stage.go(.ready)
      expectEqual(
        seen,
        [
          #"W(ready,f): loading ["spin"] true"#, #"K: ready ["spin"] true"#, #"cwa list: ready ["spin"] true"#,
          #"A(list,spin): ready ["list", "spin"] true"#, #"list.da: ready ["list", "spin"] true"#,
          #"A(list): ready ["list"] true"#, #"D(loading,f): ready ["list"] false"#,
        ])
    }

    /// A caller that waits for a transition which it has requested.
    @MainActor private func request(_ state: Scene, animated: Bool = false, of stage: Stage) async -> Waiting<
      TransitionOutcome
    > {
      let request = Waiting { await stage.container.transition(to: state, animated: animated) }
      await request.begun()
      return request
    }

    @Test("5.9 a request that another replaces has been superseded; one that outlasts a disappearance is finished")
    @MainActor func superseded() async {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      let first = await request(.ready, animated: true, of: stage)
      let second = await request(.failed, of: stage)
      let third = await request(.empty, of: stage)
      await expectEqual(second.end(), .superseded)
      _ = stage.disappear()
      await expectEqual(third.end(), .finished)
      await expectEqual(first.end(), .finished)
      expectEqual(stage.container.currentState, .empty)
    }

    @Test("5.9 when the awaiting task is cancelled it returns at once; what has begun continues, and nothing begins")
    @MainActor func cancelled() async {
      for hasBegun in [true, false] {
        let animator = HeldAnimator()
        let stage = Stage(animator: animator)
        _ = stage.appear()
        if !hasBegun { _ = stage.go(.ready, animated: true) }
        let call = await request(hasBegun ? .ready : .empty, animated: hasBegun, of: stage)
        call.cancel()
        await expectEqual(call.end(), .dropped)
        expectEqual(stage.container.isTransitioning, true)
        animator.finishAll()
        expectEqual(stage.container.currentState, .ready)
        expectEqual(stage.trace.take().hasSuffix("D(loading,t)"), true)
      }
      let stage = Stage()
      _ = stage.appear()
      let outcome = Waiting {
        withUnsafeCurrentTask { $0?.cancel() }
        return await stage.container.transition(to: .ready, animated: false)
      }
      await expectEqual(outcome.end(), .dropped)
      expectEqual(stage.trace.takeTrace(), "")
      // One that waits for the end of the disappearance is cancelled in a callback.
      _ = stage.willDisappear()
      let pending = await request(.empty, of: stage)
      stage.trace.once("spin.dd") { pending.cancel() }
      expectEqual(stage.didDisappear(), "spin.dd cdd spin")
      await expectEqual(pending.end(), .dropped)
    }

    @Test("5.15 before anything the current state is the initial one, computed and not kept")
    func beforeAnything() {
      let stage = Stage()
      stage.initial = .failed
      expectEqual(stage.container.currentState, .failed)
      stage.initial = .ready
      expectEqual(stage.container.currentState, .ready)
      expectEqual(stage.trace.takeTrace(), "I I")
      expect(!stage.container.hasDeterminedState)
      expect(!stage.container.isTransitioning)
      expectEqual(stage.container.appearance, .gone)
      expectEqual(stage.surface, [])
      _ = stage.willAppear()
      expect(stage.container.hasDeterminedState)
    }

    // MARK: From callbacks

    static let direct = """
      W(ready,f) K spin- cwd spin spin.wd list+ cwa list list.wa list.da cda list list+! spin.dd cdd spin spin-! \
      D(loading,f)
      """

    @Test(
      "5.4, 5.8, 5.16 a request and life-cycle calls inside any callback wait for their turn, and each will has its did"
    )
    func fromWhateverCallback() {
      let disappearance = "cwd list list.wd list.dd cdd list"
      for mark in Set(Self.direct.marks).sorted() {
        expectCalls(
          "a request in \(mark)", before: [.appear], inside: (mark, [.request(.empty)]),
          [
            .request(.ready): Self.direct + " W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)"
          ])
        expectCalls(
          "life-cycle calls in \(mark)", keepsState: true, before: [.appear],
          inside: (mark, [.disappear, .appear, .disappear]),
          [.request(.ready): Self.direct + " \(disappearance) cwa list list.wa list.da cda list \(disappearance)"],
          then: { expectEqual($0.container.appearance, .gone) })
      }
    }

    @Test("1.4, 5.8, 5.12 of requests that wait the last one begins, after did, or on its side of willDisappear")
    func waits() {
      expectCalls(
        "after an animated transition, right after did", with: [.loading: [], .ready: ["list"]],
        animator: HeldAnimator(),
        before: [.appear],
        [
          .request(.ready, animated: true): "W(ready,t) K list+ cwa list list.wa", .request(.failed): "",
          .request(.empty): "",
          .end("list"): """
          list.da cda list list+! D(loading,t) W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)
          """,
        ])
      expectCalls(
        "made before willDisappear, it is carried out before it", before: [.appear],
        inside: ("list.wa", [.request(.empty), .willDisappear]),
        [.request(.ready): Self.direct + " W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)"],
        then: { expectEqual($0.container.appearance, .disappearing) })
      expectCalls(
        "made after it, after didDisappear, in the place of the one before", before: [.appear],
        inside: ("list.wa", [.request(.failed), .willDisappear, .request(.empty), .request(.loading)]),
        [
          .request(.ready): Self.direct + " cwd list list.wd",
          .didDisappear: "list.dd cdd list W(loading,f) K list- spin+ spin+! list-! D(ready,f)",
        ])
    }

    @Test("1.4 a long chain of requests, each made in the callback of the one before, runs in constant stack")
    func chain() {
      final class Chain: StateContainerDelegate {
        let end: Int
        var lowest = UInt.max
        var highest = UInt.min
        init(end: Int) { self.end = end }

        func container(_ container: StateContainer<Int>, didTransitionFrom previousState: Int?, animated: Bool) {
          var here = 0
          withUnsafeMutablePointer(to: &here) { pointer in
            lowest = min(lowest, UInt(bitPattern: pointer))
            highest = max(highest, UInt(bitPattern: pointer))
          }
          if container.currentState < end {
            container.setNeedsTransition(to: container.currentState + 1, animated: false)
          }
        }
      }
      #if DEBUG
        let length = 20_000
      #else
        let length = 1_000_000
      #endif
      let spin = TracedChild("spin", Recorder())
      let chain = Chain(end: length)
      let container = StateContainer(initialState: 0) { _ in [spin] }
      container.delegate = chain
      container.setNeedsTransition(to: 1, animated: false)
      expectEqual(container.currentState, length)
      expect(chain.highest - chain.lowest < 4096)
    }
  }
}
