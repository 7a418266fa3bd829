// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct RequestWhileGoneTests {
    @Test(
      "5.14 a request while it is not visible changes the children, and no child appears", arguments: [true, false])
    func requestWhileGone(animated: Bool) {
      let animator = HeldAnimator()
      let stage = Stage(animator: animator)
      _ = stage.appear()
      _ = stage.disappear()
      let flag = letter(animated)
      expectEqual(
        stage.go(.ready, animated: animated), "W(ready,\(flag)) K spin- list+ list+! spin-! D(loading,\(flag))")
      #expect(animator.animations.isEmpty)
      expectEqual(stage.willAppear(), "I W(loading,f) K list- list-! spin+ cwa spin spin.wa")
    }

    @Test("5.14 a request while it is not visible arranges the surface, and again for each child that is removed")
    func surfaceWhileGone() {
      let stage = Stage([.loading: ["a", "b"], .ready: ["x"]])
      stage.tracesSurface = true
      _ = stage.appear()
      _ = stage.disappear()
      expectEqual(stage.go(.ready), "W(ready,f) K a- b- x+ A(x,a,b) x+! A(x,b) a-! A(x) b-! D(loading,f)")
      expectEqual(stage.surface, ["x"])
    }

    @Test("5.14 a request before the first appearance names no state that was left")
    func requestBeforeFirst() {
      let stage = Stage()
      expectEqual(stage.go(.ready), "W(ready,f) K list+ list+! D(nil,f)")
      expectEqual(stage.container.currentState, .ready)
      stage.initial = .ready
      expectEqual(stage.willAppear(), "I W(ready,f) K D(ready,f) cwa list list.wa")
    }

    @Test("5.14 a request between willDisappear and didDisappear is carried out after the latter")
    func requestWhileDisappearing() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.willDisappear()
      expectEqual(stage.go(.ready), "")
      expectEqual(stage.didDisappear(), "spin.dd cdd spin W(ready,f) K spin- list+ list+! spin-! D(loading,f)")
    }

    @Test("5.14 a request between willDisappear and turning back is carried out after the appearance")
    func requestBeforeTurningBack() {
      let stage = Stage()
      _ = stage.appear()
      _ = stage.willDisappear()
      _ = stage.go(.empty)
      _ = stage.willAppear()
      #expect(stage.didAppear().hasPrefix("spin.da cda spin W(empty,f) K"))
    }
  }
}
