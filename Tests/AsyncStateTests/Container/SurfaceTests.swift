// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Testing

extension AllTests {
  struct SurfaceTests {
    @Test("5.5 a child in both states is not called")
    func keptChild() {
      let stage = Stage([.loading: ["bar", "spin"], .ready: ["bar", "list"]])
      _ = stage.appear()
      let received = stage.go(.ready)
      #expect(!received.contains("bar"))
      expectEqual(stage.surface, ["bar", "list"])
    }

    @Test("5.5 if only the order differs the surface is arranged and no child is called")
    func otherOrder() {
      let stage = Stage([.loading: ["a", "b", "c"], .ready: ["c", "a", "b"]])
      stage.tracesSurface = true
      _ = stage.appear()
      expectEqual(stage.go(.ready), "W(ready,f) K A(c,a,b) D(loading,f)")
    }

    @Test("5.5 the same state with the same children calls will and did, and nothing else")
    func sameState() {
      let stage = Stage()
      stage.tracesSurface = true
      _ = stage.appear()
      expectEqual(stage.go(.loading), "W(loading,f) K D(loading,f)")
      expectEqual(stage.go(.loading, animated: true), "W(loading,t) K D(loading,t)")
    }

    @Test("5.5 the same state with fresh children is a full swap")
    func freshChildren() {
      let stage = Stage()
      _ = stage.appear()
      stage.recast()
      expectEqual(
        stage.go(.loading),
        """
        W(loading,f) K spin- cwd spin spin.wd spin+ cwa spin spin.wa spin.da cda spin spin+! \
        spin.dd cdd spin spin-! D(loading,f)
        """)
    }

    @Test("5.5 a child listed twice is there once, where it was listed first", arguments: [3, 40])
    func listedTwice(count: Int) {
      let names = (0..<count).map { "c\($0)" }
      let stage = Stage([.loading: [], .ready: names + names.reversed()])
      _ = stage.appear()
      let received = stage.go(.ready)
      expectEqual(stage.surface, names)
      for name in names { expectEqual(received.occurrences(of: "\(name)+ "), 1) }
      expectEqual(stage.go(.loading).occurrences(of: "c1-!"), 1)
      expectEqual(stage.surface, [])
    }

    @Test("5.6 children of the new state are at the bottom in its order, outgoing ones above them")
    func order() {
      let animator = HeldAnimator()
      let stage = Stage([.loading: ["a", "b", "c", "d"], .ready: ["x", "d", "b"]], animator: animator)
      stage.tracesSurface = true
      _ = stage.appear()
      let received = stage.go(.ready, animated: true)
      #expect(received.hasSuffix("A(x,d,b,a,c)"))
      expectEqual(stage.surface, ["x", "d", "b", "a", "c"])
      animator.of("a").finish()
      expectEqual(stage.trace.takeTrace(), "A(x,d,b,c) a.dd cdd a a-!")
      animator.of("x").finish()
      expectEqual(stage.trace.takeTrace(), "x.da cda x x+!")
      animator.of("c").finish()
      expectEqual(stage.trace.takeTrace(), "A(x,d,b) c.dd cdd c c-! D(loading,t)")
    }

    @Test("5.6 the surface is arranged once for each change, and not when it stays")
    func toldOnce() {
      let stage = Stage([.loading: ["a"], .ready: ["a", "b"], .failed: ["a", "b"]])
      stage.tracesSurface = true
      expectEqual(stage.appear().occurrences(of: "A("), 1)
      expectEqual(stage.go(.ready).occurrences(of: "A("), 1)
      expectEqual(stage.go(.failed).occurrences(of: "A("), 0)
      #expect(stage.go(.loading).contains("A(a) b.dd cdd b b-! D(failed,f)"))
      expectEqual(stage.disappear().occurrences(of: "A("), 0)
    }

    @Test("5.6 one child for another: the surface is arranged with both of them, and when the former is removed")
    func oneForAnother() {
      let stage = Stage()
      stage.tracesSurface = true
      _ = stage.appear()
      expectEqual(
        stage.go(.ready),
        """
        W(ready,f) K spin- cwd spin spin.wd list+ cwa list list.wa A(list,spin) list.da cda list list+! \
        A(list) spin.dd cdd spin spin-! D(loading,f)
        """)
    }

    @Test("5.6 the surface that is arranged is the one that can be read")
    func toldIsRead() {
      let stage = Stage([.loading: ["a", "b"], .ready: ["c"]])
      stage.tracesSurface = true
      _ = stage.appear()
      var read: [[String]] = []
      for mark in ["A(c,a,b)", "A(c,b)", "A(c)"] { stage.trace.once(mark) { read.append(stage.surface) } }
      _ = stage.go(.ready)
      expectEqual(read, [["c", "a", "b"], ["c", "b"], ["c"]])
    }

    @Test("5.6 the surface is not arranged where it does not change", arguments: [[], ["a"], ["a", "b"]])
    func notToldWithoutChange(kept: [String]) {
      let stage = Stage([.loading: ["a", "b", "c"], .ready: kept])
      stage.tracesSurface = true
      _ = stage.appear()
      let received = stage.go(.ready)
      let leaving = ["a", "b", "c"].dropFirst(kept.count)
      expectEqual(received.occurrences(of: "A("), leaving.count)
      #expect(received.contains("c.wd A(\((kept + leaving.dropFirst()).joined(separator: ","))) \(leaving.first!).dd"))
    }

    @Test("5.1 however a child leaves, it is off the surface before didDisappear and didDetach")
    func offTheSurface() {
      let ways: [(String, (Stage, HeldAnimator) -> Void)] = [
        ("exchange", { stage, _ in _ = stage.go(.ready) }),
        (
          "animated end",
          { stage, animator in
            _ = stage.go(.ready, animated: true)
            animator.finishAll()
          }
        ),
        (
          "didDisappear",
          { stage, _ in
            _ = stage.go(.ready, animated: true)
            _ = stage.disappear()
          }
        ),
        (
          "turning back",
          { stage, _ in
            _ = stage.go(.ready, animated: true)
            _ = stage.willDisappear()
            _ = stage.willAppear()
          }
        ),
        (
          "reappearance",
          { stage, _ in
            _ = stage.disappear()
            stage.initial = .ready
            _ = stage.appear()
          }
        ),
        (
          "unseen",
          { stage, _ in
            _ = stage.disappear()
            _ = stage.go(.ready)
          }
        ),
      ]
      for (name, way) in ways {
        let animator = HeldAnimator()
        let stage = Stage([.loading: ["a", "b"], .ready: ["x"]], animator: animator)
        _ = stage.appear()
        var left: [String] = []
        for child in ["a", "b"] {
          stage.trace.once("\(child).dd") {
            // In these two the child has disappeared before, with the container, and is only detached now.
            if name != "reappearance" && name != "unseen" { #expect(!stage.surface.contains(child), "\(name)") }
          }
          stage.trace.once("\(child)-!") {
            left.append(child)
            #expect(!stage.surface.contains(child), "\(name)")
          }
        }
        way(stage, animator)
        expectEqual(left, ["a", "b"], "\(name)")
      }
    }
  }
}
