// SPDX-License-Identifier: MIT
import AsyncStateJournal
@testable import AsyncState
import AsyncStateTesting

/// A container with its delegate, children and callers, driven by commands.
@ModelActor
final class ContainerUnderTest {
  let setup: ContainerSetup
  let clock = ManualClock()
  private(set) var trace: [ContainerMark] = []
  /// What was recorded, if the setup has a journal.
  private(set) var journal: JournalAudit?
  private(set) var outcomes: [Int: TransitionOutcome] = [:]

  private var owned: StateContainer<Int>?
  private(set) weak var container: StateContainer<Int>?
  private var children: [ScriptedChild] = []
  private let animator: any TransitionAnimator
  private let puppets = Puppets()
  private var delegate: ScriptedDelegate<Int>?
  private var initialState = 0
  private var waiters: [Task<Void, Never>] = []
  private var waiterCount: Int { waiters.count }

  private var inside: [Inside<ContainerAction>] = []
  private var callbackCount = 0
  private var mayBeReleased = true

  init(_ setup: ContainerSetup) {
    self.setup = setup
    switch setup.animator {
    case .immediate: animator = ImmediateAnimator()
    case .held: animator = PuppetAnimator(puppets) { _, _ in }
    case .eager: animator = PuppetAnimator(puppets) { if $1 % 2 == 0 { $0.finish() } }
    case .clock:
      let inner = ClockAnimator(isolation: ModelActor.shared, clock: clock)
      animator = PuppetAnimator(puppets) { animation, _ in inner.animate(animation) }
    }
    let note: (ContainerMark) -> Void = { [unowned self] in mark($0) }
    children = (0..<ContainerSetup.childCount).map { number in
      ContainerMark.hasSay(number)
        ? ScriptedSpeaker(number, note, Self.tick * setup.durations[number], Self.tick * setup.delays[number])
        : ScriptedChild(number, note)
    }
    let delegate = ScriptedDelegate({ $0 }, note)
    self.delegate = delegate
    let request: (Int) -> [any ChildController] = { [unowned self] state in
      mark(.children(state))
      return setup.cast[state].map { children[$0] }
    }
    owned =
      setup.keepsState
      ? StateContainer(initialState: 0, animator: animator, children: request)
      : StateContainer(
        appearanceState: { [unowned self] in askInitialState() }, animator: animator, children: request)
    owned?.delegate = delegate
    container = owned
    guard setup.hasJournal, let owned else { return }
    journal = JournalAudit(clock)
    journal?.journal.attach(owned, name: "container", child: { "\(($0 as! ScriptedChild).number)" })
  }

  private static var tick: Duration { .milliseconds(50) }

  private func askInitialState() -> Int {
    mark(.initialState)
    return initialState
  }

  // MARK: What is done

  func perform(_ command: ContainerCommand) async {
    trace = []
    inside = command.inside
    callbackCount = 0
    mayBeReleased = outcomes.count == waiterCount
    switch command.action {
    case .now(let action): act(action)
    case .transition(let state, let animated):
      mayBeReleased = false
      wait(for: state % setup.cast.count, animated: animated)
    case .cancel(let back): if back < waiterCount { waiters[waiterCount - 1 - back].cancel() }
    case .ticks(let count):
      // Nothing else reads the clock.
      guard setup.animator == .clock else { break }
      for _ in 0..<count { await clock.advance(by: Self.tick) }
    }
    // Without a clock, a caller that waits and a release all has happened by now.
    if setup.animator == .clock || waiterCount > 0 || puppets.hasReleased { await ModelActor.idle() }
    puppets.hasReleased = false
  }

  private func wait(for state: Int, animated: Bool) {
    guard let container else { return }
    let number = waiterCount
    waiters.append(
      ModelActor.task { [self] in outcomes[number] = await container.transition(to: state, animated: animated) })
  }

  private func act(_ action: ContainerAction) {
    switch action {
    case .request(let state, let animated):
      container?.setNeedsTransition(to: state % setup.cast.count, animated: animated)
    case .call(let call, let animated): container?.call(call, animated: animated)
    case .step(let turningBack, let animated): container?.step(turningBack: turningBack, animated: animated)
    case .run(let back): puppets[back]?.run()
    case .finish(let back): puppets[back]?.finish()
    case .letGo(let back): if setup.animator == .held || setup.animator == .eager { puppets.letGo(back) }
    case .initialState(let state): initialState = state % setup.cast.count
    case .release: if mayBeReleased { owned = nil }
    }
  }

  private func mark(_ mark: ContainerMark) {
    trace.append(mark)
    let number = callbackCount
    callbackCount += 1
    for one in inside where one.callback == number { act(one.action) }
  }

  // MARK: What can be read

  /// The state that the container is in; nil before it was in any.
  var state: Int? {
    container?.hasDeterminedState == true ? container?.currentState : nil
  }

  var surface: [Int] { container?.children.map { ($0 as! ScriptedChild).number } ?? [] }
}

/// The animations that an animator was given, in order.
final class Puppets {
  private var animations: [TransitionAnimation?] = []
  var hasReleased = false
  var count: Int { animations.count }

  func add(_ animation: TransitionAnimation) { animations.append(animation) }

  subscript(_ back: Int) -> TransitionAnimation? {
    back < animations.count ? animations[animations.count - 1 - back] : nil
  }

  func letGo(_ back: Int) {
    guard back < animations.count else { return }
    hasReleased = true
    animations[animations.count - 1 - back] = nil
  }
}

/// Keeps what it is given, and does with it what a command says.
final class PuppetAnimator: TransitionAnimator {
  private let puppets: Puppets
  private let body: (TransitionAnimation, _ number: Int) -> Void

  init(_ puppets: Puppets, _ body: @escaping (TransitionAnimation, _ number: Int) -> Void) {
    self.puppets = puppets
    self.body = body
  }

  func animate(_ animation: TransitionAnimation) {
    puppets.add(animation)
    body(animation, puppets.count - 1)
  }
}

/// Records its calls.
class ScriptedChild: ChildController {
  let number: Int
  fileprivate let note: (ContainerMark) -> Void

  init(_ number: Int, _ note: @escaping (ContainerMark) -> Void) {
    self.number = number
    self.note = note
  }

  func willAttach() { note(.attach(.willAttach, number)) }
  func didAttach() { note(.attach(.didAttach, number)) }
  func willDetach() { note(.attach(.willDetach, number)) }
  func didDetach() { note(.attach(.didDetach, number)) }
  func willAppear(animated: Bool) { note(.appear(.willAppear, number, animated)) }
  func didAppear(animated: Bool) { note(.appear(.didAppear, number, animated)) }
  func willDisappear(animated: Bool) { note(.appear(.willDisappear, number, animated)) }
  func didDisappear(animated: Bool) { note(.appear(.didDisappear, number, animated)) }
}

/// A child that has a say in its animation.
class ScriptedSpeaker: ScriptedChild, TransitioningController {
  private let duration: Duration
  private let delay: Duration

  init(_ number: Int, _ note: @escaping (ContainerMark) -> Void, _ duration: Duration, _ delay: Duration) {
    self.duration = duration
    self.delay = delay
    super.init(number, note)
  }

  func transitionWillBegin(isAppearing: Bool) { note(.animation(.begin, number, isAppearing: isAppearing)) }
  func transitionDuration(isAppearing: Bool) -> Duration {
    note(.animation(.time, number, isAppearing: isAppearing))
    return duration
  }
  func transitionDelay(isAppearing: Bool) -> Duration {
    note(.animation(.wait, number, isAppearing: isAppearing))
    return delay
  }
  func animateTransition(isAppearing: Bool) { note(.animation(.move, number, isAppearing: isAppearing)) }
  func transitionDidEnd(isAppearing: Bool) { note(.animation(.end, number, isAppearing: isAppearing)) }
}

/// A delegate that records its calls.
final class ScriptedDelegate<State>: StateContainerDelegate {
  private let name: (State) -> Int
  private let note: (ContainerMark) -> Void

  /// - Parameter name: The number of a state.
  init(_ name: @escaping (State) -> Int, _ note: @escaping (ContainerMark) -> Void) {
    self.name = name
    self.note = note
  }

  func container(_ container: StateContainer<State>, willTransitionTo nextState: State, animated: Bool) {
    note(.will(name(nextState), animated))
  }
  func container(_ container: StateContainer<State>, didTransitionFrom previousState: State?, animated: Bool) {
    note(.did(previousState.map(name), animated))
  }
  func container(_ container: StateContainer<State>, childWillAppear child: any ChildController, animated: Bool) {
    note(.delegateAppear(.willAppear, number(child), animated))
  }
  func container(_ container: StateContainer<State>, childDidAppear child: any ChildController, animated: Bool) {
    note(.delegateAppear(.didAppear, number(child), animated))
  }
  func container(_ container: StateContainer<State>, childWillDisappear child: any ChildController, animated: Bool) {
    note(.delegateAppear(.willDisappear, number(child), animated))
  }
  func container(_ container: StateContainer<State>, childDidDisappear child: any ChildController, animated: Bool) {
    note(.delegateAppear(.didDisappear, number(child), animated))
  }
  func container(_ container: StateContainer<State>, didArrange children: [any ChildController]) {
    note(.arranged(children.map(number)))
  }

  private func number(_ child: any ChildController) -> Int { (child as! ScriptedChild).number }
}
