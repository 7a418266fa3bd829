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
  }
}
