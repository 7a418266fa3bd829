// SPDX-License-Identifier: MIT
import AsyncStateLists
import AsyncState
import AsyncStateTesting

// The same with what the compiler has checked: a screen of an app, and a session of a server.

@MainActor
final class Screen {
  let data = AsyncData<Int>()
  let clock: ManualClock
  let input = Input(0)
  let box: Box<Screen.Label>
  let token: ObservedToken
  let animator: ClockAnimator
  let container: StateContainer<Int>
  let host: AsyncHost<Int>
  let cell = CellHost { Row() }
  var load: LoadTask<Int>?
  private let life: Census.Life

  final class Label { var number = 0 }
  final class Row: ReusableController {
    func configure(with model: Int) {}
    func prepareForReuse() {}
    func willDisappear(animated: Bool) { MainActor.preconditionIsolated() }
    func didDisappear(animated: Bool) { MainActor.preconditionIsolated() }
  }

  init(_ scene: Scene, model: Input<Int>, clock: ManualClock, gate: ManualServer<Int>) {
    self.clock = clock
    life = scene.census.life("screen")
    box = Box(Label())
    box.bind(\.number, to: model.map { $0 + 1 })
    token = model.zip(input).observe { _ in scene.called("observer") }
    animator = ClockAnimator(clock: clock)
    container = StateContainer(initialState: 0, animator: animator) { _ in [Child(scene, outlives: true)] }
    host = AsyncHost(
      AsyncResource { try await gate.wait() }, pacer: DisplayPacer(clock: clock),
      children: { _ in [Child(scene, outlives: true)] })
    container.willAppear(animated: false)
    container.didAppear(animated: false)
    container.setNeedsTransition(to: 1, animated: true)
    host.appear(animated: false)
    host.start()
    cell.configure(with: 1)
    cell.willDisplay()
    load = data.start { try await gate.wait() }
  }
}

/// As few lines as a user would have: a screen with a load under way.
@MainActor
final class PlainScreen {
  let data = AsyncData<Int>()
  private let life: Census.Life

  init(_ gate: ManualServer<Int>, _ census: Census) {
    life = census.life("screen")
    let life = census.life("operation")
    data.start {
      _ = life
      return try await gate.wait()
    }
  }
}

actor Session {
  private let data = AsyncData<Int>()
  private let input = Input(0)
  private var token: ObservedToken?
  private var host: AsyncHost<Int>?
  private let life: Census.Life

  init(_ life: Census.Life) {
    self.life = life
  }

  func open(_ gate: ManualServer<Int>) {
    data.start(isolation: self) { try await gate.wait() }
    token = data.observed.zip(input).observe { _ in }
    input.write(1)
    host = AsyncHost(AsyncResource(isolation: self) { .value { 1 } }, children: { _ in [] })
    host?.start()
  }
}

@MainActor
func releaseScreens() async {
  let scene = Scene(home: MainActor.shared)
  let clock = ManualClock()
  let gate = ManualServer<Int>()
  let model = Input(0)
  var screens = (0..<ownersOfARound).map { _ in Screen(scene, model: model, clock: clock, gate: gate) }
  Dropper.shared.drop(&screens)
  var number = 0
  while scene.census.count("screen") > 0 {
    number += 1
    model.write(number)
  }
  for _ in 0..<3 { await turn(of: MainActor.shared) }
  scene.released()
  model.write(-1)
  await clock.advance(by: .seconds(100))
  await scene.census.isEmpty()
  expect(clock.sleeperCount == 0, "\(clock.sleeperCount) sleepers are left")
}

@MainActor
func releasePlainScreens() async {
  let count = 100
  let census = Census()
  let gate = ManualServer<Int>(ignoresCancellation: Bool.random())
  var screens = (0..<count).map { _ in PlainScreen(gate, census) }
  // Released before their operations begin, while they are answered, or before.
  let way = Int.random(in: 0..<3)
  if way > 0 { await gate.arrived(count) }
  if way > 1 { for call in 1...count { gate.answer(call: call, with: .success(call)) } }
  Dropper.shared.drop(&screens)
  for call in 1...count { gate.answer(call: call, with: .success(call)) }
  await census.isEmpty()
}

@MainActor
func releaseSessions() async {
  let census = Census()
  let gate = ManualServer<Int>()
  var sessions: [Session] = []
  for _ in 0..<ownersOfARound {
    let session = Session(census.life("session"))
    await session.open(gate)
    sessions.append(session)
  }
  Dropper.shared.drop(&sessions)
  for call in 1...ownersOfARound { gate.answer(call: call, with: .success(call)) }
  await census.isEmpty()
}
