// SPDX-License-Identifier: MIT
@testable import AsyncState

/// What a container does, written down plainly from the contract, section 5.
///
/// What is requested while something is being done stands in a line, and has its turn when that is over. A value: a test that
/// wants
/// to try several continuations takes copies.
struct ContainerModel {
  typealias Mark = ContainerMark

  struct Request {
    let state: Int
    let animated: Bool
    /// Who waits for its end.
    let waiter: Int?
  }

  /// A transition between its "will" and its "did".
  struct Transition {
    let left: Int?
    let animated: Bool
    let waiter: Int?
    var comers: [Int] = []
    var leavers: [Int] = []
    /// The animations whose ends are still to come.
    var animations: [Int] = []
    /// The animations are being handed over, one after another: it is too early for its "did".
    var isBeginning = false
  }

  struct Animation {
    let child: Int
    let isAppearing: Bool
    var hasRun = false
    /// It has ended, or no caller waits for its end any more.
    var isOver = false
    /// Its animator has released it. If it is not over, the container has not noticed.
    var isReleased = false
  }

  enum InLine {
    case request(Request)
    case call(LifecycleCall, animated: Bool)
    case animationEnd(Int)
  }

  let setup: ContainerSetup

  // What can be read of the container.
  var state: Int?
  var appearance = Appearance.gone
  var surface: [Int] = []
  private(set) var outcomes: [Int: TransitionOutcome] = [:]
  private(set) var trace: [Mark] = []
  var transition: Transition?
  var isTransitioning: Bool { transition != nil }

  var initialState = 0
  /// The children of the state, each once.
  var cast: [Int] = []
  var line: [InLine] = []
  private var isBusy = false

  /// The animations that were released since the actor was free.
  var released: [Int] = []

  private var isReleased = false
  private(set) var isGone = false
  /// How many have waited for a transition.
  private(set) var waiterCount = 0

  var animations: [Animation] = []
  /// What the clock animator has to do, and when.
  var agenda: [(time: Int, animation: Int, isEnd: Bool)] = []
  var now = 0

  /// What is done inside callbacks, and how many callbacks there were.
  private var inside: [Inside<ContainerAction>] = []
  private var callbackCount = 0
  private var mayBeReleased = true

  init(_ setup: ContainerSetup) {
    self.setup = setup
  }

  // MARK: Requests

  mutating func perform(_ command: ContainerCommand) {
    trace = []
    inside = command.inside
    callbackCount = 0
    mayBeReleased = outcomes.count == waiterCount
    switch command.action {
    case .now(let action): act(action)
    case .transition(let state, let animated):
      mayBeReleased = false
      guard !isGone else { break }
      waiterCount += 1
      request(Request(state: state % setup.cast.count, animated: animated, waiter: waiterCount - 1))
    case .cancel(let back): if back < waiterCount { cancel(waiterCount - 1 - back) }
    case .ticks(let count):
      for _ in 0..<count { tick() }
    }
    carryOutReleases()
    // A running animation keeps it, and so does a task that waits for one of its transitions.
    if isReleased && animations.allSatisfy(\.isOver) && outcomes.count == waiterCount { isGone = true }
  }

  private mutating func act(_ action: ContainerAction) {
    switch action {
    case .request(let state, let animated):
      if !isGone { request(Request(state: state % setup.cast.count, animated: animated, waiter: nil)) }
    case .call(let call, let animated):
      if !isGone { self.call(call, animated: animated) }
    case .step(let turningBack, let animated):
      if !isGone { call(.next(from: appearance, turningBack: turningBack), animated: animated) }
    case .run(let back): animation(back).map { run($0) }
    case .finish(let back): animation(back).map { finish($0) }
    case .letGo(let back):
      if setup.animator == .held || setup.animator == .eager { animation(back).map { release($0) } }
    case .initialState(let state): initialState = state % setup.cast.count
    case .release: isReleased = isReleased || mayBeReleased
    }
  }

  private func animation(_ back: Int) -> Int? {
    // The immediate animator keeps nothing that could be touched later.
    guard setup.animator != .immediate, back < animations.count else { return nil }
    let index = animations.count - 1 - back
    return animations[index].isReleased ? nil : index
  }

  private mutating func request(_ request: Request) {
    if !isBusy { noticeReleases() }
    takePending { _ in true }.map { settle($0.waiter, .superseded) }
    line.append(.request(request))
    carryOn()
  }

  /// The one request that waits.
  private mutating func takePending(where matches: (Request) -> Bool) -> Request? {
    for (index, waiting) in line.enumerated() {
      guard case .request(let request) = waiting, matches(request) else { continue }
      line.remove(at: index)
      return request
    }
    return nil
  }

  /// The task that awaits a transition is cancelled.
  private mutating func cancel(_ waiter: Int) {
    guard outcomes[waiter] == nil else { return }
    _ = takePending { $0.waiter == waiter }
    settle(waiter, .dropped)
  }

  private mutating func call(_ call: LifecycleCall, animated: Bool) {
    if !isBusy { noticeReleases() }
    var byThen = appearance
    for case .call(let earlier, _) in line { byThen = Self.appearance(after: earlier, from: byThen)! }
    guard Self.appearance(after: call, from: byThen) != nil else { return }
    line.append(.call(call, animated: animated))
    carryOn()
  }

  /// Where a life-cycle call leads; nil where it repeats or skips.
  static func appearance(after call: LifecycleCall, from appearance: Appearance) -> Appearance? {
    switch call {
    case .willAppear: appearance == .gone || appearance == .disappearing ? .appearing : nil
    case .didAppear: appearance == .appearing ? .visible : nil
    case .willDisappear: appearance == .visible || appearance == .appearing ? .disappearing : nil
    case .didDisappear: appearance == .disappearing ? .gone : nil
    }
  }

  // MARK: Turns

  mutating func carryOn() {
    while !isBusy, let next = takeNext() {
      isBusy = true
      switch next {
      case .request(let request): begin(request)
      case .call(let call, let animated): carryOut(call, animated)
      case .animationEnd(let index): end(index)
      }
      isBusy = false
    }
  }

  private mutating func takeNext() -> InLine? {
    if let end = takeEnd() { return .animationEnd(end) }
    guard let first = line.first else { return nil }
    guard case .request = first else { return line.removeFirst() }
    if transition == nil && (appearance == .visible || appearance == .gone) { return line.removeFirst() }
    // The request waits on; a life-cycle call behind it has its turn.
    return line.count > 1 ? line.remove(at: 1) : nil
  }

  /// Ends of animations come before all else.
  mutating func takeEnd() -> Int? {
    for (index, waiting) in line.enumerated() {
      guard case .animationEnd(let animation) = waiting else { continue }
      line.remove(at: index)
      return animation
    }
    return nil
  }

  mutating func settle(_ waiter: Int?, _ outcome: TransitionOutcome) {
    // One that was cancelled has had its outcome.
    guard let waiter, outcomes[waiter] == nil else { return }
    outcomes[waiter] = outcome
  }

  // MARK: Callbacks

  mutating func mark(_ mark: Mark) {
    trace.append(mark)
    let number = callbackCount
    callbackCount += 1
    for one in inside where one.callback == number { act(one.action) }
  }
}
