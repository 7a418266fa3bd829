// SPDX-License-Identifier: MIT
@testable import AsyncState
import Testing

/// A container in use, with user code wherever the library takes any.
@MainActor
final class ContainerRig: ReentryRig {
  /// Those beside the calls to children and to the delegate: inside these the model of a container does everything, too.
  enum Callback: CaseIterable {
    case animator, releaseOfAChild, releaseOfAState, trackedState, trackedChildren, trackedAppearance, trackedTransition
  }

  enum Method: CaseIterable {
    case read, same, sameAnimated, other, otherAnimated, empty, twoRequests, awaited, awaitedAndCancelled, forward,
      back
    case forwardTwice, disappearAndAppear, finishAnimations, dropAnimations, dropDelegate, dropContainer
  }

  enum Kind: CaseIterable { case keepsState, requestsAgain }

  /// A state that is released by user code.
  struct State {
    let number: Int
    let farewell: Farewell
  }

  final class Keeper: TransitionAnimator {
    var animations: [TransitionAnimation] = []
    let reentry: Reentry<ContainerRig>

    init(_ reentry: Reentry<ContainerRig>) { self.reentry = reentry }

    func animate(_ animation: TransitionAnimation) {
      animations.append(animation)
      animation.run()
      reentry.reached(.animator)
    }

    func finishAll() {
      while let animation = animations.popLast() { animation.finish() }
    }
  }

  final class Child: ScriptedSpeaker {
    private let farewell: Farewell

    init(_ number: Int, _ log: Log) {
      farewell = Farewell { [reentry = log.reentry] in reentry.reached(.releaseOfAChild) }
      super.init(number, { log.marks.append($0) }, .seconds(1), .zero)
    }
  }

  /// What the container has called, and the children that it was given.
  final class Log {
    let reentry: Reentry<ContainerRig>
    var marks: [ContainerMark] = []
    var casts: [[Int]] = []

    init(_ reentry: Reentry<ContainerRig>) { self.reentry = reentry }
  }

  let reentry: Reentry<ContainerRig>
  private let log: Log
  private let keeper: Keeper
  private var delegate: ScriptedDelegate<State>?
  private var container: StateContainer<State>?
  private weak var weakContainer: StateContainer<State>?
  private var tasks: [Task<Void, Never>] = []
  private var laws = ContainerLaws()

  init(_ kind: Kind, _ reentry: Reentry<ContainerRig>) {
    self.reentry = reentry
    let log = Log(reentry)
    self.log = log
    keeper = Keeper(reentry)
    let cast = (0..<4).map { Child($0, log) }
    let children: (State) -> [any ChildController] = { state in
      log.marks.append(.children(state.number))
      let children =
        switch state.number {
        case 0: [cast[0]]
        case 1: [cast[1], cast[2]]
        // One of them is another one each time.
        case 2: [cast[2], cast[3], Child(4 + log.casts.count, log)]
        default: [Child]()
        }
      log.casts.append(children.map(\.number))
      return children
    }
    let initial: () -> State = {
      log.marks.append(.initialState)
      return State(number: 0, farewell: Farewell { reentry.reached(.releaseOfAState) })
    }
    let container = Self.make(kind, initial, keeper, children)
    self.container = container
    weakContainer = container
    delegate = ScriptedDelegate({ $0.number }, { log.marks.append($0) })
    container.delegate = delegate
    // An initial state that is requested is not read here: it would be requested once more.
    reentry.track(.trackedState) { [weak container] in
      if container?.hasDeterminedState == true { _ = container?.currentState }
    }
    reentry.track(.trackedChildren) { [weak container] in _ = container?.children }
    reentry.track(.trackedAppearance) { [weak container] in _ = container?.appearance }
    reentry.track(.trackedTransition) { [weak container] in _ = container?.isTransitioning }
  }

  private static func make(
    _ kind: Kind, _ initial: @escaping () -> State, _ keeper: Keeper,
    _ children: @escaping (State) -> [any ChildController]
  ) -> StateContainer<State> {
    if kind == .requestsAgain { return StateContainer(appearanceState: initial, animator: keeper, children: children) }
    return StateContainer(initialState: initial(), animator: keeper, children: children)
  }

  private func state(_ number: Int) -> State {
    let reentry = reentry
    return State(number: number, farewell: Farewell { reentry.reached(.releaseOfAState) })
  }

  // MARK: The scenario

  func run() {
    step(to: .visible)
    request(1, animated: true)
    keeper.finishAll()
    request(2, animated: false)
    request(3, animated: true)
    request(0, animated: true)
    step(to: .gone)
    request(1, animated: true)
    container?.willAppear(animated: true)
    container?.willDisappear(animated: true)
    step(to: .gone)
    step(to: .visible)
    request(2, animated: true)
    container?.willDisappear(animated: false)
    container?.willAppear(animated: false)
    step(to: .visible)
    keeper.finishAll()
  }

  private func request(_ number: Int, animated: Bool) {
    container?.setNeedsTransition(to: state(number), animated: animated)
  }

  private func step(to goal: Appearance) {
    for _ in 0..<6 {
      guard let container, container.appearance != goal else { return }
      container.step(towards: goal)
    }
  }

  // MARK: The methods

  func call(_ method: Method) {
    guard let container else { return }
    let now = container.currentState.number
    switch method {
    case .read:
      _ = (container.currentState, container.hasDeterminedState, container.isTransitioning, container.appearance)
      _ = container.children
    case .same: request(now, animated: false)
    case .sameAnimated: request(now, animated: true)
    case .other: request((now + 1) % 3, animated: false)
    case .otherAnimated: request((now + 1) % 3, animated: true)
    case .empty: request(3, animated: true)
    case .twoRequests:
      request(3, animated: true)
      request(1, animated: false)
    case .awaited, .awaitedAndCancelled:
      let next = state((now + 2) % 3)
      let task = Task { _ = await container.transition(to: next, animated: true) }
      tasks.append(task)
      if method == .awaitedAndCancelled { task.cancel() }
    case .forward: container.step(towards: .visible)
    case .back: container.step(towards: .gone)
    case .forwardTwice: for _ in 0..<2 { container.step(towards: .visible) }
    case .disappearAndAppear:
      for _ in 0..<2 { container.step(towards: .gone) }
      for _ in 0..<2 { container.step(towards: .visible) }
    case .finishAnimations: keeper.finishAll()
    case .dropAnimations: _ = keeper.animations.takeAll()
    case .dropDelegate:
      _ = delegate.take()
      laws.hasDelegate = false
    case .dropContainer:
      _ = self.container.take()
    }
  }

  // MARK: The laws

  func expectAllIsWell(_ what: String) async {
    reentry.end()
    for round in 0..<10 {
      keeper.finishAll()
      // Requests that a task makes get their turn.
      await turnOfTheMainActor()
      step(to: round % 2 == 0 ? .visible : .gone)
    }
    step(to: .visible)
    keeper.finishAll()
    // A call keeps its container, and one that has no driver any more ends with its task only.
    if container == nil { for task in tasks { task.cancel() } }
    for task in tasks { await task.value }
    keeper.finishAll()
    var broken = [hear()]
    if container != nil {
      broken.append(rest())
      step(to: .gone)
      broken += [hear(), rest()]
    }
    #expect(broken.allSatisfy { $0 == nil }, "\(what): \(broken.compactMap(\.self)) in \(log.marks)")
    _ = tasks.takeAll()
    _ = container.take()
    _ = keeper.animations.takeAll()
    #expect(weakContainer == nil, "1.6, \(what)")
  }

  private func hear() -> String? {
    var (marks, casts) = ([ContainerMark](), [[Int]]())
    swap(&marks, &log.marks)
    swap(&casts, &log.casts)
    return laws.hear(marks) { _ in casts.removeFirst() }
  }

  private func rest() -> String? {
    guard let container else { return nil }
    return laws.rest(
      surface: container.children.map { ($0 as! ScriptedChild).number }, isTransitioning: container.isTransitioning,
      appearance: container.appearance)
  }
}
