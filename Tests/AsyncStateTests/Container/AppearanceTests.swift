import AsyncState
import AsyncStateTesting
import Testing

@Suite("5.10 to 5.17 StateContainer: appearing and disappearing")
struct AppearanceTests {
  // MARK: First appearance

  @Test("5.10 the first appearance asks for the state and ends with the container's own")
  func first() {
    let stage = Stage()
    #expect(stage.willAppear(animated: true) == "I W(loading,t) K spin+ cwa spin spin.wa")
    #expect(stage.container.appearance == .appearing)
    #expect(stage.container.isTransitioning)
    #expect(stage.didAppear(animated: true) == "spin.da cda spin spin+! D(nil,t)")
    #expect(stage.container.appearance == .visible)
    #expect(!stage.container.isTransitioning)
  }

  @Test("5.10 a request between the two calls waits until after did")
  func requestWhileAppearing() {
    let stage = Stage()
    _ = stage.willAppear()
    #expect(stage.go(.empty) == "")
    #expect(
      stage.didAppear() == """
        spin.da cda spin spin+! D(nil,f) W(empty,f) K spin- cwd spin spin.wd spin.dd cdd spin spin-! D(loading,f)
        """)
  }

  @Test("5.10 appearing is the container's own animation: neither the animator nor the child is asked")
  func ownAnimation() {
    let animator = HeldAnimator()
    let stage = Stage([.loading: ["Spin"]], animator: animator)
    #expect(
      stage.appear(animated: true) == "I W(loading,t) K Spin+ cwa Spin Spin.wa Spin.da cda Spin Spin+! D(nil,t)")
    #expect(stage.disappear(animated: true) == "cwd Spin Spin.wd Spin.dd cdd Spin")
    #expect(animator.animations.isEmpty)
  }

  @Test("5.10 the first appearance without children ends with the container's own, too")
  func firstWithoutChildren() {
    let stage = Stage()
    stage.initial = .empty
    #expect(stage.willAppear() == "I W(empty,f) K")
    #expect(stage.didAppear() == "D(nil,f)")
  }

  // MARK: Disappearing and coming back

  @Test("5.11 disappearing tells the children and keeps them, and makes no state callback")
  func disappearing() {
    let stage = Stage([.loading: ["a", "b"]])
    _ = stage.appear()
    #expect(stage.willDisappear() == "cwd a a.wd cwd b b.wd")
    #expect(stage.container.appearance == .disappearing)
    #expect(stage.didDisappear() == "a.dd cdd a b.dd cdd b")
    #expect(stage.container.appearance == .gone)
    #expect(stage.surface == ["a", "b"])
    #expect(stage.container.currentState == .loading)
  }

  @Test("5.11 reappearing asks again, and did comes at once when no child is added")
  func reappearing() {
    let stage = Stage()
    _ = stage.appear()
    _ = stage.disappear()
    #expect(stage.willAppear() == "I W(loading,f) K D(loading,f) cwa spin spin.wa")
    #expect(!stage.container.isTransitioning)
    #expect(stage.didAppear() == "spin.da cda spin")
  }

  @Test("5.11 another order is not another child")
  func reappearingInOtherOrder() {
    let stage = Stage([.loading: ["a", "b"]])
    stage.tracesSurface = true
    _ = stage.appear()
    _ = stage.disappear()
    stage.cast[.loading] = ["b", "a"]
    #expect(stage.willAppear() == "I W(loading,f) K A(b,a) D(loading,f) cwa b b.wa cwa a a.wa")
    #expect(stage.didAppear() == "b.da cda b a.da cda a")
  }

  @Test("5.11 in another state a child that is gone only goes, and did follows the appearance of the new one")
  func reappearingInOtherState() {
    let stage = Stage([.loading: ["bar", "spin"], .ready: ["bar", "list"]])
    _ = stage.appear()
    _ = stage.disappear()
    stage.initial = .ready
    #expect(stage.willAppear() == "I W(ready,f) K spin- spin-! cwa bar bar.wa list+ cwa list list.wa")
    #expect(stage.surface == ["bar", "list"])
    #expect(stage.didAppear() == "bar.da cda bar list.da cda list list+! D(loading,f)")
  }

  @Test("5.11 a child that is only removed does not hold did back")
  func reappearingWithFewer() {
    let stage = Stage([.loading: ["bar", "spin"], .ready: ["bar"]])
    _ = stage.appear()
    _ = stage.disappear()
    stage.initial = .ready
    #expect(stage.willAppear() == "I W(ready,f) K spin- spin-! D(loading,f) cwa bar bar.wa")
  }

  @Test("5.11 every call carries the flag of the life-cycle call that caused it")
  func flags() {
    let stage = Stage()
    let delegate = FlagDelegate()
    stage.container.delegate = delegate
    _ = stage.willAppear(animated: true)
    _ = stage.didAppear(animated: false)
    _ = stage.willDisappear(animated: false)
    _ = stage.didDisappear(animated: true)
    #expect(stage.child("spin").takeFlags() == "tfft")
    #expect(delegate.takeFlags() == "tfft")
    _ = stage.willAppear(animated: false)
    _ = stage.didAppear(animated: true)
    #expect(stage.child("spin").takeFlags() == "ft")
    #expect(delegate.takeFlags() == "ft")
  }

  @Test("5.11 a request between the two calls of a reappearance waits for its end")
  func requestWhileReappearing() {
    let stage = Stage()
    _ = stage.appear()
    _ = stage.disappear()
    _ = stage.willAppear()
    #expect(stage.go(.empty) == "")
    #expect(
      stage.didAppear() == """
        spin.da cda spin W(empty,f) K spin- cwd spin spin.wd spin.dd cdd spin spin-! D(loading,f)
        """)
  }

  @Test("5.11 a container that keeps its state appears again without a transition")
  func keepsState() {
    let stage = Stage(keepsState: true)
    #expect(stage.appear() == "W(loading,f) K spin+ cwa spin spin.wa spin.da cda spin spin+! D(nil,f)")
    _ = stage.go(.ready)
    _ = stage.disappear()
    #expect(stage.willAppear(animated: true) == "cwa list list.wa")
    #expect(stage.container.currentState == .ready)
    #expect(!stage.container.isTransitioning)
    #expect(stage.didAppear() == "list.da cda list")
    #expect(stage.child("list").takeFlags().hasSuffix("tf"))
  }

  @Test("5.10, 5.11 after a request that came before the first appearance it is a reappearance of its kind")
  func requestBeforeFirstAppearance() {
    let keeping = Stage(keepsState: true)
    _ = keeping.go(.ready)
    #expect(keeping.willAppear() == "cwa list list.wa")
    #expect(keeping.container.currentState == .ready)
    let asking = Stage()
    _ = asking.go(.ready)
    #expect(asking.willAppear() == "I W(loading,f) K list- list-! spin+ cwa spin spin.wa")
    #expect(asking.didAppear() == "spin.da cda spin spin+! D(ready,f)")
  }

  @Test("5.11, 5.1 at a reappearance each child that leaves is off the surface first; then the others are arranged")
  func surfaceAtReappearance() {
    let stage = Stage([.loading: ["a", "b", "c"], .ready: ["x", "c"], .failed: ["c"], .empty: []])
    stage.tracesSurface = true
    _ = stage.appear()
    _ = stage.disappear()
    stage.initial = .ready
    #expect(
      stage.willAppear() == """
        I W(ready,f) K a- b- A(b,c) a-! A(c) b-! x+ cwa x x.wa cwa c c.wa A(x,c)
        """)
    #expect(stage.didAppear() == "x.da cda x x+! c.da cda c D(loading,f)")
    _ = stage.disappear()
    stage.initial = .failed
    #expect(stage.willAppear() == "I W(failed,f) K x- A(c) x-! D(ready,f) cwa c c.wa")
    _ = stage.didAppear()
    _ = stage.disappear()
    stage.initial = .empty
    #expect(stage.willAppear() == "I W(empty,f) K c- A() c-! D(failed,f)")
  }

  @Test("5.17 appear and disappear make both calls, also from a callback")
  func bothCalls() {
    let stage = Stage()
    stage.container.appear(animated: true)
    #expect(stage.trace.take() == "I W(loading,t) K spin+ cwa spin spin.wa spin.da cda spin spin+! D(nil,t)")
    stage.trace.once("list.wa") {
      stage.container.disappear(animated: true)
      stage.container.appear(animated: false)
    }
    #expect(
      stage.go(.ready).hasSuffix(
        """
        D(loading,f) cwd list list.wd list.dd cdd list I W(loading,f) K list- list-! spin+ cwa spin spin.wa \
        spin.da cda spin spin+! D(ready,f)
        """))
  }

  // MARK: Disappearing in the middle

  @Test("5.12 disappearing during a transition ends it, and the request that waits is carried out unseen")
  func disappearingInTheMiddle() {
    let animator = HeldAnimator()
    let stage = Stage(animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    _ = stage.go(.failed, animated: true)
    #expect(stage.willDisappear() == "list.da cda list list+! cwd list list.wd")
    #expect(stage.container.isTransitioning)
    #expect(
      stage.didDisappear() == """
        spin.dd cdd spin spin-! list.dd cdd list D(loading,t) W(failed,t) K list- note+ note+! list-! D(ready,t)
        """)
    #expect(!stage.container.isTransitioning)
    #expect(stage.surface == ["note"])
    #expect(stage.container.currentState == .failed)
  }

  @Test("5.12 the request that waits is carried out after didAppear if the container turns back")
  func requestWaitsThroughTurningBack() {
    let stage = Stage(animator: HeldAnimator())
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    _ = stage.go(.empty)
    _ = stage.willDisappear()
    #expect(stage.willAppear() == "spin.dd cdd spin spin-! D(loading,t) cwa list list.wa")
    #expect(
      stage.didAppear()
        == "list.da cda list W(empty,f) K list- cwd list list.wd list.dd cdd list list-! D(ready,f)")
  }

  @Test("5.12 animation ends that come late do nothing", arguments: [true, false])
  func lateEnds(afterDid: Bool) {
    let animator = HeldAnimator()
    let stage = Stage(animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    _ = stage.willDisappear()
    if afterDid { _ = stage.didDisappear() }
    for animation in animator.animations {
      animation.run()
      animation.finish()
    }
    #expect(stage.trace.take() == "")
    if !afterDid { #expect(stage.didDisappear().hasPrefix("spin.dd cdd spin spin-!")) }
  }

  @Test("5.12 a child that has ended already hears nothing twice")
  func halfEnded() {
    let animator = HeldAnimator()
    let stage = Stage(animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    animator.of("list").finish()
    _ = stage.trace.take()
    #expect(stage.willDisappear() == "cwd list list.wd")
    #expect(stage.didDisappear() == "spin.dd cdd spin spin-! list.dd cdd list D(loading,t)")
  }

  @Test("5.12 a child that has a say in its animation takes its last position and hears its end")
  func cutShort() {
    let animator = HeldAnimator()
    let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    animator.of("List").run()
    _ = stage.trace.take()
    #expect(stage.willDisappear() == "List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
    #expect(stage.didDisappear() == "Spin.end(out) Spin.dd cdd Spin Spin-! List.dd cdd List D(loading,t)")
  }

  @Test("5.12 of several who go only those who have not ended yet end with the container")
  func oneHasGone() {
    let animator = HeldAnimator()
    let stage = Stage([.loading: ["a", "b"], .ready: []], animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    animator.of("a").finish()
    #expect(stage.trace.take() == "a.dd cdd a a-!")
    #expect(stage.willDisappear() == "")
    #expect(stage.didDisappear() == "b.dd cdd b b-! D(loading,t)")
  }

  @Test("5.12 a child that has not started to move takes its last position first, and its late end does nothing")
  func cutShortBeforeItRuns() {
    let animator = HeldAnimator()
    let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    #expect(
      stage.willDisappear() == "List.move(in) List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
    for animation in animator.animations {
      animation.run()
      animation.finish()
    }
    #expect(stage.trace.take() == "")
    #expect(stage.didDisappear() == "Spin.end(out) Spin.dd cdd Spin Spin-! List.dd cdd List D(loading,t)")
  }

  @Test("5.12 an animation that was cut short ends nothing of the transition after it, and keeps no container")
  func cutShortIsOver() {
    let animator = HeldAnimator()
    var stage: Stage? = Stage([.loading: ["Spin"], .ready: ["List"]], animator: animator)
    _ = stage?.appear()
    _ = stage?.go(.ready, animated: true)
    let former = animator.animations
    animator.letGo()
    _ = stage?.disappear()
    _ = stage?.appear()
    _ = stage?.go(.ready, animated: true)
    for animation in former { animation.finish() }
    #expect(stage?.trace.take() == "")
    #expect(stage?.container.isTransitioning == true)
    _ = stage?.disappear()
    let released = Weak(stage?.container)
    withExtendedLifetime(former + animator.animations) { stage = nil }
    #expect(released.object == nil)
  }

  @Test("5.12 all who were being added arrive before anybody disappears")
  func arriveBeforeDisappearing() {
    let stage = Stage([.loading: ["a"], .ready: ["x", "a", "y"]], animator: HeldAnimator())
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    #expect(
      stage.willDisappear() == """
        x.da cda x x+! y.da cda y y+! cwd x x.wd cwd a a.wd cwd y y.wd
        """)
  }

  // MARK: Turning back

  @Test("5.13 turning back from disappearing gives no didDisappear and is no reappearance", arguments: [true, false])
  func turningBackToShow(keepsState: Bool) {
    let stage = Stage(keepsState: keepsState)
    _ = stage.appear()
    #expect(stage.willDisappear() == "cwd spin spin.wd")
    stage.initial = .ready
    #expect(stage.willAppear() == "cwa spin spin.wa")
    #expect(stage.didAppear() == "spin.da cda spin")
    #expect(stage.container.currentState == .loading)
  }

  @Test("5.13 turning back twice during the first appearance ends its transition once, with its own flag")
  func turningBackTwice() {
    let stage = Stage()
    _ = stage.willAppear(animated: true)
    #expect(stage.willDisappear() == "spin.da cda spin spin+! cwd spin spin.wd")
    #expect(stage.willAppear() == "D(nil,t) cwa spin spin.wa")
    #expect(stage.willDisappear() == "spin.da cda spin cwd spin spin.wd")
    #expect(stage.didDisappear() == "spin.dd cdd spin")
  }

  @Test("5.13 turning back from appearing gives each will its did, and one did transition")
  func turningBackToHide() {
    let stage = Stage()
    #expect(stage.willAppear() == "I W(loading,f) K spin+ cwa spin spin.wa")
    #expect(stage.willDisappear() == "spin.da cda spin spin+! cwd spin spin.wd")
    #expect(stage.didDisappear() == "spin.dd cdd spin D(nil,f)")
  }

  @Test("5.13 turning back from a reappearance gives each will its did")
  func turningBackFromReappearance() {
    let stage = Stage()
    _ = stage.appear()
    _ = stage.disappear()
    _ = stage.willAppear()
    #expect(stage.willDisappear() == "spin.da cda spin cwd spin spin.wd")
    #expect(stage.didDisappear() == "spin.dd cdd spin")
  }

  @Test("5.13 turning back during a transition ends that one, with the flag of the call for the child that leaves")
  func turningBackDuringTransition() {
    let stage = Stage(animator: HeldAnimator())
    stage.tracesSurface = true
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    _ = stage.willDisappear()
    _ = stage.child("spin").takeFlags()
    #expect(stage.willAppear() == "A(list) spin.dd cdd spin spin-! D(loading,t) cwa list list.wa")
    #expect(stage.child("spin").takeFlags() == "f")
    #expect(stage.didAppear() == "list.da cda list")
  }

  @Test("5.13 an animation that turning back cuts short was run, and its end comes just before the child leaves")
  func turningBackCutsShort() {
    let stage = Stage([.loading: ["Spin"], .ready: ["List"]], animator: HeldAnimator())
    _ = stage.appear()
    _ = stage.go(.ready, animated: true)
    #expect(
      stage.willDisappear() == "List.move(in) List.end(in) List.da cda List List+! Spin.move(out) cwd List List.wd")
    #expect(stage.willAppear() == "Spin.end(out) Spin.dd cdd Spin Spin-! D(loading,t) cwa List List.wa")
  }

  // MARK: While gone

  @Test("5.14 a request while gone changes the children, and nobody appears", arguments: [true, false])
  func requestWhileGone(animated: Bool) {
    let animator = HeldAnimator()
    let stage = Stage(animator: animator)
    _ = stage.appear()
    _ = stage.disappear()
    let flag = letter(animated)
    #expect(
      stage.go(.ready, animated: animated)
        == "W(ready,\(flag)) K spin- list+ list+! spin-! D(loading,\(flag))")
    #expect(animator.animations.isEmpty)
    #expect(stage.willAppear() == "I W(loading,f) K list- list-! spin+ cwa spin spin.wa")
  }

  @Test("5.14 a request while gone arranges the surface, and again for each child that goes")
  func surfaceWhileGone() {
    let stage = Stage([.loading: ["a", "b"], .ready: ["x"]])
    stage.tracesSurface = true
    _ = stage.appear()
    _ = stage.disappear()
    #expect(
      stage.go(.ready) == "W(ready,f) K a- b- x+ A(x,a,b) x+! A(x,b) a-! A(x) b-! D(loading,f)")
    #expect(stage.surface == ["x"])
  }

  @Test("5.14 a request before the first appearance names no state that was left")
  func requestBeforeFirst() {
    let stage = Stage()
    #expect(stage.go(.ready) == "W(ready,f) K list+ list+! D(nil,f)")
    #expect(stage.container.currentState == .ready)
    stage.initial = .ready
    #expect(stage.willAppear() == "I W(ready,f) K D(ready,f) cwa list list.wa")
  }

  @Test("5.14 a request between willDisappear and didDisappear is carried out after the latter")
  func requestWhileDisappearing() {
    let stage = Stage()
    _ = stage.appear()
    _ = stage.willDisappear()
    #expect(stage.go(.ready) == "")
    #expect(stage.didDisappear() == "spin.dd cdd spin W(ready,f) K spin- list+ list+! spin-! D(loading,f)")
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

  // MARK: Misuse

  @Test(
    "5.17 a life-cycle call that repeats or skips is ignored",
    arguments: [
      ("", "d"), ("", "x"), ("", "o"), ("a", "a"), ("a", "o"), ("ad", "a"), ("ad", "d"), ("ad", "o"), ("adx", "x"),
      ("adx", "d"), ("adxo", "x"), ("adxo", "d"), ("adxo", "o"),
    ])
  func misuse(before: String, call: Character) {
    let stage = Stage()
    for step in before { stage.perform(step) }
    let appearance = stage.container.appearance
    _ = stage.trace.take()
    stage.perform(call)
    #expect(stage.trace.take() == "")
    #expect(stage.container.appearance == appearance)
  }

  @Test("5.17 a willDisappear that is ignored changes nothing for the pending request")
  func ignoredDropsNothing() {
    let stage = Stage()
    _ = stage.appear()
    _ = stage.willDisappear()
    _ = stage.go(.ready)
    _ = stage.willDisappear()
    #expect(stage.didDisappear().contains("W(ready,f)"))
  }
}

extension Stage {
  /// A life-cycle call by a letter: a and d for appearing, x and o for disappearing.
  func perform(_ step: Character) {
    switch step {
    case "a": container.willAppear(animated: false)
    case "d": container.didAppear(animated: false)
    case "x": container.willDisappear(animated: false)
    case "o": container.didDisappear(animated: false)
    default: fatalError("no such step: \(step)")
    }
  }
}
