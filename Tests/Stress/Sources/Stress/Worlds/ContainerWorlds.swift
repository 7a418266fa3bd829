// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting

/// A child that counts, with a say in its animations.
final class Child: TransitioningController {
  private let scene: Scene
  private let life: Census.Life
  private let outlives: Bool

  init(_ scene: Scene, _ kind: String = "child", outlives: Bool = false) {
    self.scene = scene
    self.outlives = outlives
    life = scene.census.life(kind)
  }

  private func called(_ what: String) { scene.called("child's \(what)", outlives: outlives) }

  func willAttach() { called("willAttach") }
  func didAttach() { called("didAttach") }
  func willDetach() { called("willDetach") }
  func didDetach() { called("didDetach") }
  func willAppear(animated: Bool) { called("willAppear") }
  func didAppear(animated: Bool) { called("didAppear") }
  func willDisappear(animated: Bool) { called("willDisappear") }
  func didDisappear(animated: Bool) { called("didDisappear") }
  func transitionDuration(isAppearing: Bool) -> Duration { .seconds(isAppearing ? 2 : 1) }
  func transitionDelay(isAppearing: Bool) -> Duration { .milliseconds(isAppearing ? 100 : 0) }
  func transitionWillBegin(isAppearing: Bool) { called("transitionWillBegin") }
  func animateTransition(isAppearing: Bool) { called("animateTransition") }
  func transitionDidEnd(isAppearing: Bool) { called("transitionDidEnd") }
}

final class ContainerListener<State>: StateContainerDelegate {
  private let scene: Scene
  private let life: Census.Life

  init(_ scene: Scene) {
    self.scene = scene
    life = scene.census.life("container's delegate")
  }

  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {
    scene.called("willTransition")
  }

  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    scene.called("didTransition")
  }

  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    scene.called("didArrange")
  }
}

/// Containers in the middle of an animated transition, by a clock that moves meanwhile.
final class ContainerWorld: World {
  private let scene: Scene
  private let clock = ManualClock()
  private let animator: ClockAnimator
  private var made = Int.random(in: 0..<60)

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    // An animation that runs keeps its container, and its actor, until it ends.
    scene.moveAtEnd(clock)
    animator = ClockAnimator(isolation: isolation, clock: clock)
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let scene = scene
    // Some have an animator of their own, which is released with them.
    let animator = made % 2 == 0 ? animator : ClockAnimator(isolation: isolation, clock: clock)
    let container = StateContainer(initialState: 0, animator: animator) { _ in
      [Child(scene, outlives: true), Child(scene, outlives: true)]
    }
    let delegate = ContainerListener<Int>(scene)
    container.delegate = delegate
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    container.setNeedsTransition(to: 1, animated: true)
    if made % 3 == 0 {
      container.setNeedsTransition(to: 2, animated: true)
      container.willDisappear(animated: true)
    }
    return [container, delegate, animator]
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    await clock.advance(by: .seconds(100))
    for _ in 0..<3 { await turn(of: isolation) }
    await scene.census.isEmpty("child")
    expect(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers are left")
  }
}

/// Callers that wait for the end of a transition: a call holds its container, and is dropped with its owner.
final class TransitionWorld: World {
  private let scene: Scene
  private let clock = ManualClock()

  init(_ scene: Scene, isolation: isolated any Actor) { self.scene = scene }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    let scene = scene
    let animator = ClockAnimator(isolation: isolation, clock: clock)
    let container = StateContainer(initialState: 0, animator: animator) { _ in [Child(scene, outlives: true)] }
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    let life = scene.census.life("task")
    let task = Task {
      _ = isolation
      let outcome = await container.transition(to: 1, animated: true, isolation: isolation)
      scene.called("end of a transition", outlives: true)
      scene.ended("\(outcome)")
      _ = life
    }
    let waiting = Task {
      _ = isolation
      let outcome = await container.transition(to: 2, animated: true, isolation: isolation)
      scene.ended("\(outcome)")
      _ = life
    }
    return [container, Canceller(task), Canceller(waiting)]
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    for _ in 0..<3 { await turn(of: isolation) }
    await clock.advance(by: .seconds(100))
    await scene.census.isEmpty("task")
    let outcomes = scene.outcomes
    expect(outcomes.values.reduce(0, +) == 2 * owners, "\(owners) owners, and these outcomes: \(outcomes)")
  }
}

/// Hosts of every kind in the middle of a load, with the alarm of their pacer set.
final class HostWorld: World {
  private final class Panel: AsyncStatusPresenter {
    private let scene: Scene
    private let life: Census.Life

    init(_ scene: Scene) {
      self.scene = scene
      life = scene.census.life("presenter")
    }

    func transitionToLoading(animated: Bool) { scene.called("presenter") }
    func transitionToError(_ error: any Error, animated: Bool) { scene.called("presenter") }
    func transitionToNoData(animated: Bool) { scene.called("presenter") }
    func transitionToIdle(animated: Bool) { scene.called("presenter") }
    func transitionToWaiting(animated: Bool) { scene.called("presenter") }
    func transitionToData(_ value: Int, animated: Bool) { scene.called("presenter") }
  }

  private final class Screen: AsyncContent {
    private let scene: Scene
    private let life: Census.Life

    init(_ scene: Scene) {
      self.scene = scene
      life = scene.census.life("content")
    }

    func apply(_ value: Int, animated: Bool) { scene.called("content") }
  }

  private let scene: Scene
  private let clock = ManualClock()
  private let pacer: DisplayPacer
  private var made = Int.random(in: 0..<60)
  private var gates: [ManualServer<Int>] = []

  init(_ scene: Scene, isolation: isolated any Actor) {
    self.scene = scene
    scene.moveAtEnd(clock)
    pacer = DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
  }

  func makeParts(isolation: isolated any Actor) -> [Any] {
    made += 1
    let scene = scene
    let gate = ManualServer<Int>()
    gates.append(gate)
    scene.atEnd { gate.answer(call: 1, with: .success(1)) }
    let life = scene.census.life("operation")
    let resource = AsyncResource(isolation: isolation) {
      .value {
        _ = life
        return try await gate.wait()
      }
    }
    let data = resource.data
    let pacer: DisplayPacer? =
      switch made % 3 {
      case 0: pacer
      case 1: DisplayPacer(delay: .seconds(1), minimum: .seconds(1), clock: clock)
      default: nil
      }
    let panel = Panel(scene)
    let screen = Screen(scene)
    let board = StatusBoard(content: screen, data: data)
    let host =
      switch made % 5 {
      case 0, 1: AsyncHost(resource, pacer: pacer)
      default:
        AsyncHost(
          resource, pacer: pacer, animator: ClockAnimator(isolation: isolation, clock: clock),
          children: { _ in [Child(scene, outlives: true)] })
      }
    if made % 5 == 0 { host.presenter = panel }
    if made % 5 == 1 { host.presenter = board }
    host.appear(animated: false)
    host.start()
    // The alarm of a minimum time, too, and a transition in the middle.
    if made % 2 == 0 { data.value = 1 }
    return [host, panel, screen, board]
  }

  func write(_ number: Int, isolation: isolated any Actor) {
    let gate = number / 3
    if number % 3 == 0, gate < gates.count { gates[gate].answer(call: 1, with: .success(number)) }
  }

  func check(owners: Int, isolation: isolated any Actor) async {
    for _ in 0..<3 { await turn(of: isolation) }
    await clock.advance(by: .seconds(100))
    for _ in 0..<3 { await turn(of: isolation) }
    scene.answer()
    for kind in ["child", "presenter", "content", "operation"] { await scene.census.isEmpty(kind) }
    expect(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers are left")
  }
}
