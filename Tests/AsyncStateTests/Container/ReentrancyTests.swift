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
