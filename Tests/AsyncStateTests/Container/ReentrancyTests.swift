// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct ReentrancyTests {
    static let direct = """
      W(ready,f) K spin- cwd spin spin.wd list+ cwa list list.wa list.da cda list list+! spin.dd cdd spin spin-! \
      D(loading,f)
      """

    @Test(
      "5.8 a request inside any callback waits until the transition has ended", arguments: Set(direct.marks).sorted())
    func fromWhateverCallback(mark: String) {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once(mark) { stage.container.setNeedsTransition(to: .empty, animated: false) }
      expectEqual(
        stage.go(.ready), Self.direct + " W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)")
    }

    @Test(
      "5.4, 5.16 life-cycle calls inside any callback wait for their turn, and each will has its did",
      arguments: Set(direct.marks).sorted())
    func lifeCycleInsideACallback(mark: String) {
      let stage = Stage(keepsState: true)
      _ = stage.appear()
      stage.trace.once(mark) {
        stage.container.disappear(animated: false)
        stage.container.appear(animated: false)
        stage.container.disappear(animated: false)
      }
      let disappearance = "cwd list list.wd list.dd cdd list"
      expectEqual(
        stage.go(.ready), Self.direct + " \(disappearance) cwa list list.wa list.da cda list \(disappearance)")
      expectEqual(stage.container.appearance, .gone)
    }

    @Test("5.8 a request that waits starts with its own flag, even if it equals the state just reached")
    func equalState() {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once("K") { stage.container.setNeedsTransition(to: .ready, animated: true) }
      expectEqual(stage.go(.ready), Self.direct + " W(ready,t) K D(ready,t)")
    }

    @Test("5.8 a request during an animated transition waits, and starts right after did")
    func duringAnimation() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: [], .ready: ["list"], .failed: ["note"], .empty: []], animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      expectEqual(stage.go(.failed), "")
      expectEqual(stage.go(.empty), "")
      expectEqual(stage.container.currentState, .ready)
      animator.of("list").finish()
      expectEqual(
        stage.trace.takeTrace(),
        """
        list.da cda list list+! D(loading,t) W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)
        """)
    }

    @Test("5.8 inside did no transition is under way, and what is requested there starts when did returns")
    func insideDid() {
      let stage = Stage()
      _ = stage.appear()
      var wasTransitioning: Bool?
      var stateAfterRequest: Scene?
      stage.trace.once("D(loading,f)") {
        wasTransitioning = stage.container.isTransitioning
        stage.container.setNeedsTransition(to: .failed, animated: false)
        stage.container.setNeedsTransition(to: .empty, animated: false)
        stateAfterRequest = stage.container.currentState
      }
      let received = stage.go(.ready)
      expectEqual(wasTransitioning, false)
      expectEqual(stateAfterRequest, .ready)
      expectEqual(stage.container.currentState, .empty)
      #expect(received.hasSuffix("D(loading,f) W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)"))
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
      #expect(chain.highest - chain.lowest < 4096)
    }

    @Test("5.8, 5.12 a request made after willDisappear replaces one before it, and waits for didDisappear")
    func requestAndDisappear() {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once("list.wa") {
        stage.container.setNeedsTransition(to: .failed, animated: false)
        stage.container.willDisappear(animated: false)
        stage.container.setNeedsTransition(to: .empty, animated: false)
        stage.container.setNeedsTransition(to: .loading, animated: false)
      }
      expectEqual(stage.go(.ready), Self.direct + " cwd list list.wd")
      expectEqual(stage.didDisappear(), "list.dd cdd list W(loading,f) K list- spin+ spin+! list-! D(ready,f)")
    }

    @Test("1.4, 5.8 a request made before willDisappear is carried out before it")
    func requestBeforeDisappear() {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once("list.wa") {
        stage.container.setNeedsTransition(to: .empty, animated: false)
        stage.container.willDisappear(animated: false)
      }
      expectEqual(
        stage.go(.ready), Self.direct + " W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)")
      expectEqual(stage.container.appearance, .disappearing)
    }
  }
}
