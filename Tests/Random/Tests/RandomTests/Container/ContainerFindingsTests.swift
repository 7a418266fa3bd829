// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  /// What the model has found, each in its shortest form.
  struct ContainerFindingsTests {
    @Test(
      "5.12 an animation that ends inside willDisappear is late: its child stays until the container has disappeared")
    func endInsideWillDisappear() {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.go(.ready, animated: true)
      stage.trace.once("list.da") { animator.of("spin").finish() }
      #expect(stage.willDisappear() == "list.da cda list list+! cwd list list.wd")
      #expect(stage.didDisappear() == "spin.dd cdd spin spin-! list.dd cdd list D(loading,t)")
    }

    @Test("5.4 an animation that ends in a callback while others are handed over has its turn when that is over")
    func endWhileHandingOver() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: [], .ready: ["List", "Bar"]], animator: animator)
      _ = stage.appear()
      stage.trace.once("Bar.begin(in)") { animator.of("List").finish() }
      #expect(
        stage.go(.ready, animated: true) == """
          W(ready,t) K List+ cwa List List.wa Bar+ cwa Bar Bar.wa List.begin(in) List.time(in) List.wait(in) \
          Bar.begin(in) List.move(in) Bar.time(in) Bar.wait(in) List.end(in) List.da cda List List+!
          """)
      animator.of("Bar").finish()
      #expect(stage.trace.takeTrace() == "Bar.move(in) Bar.end(in) Bar.da cda Bar Bar+! D(loading,t)")
    }

    @Test("5.8, 5.17 a life-cycle call that is ignored does not keep an in-between state from being replaced")
    func ignoredCallBetweenRequests() {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once("list.wa") {
        stage.container.setNeedsTransition(to: .failed, animated: false)
        stage.container.didDisappear(animated: false)
        stage.container.setNeedsTransition(to: .empty, animated: false)
      }
      let received = stage.go(.ready)
      #expect(!received.contains("failed"))
      #expect(stage.container.currentState == .empty)
    }

    @Test("5.12 a request that waits while the container turns back and disappears again is carried out unseen")
    func stillWaiting() {
      let stage = Stage()
      _ = stage.appear()
      stage.trace.once("cwd spin") {
        stage.container.setNeedsTransition(to: .ready, animated: false)
        stage.container.willAppear(animated: false)
        stage.container.willDisappear(animated: false)
      }
      #expect(stage.willDisappear() == "cwd spin spin.wd cwa spin spin.wa spin.da cda spin cwd spin spin.wd")
      #expect(stage.didDisappear() == "spin.dd cdd spin W(ready,f) K spin- list+ list+! spin-! D(loading,f)")
    }
  }
}
