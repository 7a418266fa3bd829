// SPDX-License-Identifier: MIT
import AsyncState
import Testing

extension AllTests {
  @MainActor
  struct ContainerReentryTests {
    enum Callback: CaseIterable {
      case initialState, children, willTransition, didTransition, childWillAppear, childDidAppear, childWillDisappear
      case childDidDisappear, didArrange, willAttach, didAttach, willDetach, didDetach, willAppear, didAppear
      case willDisappear, didDisappear, duration, delay, willBegin, animate, didEnd, animator, releaseOfAChild
      case releaseOfAState, trackedState, trackedChildren, trackedAppearance, trackedTransition
    }

    enum Method: CaseIterable {
      case read, same, sameAnimated, other, otherAnimated, empty, twoRequests, awaited, awaitedAndCancelled, forward,
        back
      case forwardTwice, disappearAndAppear, finishAnimations, dropAnimations, dropDelegate, dropContainer
    }

    @Test("1.9, 5.16 no crash, callbacks in pairs, and the last request at rest", arguments: Callback.allCases)
    func table(_ callback: Callback) async {
      for repeats in [false, true] {
        let plain = ContainerRig(requestsAgain: repeats)
        plain.run()
        let counts = plain.reentry.counts
        await plain.expectAllIsWell("nothing called inside")
        for entry in reentryCases(callback, Method.self, counts: counts) {
          announce(entry)
          let rig = ContainerRig(requestsAgain: repeats, .once(entry))
          rig.run()
          #expect(rig.reentry.hasFired, "\(entry)")
          await rig.expectAllIsWell("\(entry)\(repeats ? ", requests again" : "")")
        }
      }
    }

    @Test("1.4, 1.9 any methods inside any callbacks")
    func anything() async {
      for seed in reentrySeeds {
        announce("seed \(seed)")
        let rig = ContainerRig(requestsAgain: seed % 2 == 1, .random(seed: seed))
        rig.run()
        await rig.expectAllIsWell("seed \(seed)")
      }
    }
  }
}

/// A container in use, with user code wherever the library takes any.
@MainActor
private final class ContainerRig {
  typealias Callback = AllTests.ContainerReentryTests.Callback
  typealias Method = AllTests.ContainerReentryTests.Method

  /// A state that is released by user code.
  struct State {
    let number: Int
    let farewell: Farewell
  }

  final class Keeper: TransitionAnimator {
    var animations: [TransitionAnimation] = []
    let trace: ContainerTrace

    init(_ trace: ContainerTrace) { self.trace = trace }

    func animate(_ animation: TransitionAnimation) {
      animations.append(animation)
      animation.run()
      trace.reentry.reached(.animator)
    }

    func finishAll() {
      while let animation = animations.popLast() { animation.finish() }
    }
  }

  let reentry: Reentry<Callback>
  private let trace: ContainerTrace
  private let keeper: Keeper
  private var delegate: ContainerTraceDelegate<State>?
  private var container: StateContainer<State>?
  private weak var weakContainer: StateContainer<State>?
  private var tasks: [Task<Void, Never>] = []
  private let requestsAgain: Bool

  init(requestsAgain: Bool, _ plan: ReentryPlan<Callback, Method> = .nothing) {
    final class Way { weak var rig: ContainerRig? }
    let way = Way()
    let reentry = plan.reentry { method in MainActor.assumeIsolated { way.rig?.call(method) } }
    self.reentry = reentry
    self.requestsAgain = requestsAgain
    let trace = ContainerTrace(reentry)
    self.trace = trace
    keeper = Keeper(trace)
    let cast = ["spin", "list", "head", "note"].map { ContainerTraceChild($0, trace) }
    let children: (State) -> [any ChildController] = { state in
      reentry.reached(.children)
      let children: [ContainerTraceChild] =
        switch state.number {
        case 0: [cast[0]]
        case 1: [cast[1], cast[2]]
        case 2: [cast[2], cast[3], ContainerTraceChild("once\(trace.requests)", trace)]
        default: []
        }
      trace.requested(children)
      return children
    }
    let initial: () -> State = {
      reentry.reached(.initialState)
      return State(number: 0, farewell: Farewell { reentry.reached(.releaseOfAState) })
    }
    let container = Self.make(requestsAgain, initial, keeper, children)
    self.container = container
    weakContainer = container
    delegate = ContainerTraceDelegate(trace)
    container.delegate = delegate
    way.rig = self
    // An initial state that is requested is not read here: it would be requested once more.
    reentry.track(.trackedState) { [weak container] in
      if container?.hasDeterminedState == true { _ = container?.currentState }
    }
    reentry.track(.trackedChildren) { [weak container] in _ = container?.children }
    reentry.track(.trackedAppearance) { [weak container] in _ = container?.appearance }
    reentry.track(.trackedTransition) { [weak container] in _ = container?.isTransitioning }
  }

  private static func make(
    _ requestsAgain: Bool, _ initial: @escaping () -> State, _ keeper: Keeper,
    _ children: @escaping (State) -> [any ChildController]
  ) -> StateContainer<State> {
    if requestsAgain { return StateContainer(appearanceState: initial, animator: keeper, children: children) }
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

  /// One call of the life cycle that is due now, towards where the container is to be.
  private func step(towards goal: Appearance, _ container: StateContainer<State>) {
    switch (container.appearance, goal) {
    case (.gone, .visible): container.willAppear(animated: false)
    case (.appearing, .visible): container.didAppear(animated: false)
    case (.disappearing, .visible): container.willAppear(animated: false)
    case (.visible, _), (.appearing, _): container.willDisappear(animated: false)
    case (.disappearing, _): container.didDisappear(animated: false)
    case (.gone, _): break
    }
  }

  private func step(to goal: Appearance) {
    for _ in 0..<6 {
      guard let container, container.appearance != goal else { return }
      step(towards: goal, container)
    }
  }

  // MARK: The methods

  private func call(_ method: Method) {
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
    case .forward: step(towards: .visible, container)
    case .back: step(towards: .gone, container)
    case .forwardTwice: for _ in 0..<2 { step(towards: .visible, container) }
    case .disappearAndAppear:
      for _ in 0..<2 { step(towards: .gone, container) }
      for _ in 0..<2 { step(towards: .visible, container) }
    case .finishAnimations: keeper.finishAll()
    case .dropAnimations: _ = keeper.animations.takeAll()
    case .dropDelegate:
      _ = delegate.take()
      trace.hasDelegate = false
    case .dropContainer:
      _ = self.container.take()
      trace.isDropped = true
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
    var broken = trace.broken
    if let container {
      if container.isTransitioning { broken.append("still in a transition") }
      let names = container.children.map { ($0 as? ContainerTraceChild)?.name ?? "?" }
      if names != trace.lastRequested { broken.append("children \(names), requested \(trace.lastRequested)") }
      if trace.hasDelegate, names != trace.lastArranged {
        broken.append("arranged \(trace.lastArranged), and \(names)")
      }
      broken += trace.brokenAtRest(isVisible: true, names)
      step(to: .gone)
      broken += trace.brokenAtRest(isVisible: false, names)
    }
    #expect(broken.isEmpty, "\(what): \(trace.text)")
    _ = tasks.takeAll()
    _ = container.take()
    _ = keeper.animations.takeAll()
    #expect(weakContainer == nil, "1.6, \(what)")
  }
}

/// Suspends until what waited for the main actor has had its turn.
@MainActor
func turnOfTheMainActor() async {
  await Task { @MainActor in }.value
}
