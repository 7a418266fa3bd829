@testable import AsyncState

/// What a container does, written down plainly from the contract, section 5.
///
/// What comes in while something is being done stands in a line, and has its turn when that is over. A value: whoever wants
/// to try several continuations takes copies.
struct ContainerModel {
  typealias Mark = ContainerMark

  private struct Request {
    let state: Int
    let animated: Bool
    /// Who waits for its end.
    let waiter: Int?
  }

  /// A transition between its "will" and its "did".
  private struct Transition {
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

  private struct Animation {
    let child: Int
    let isAppearing: Bool
    var hasRun = false
    /// It has ended, or nobody waits for its end any more.
    var isOver = false
  }

  private enum InLine {
    case request(Request)
    case call(LifecycleCall, animated: Bool)
    case animationEnd(Int)
  }

  let setup: ContainerSetup

  // What can be read of the container.
  private(set) var state: Int?
  private(set) var appearance = Appearance.gone
  private(set) var surface: [Int] = []
  private(set) var outcomes: [Int: TransitionOutcome] = [:]
  private(set) var trace: [Mark] = []
  private var transition: Transition?
  var isTransitioning: Bool { transition != nil }

  private var initialState = 0
  /// The children of the state, each once.
  private var cast: [Int] = []
  private var line: [InLine] = []
  private var isBusy = false

  private var isReleased = false
  private(set) var isGone = false
  /// How many have waited for a transition.
  private(set) var waiterCount = 0

  private var animations: [Animation] = []
  /// What the clock animator has to do, and when.
  private var agenda: [(time: Int, animation: Int, isEnd: Bool)] = []
  private var now = 0

  /// What is done inside callbacks, and how many callbacks there were.
  private var inside: [ContainerCommand.Inside] = []
  private var callbackCount = 0
  private var mayBeReleased = true

  init(_ setup: ContainerSetup) {
    self.setup = setup
  }

  // MARK: What comes in

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
    case .letGo(let back):
      if setup.animator == .held || setup.animator == .eager, let index = animation(back) { finish(index) }
    case .ticks(let count):
      for _ in 0..<count { tick() }
    }
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
    case .initialState(let state): initialState = state % setup.cast.count
    case .release: isReleased = isReleased || mayBeReleased
    }
  }

  private func animation(_ back: Int) -> Int? {
    // The immediate animator keeps nothing that could be touched later.
    guard setup.animator != .immediate, back < animations.count else { return nil }
    return animations.count - 1 - back
  }

  private mutating func request(_ request: Request) {
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

  private mutating func carryOn() {
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
  private mutating func takeEnd() -> Int? {
    for (index, waiting) in line.enumerated() {
      guard case .animationEnd(let animation) = waiting else { continue }
      line.remove(at: index)
      return animation
    }
    return nil
  }

  private mutating func settle(_ waiter: Int?, _ outcome: TransitionOutcome) {
    // One that was cancelled has had its outcome.
    guard let waiter, outcomes[waiter] == nil else { return }
    outcomes[waiter] = outcome
  }

  // MARK: Transitions

  private mutating func begin(_ request: Request) {
    enter(request.state, request.animated, request.waiter)
    let next = ask(request.state)
    let leavers = cast.filter { !next.contains($0) }
    let comers = next.filter { !cast.contains($0) }
    transition!.leavers = leavers
    transition!.comers = comers
    if appearance == .gone {
      for child in leavers { mark(.attach(.willDetach, child)) }
      for child in comers { mark(.attach(.willAttach, child)) }
      arrange(next, under: leavers)
      for child in comers { mark(.attach(.didAttach, child)) }
      for child in leavers { vanish(child) }
      return close()
    }
    for child in leavers {
      mark(.attach(.willDetach, child))
      will(.willDisappear, child, request.animated)
    }
    for child in comers {
      mark(.attach(.willAttach, child))
      will(.willAppear, child, request.animated)
    }
    arrange(next, under: leavers)
    if request.animated {
      transition!.isBeginning = true
      for child in comers { animate(child, isAppearing: true) }
      for child in leavers { animate(child, isAppearing: false) }
      transition!.isBeginning = false
      if transition!.animations.isEmpty { close() }
    } else {
      for child in comers { arrive(child, false) }
      for child in leavers { leave(child, false) }
      close()
    }
  }

  private mutating func enter(_ next: Int, _ animated: Bool, _ waiter: Int?) {
    transition = Transition(left: state, animated: animated, waiter: waiter)
    mark(.will(next, animated))
    state = next
  }

  private mutating func ask(_ state: Int) -> [Int] {
    mark(.children(state))
    var once: [Int] = []
    for child in setup.cast[state] where !once.contains(child) { once.append(child) }
    return once
  }

  private mutating func close() {
    let over = transition!
    transition = nil
    mark(.did(over.left, over.animated))
    settle(over.waiter, .finished)
  }

  // MARK: Life cycle

  private mutating func carryOut(_ call: LifecycleCall, _ animated: Bool) {
    let former = appearance
    appearance = Self.appearance(after: call, from: former)!
    switch call {
    case .willAppear:
      if former == .disappearing {
        endLeaving(animated)
        for child in cast { will(.willAppear, child, animated) }
      } else if setup.keepsState && state != nil {
        for child in cast { will(.willAppear, child, animated) }
      } else {
        appear(animated)
      }
    case .didAppear:
      for child in cast {
        let isComing = transition?.comers.contains(child) == true
        if isComing { arrive(child, animated) } else { did(.didAppear, child, animated) }
      }
      if transition != nil { close() }
    case .willDisappear:
      for child in cast {
        if transition?.comers.contains(child) == true {
          cutShort(child)
          tellEnd(child)
          arrive(child, animated)
        } else if former == .appearing {
          did(.didAppear, child, animated)
        }
      }
      for child in transition?.leavers ?? [] { cutShort(child) }
      for child in cast { will(.willDisappear, child, animated) }
    case .didDisappear:
      endLeaving(animated, beforeDid: cast)
    }
  }

  /// Those that go are gone, and with the last of them their transition is over.
  private mutating func endLeaving(_ animated: Bool, beforeDid others: [Int] = []) {
    for child in transition?.leavers ?? [] {
      tellEnd(child)
      leave(child, animated)
    }
    for child in others { did(.didDisappear, child, animated) }
    if transition != nil { close() }
  }

  private mutating func appear(_ animated: Bool) {
    let isFirst = state == nil
    if !setup.keepsState { mark(.initialState) }
    let next = setup.keepsState ? 0 : initialState
    enter(next, animated, nil)
    let list = ask(next)
    let leavers = cast.filter { !list.contains($0) }
    let comers = list.filter { !cast.contains($0) }
    for child in leavers { mark(.attach(.willDetach, child)) }
    for child in leavers { vanish(child) }
    if comers.isEmpty && !isFirst {
      arrange(list, under: [])
      close()
      for child in list { will(.willAppear, child, animated) }
    } else {
      transition!.comers = comers
      for child in list {
        if comers.contains(child) { mark(.attach(.willAttach, child)) }
        will(.willAppear, child, animated)
      }
      arrange(list, under: [])
    }
  }

  // MARK: Children

  private mutating func arrive(_ child: Int, _ animated: Bool) {
    transition!.comers.removeAll { $0 == child }
    did(.didAppear, child, animated)
    mark(.attach(.didAttach, child))
  }

  /// A child leaves in the sight of all: off the surface, disappeared, detached.
  private mutating func leave(_ child: Int, _ animated: Bool) {
    takeOff(child)
    did(.didDisappear, child, animated)
    mark(.attach(.didDetach, child))
  }

  /// A child leaves that was not visible.
  private mutating func vanish(_ child: Int) {
    takeOff(child)
    mark(.attach(.didDetach, child))
  }

  private mutating func takeOff(_ child: Int) {
    transition!.leavers.removeAll { $0 == child }
    surface.removeAll { $0 == child }
    mark(.arranged(surface))
  }

  private mutating func arrange(_ next: [Int], under leavers: [Int]) {
    let isNews = next + leavers != surface
    cast = next
    surface = next + leavers
    if isNews { mark(.arranged(surface)) }
  }

  private mutating func will(_ call: LifecycleCall, _ child: Int, _ animated: Bool) {
    mark(.delegateAppear(call, child, animated))
    mark(.appear(call, child, animated))
  }

  private mutating func did(_ call: LifecycleCall, _ child: Int, _ animated: Bool) {
    mark(.appear(call, child, animated))
    mark(.delegateAppear(call, child, animated))
  }

  // MARK: Animations

  private mutating func animate(_ child: Int, isAppearing: Bool) {
    let hasSay = Mark.hasSay(child)
    if hasSay {
      for call in [Mark.AnimationCall.begin, .time, .wait] { mark(.animation(call, child, isAppearing: isAppearing)) }
    }
    let index = animations.count
    animations.append(Animation(child: child, isAppearing: isAppearing))
    transition!.animations.append(index)
    switch setup.animator {
    case .immediate: finish(index)
    case .held: break
    case .eager: if index % 2 == 0 { finish(index) }
    case .clock:
      let start = now + (hasSay ? max(setup.delays[child], 0) : 0)
      schedule(start, index, isEnd: false)
      // A child without a say in it takes 0.35 s.
      schedule(start + (hasSay ? max(setup.durations[child], 0) : 7), index, isEnd: true)
    }
    // What has ended by the time the animator returns has its turn then.
    while let ended = takeEnd() { end(ended) }
  }

  private mutating func schedule(_ time: Int, _ index: Int, isEnd: Bool) {
    if time <= now {
      if isEnd { finish(index) } else { run(index) }
    } else {
      agenda.append((time, index, isEnd))
    }
  }

  /// How many times the clock animator is still to act at.
  var agendaCount: Int { agenda.count }

  private mutating func tick() {
    now += 1
    while let next = agenda.firstIndex(where: { $0.time == now }) {
      let (_, index, isEnd) = agenda.remove(at: next)
      if isEnd { finish(index) } else { run(index) }
    }
  }

  private mutating func run(_ index: Int) {
    guard !animations[index].hasRun, !animations[index].isOver else { return }
    animations[index].hasRun = true
    let animation = animations[index]
    if Mark.hasSay(animation.child) { mark(.animation(.move, animation.child, isAppearing: animation.isAppearing)) }
  }

  private mutating func finish(_ index: Int) {
    run(index)
    // It may have been finished while it was being run.
    guard !animations[index].isOver else { return }
    animations[index].isOver = true
    line.append(.animationEnd(index))
    carryOn()
  }

  /// The end of an animation has its turn. It is late if the container is about to disappear, or the transition is over.
  private mutating func end(_ index: Int) {
    guard appearance == .visible, transition?.animations.contains(index) == true else { return }
    let animation = animations[index]
    tellEnd(animation.child)
    if animation.isAppearing { arrive(animation.child, true) } else { leave(animation.child, true) }
    if !transition!.isBeginning && transition!.animations.isEmpty { close() }
  }

  /// The child takes up its last position, and nobody waits for the end.
  private mutating func cutShort(_ child: Int) {
    guard let index = transition!.animations.first(where: { animations[$0].child == child }) else { return }
    run(index)
    animations[index].isOver = true
  }

  private mutating func tellEnd(_ child: Int) {
    guard let index = transition!.animations.first(where: { animations[$0].child == child }) else { return }
    transition!.animations.removeAll { $0 == index }
    if Mark.hasSay(child) { mark(.animation(.end, child, isAppearing: animations[index].isAppearing)) }
  }

  // MARK: Callbacks

  private mutating func mark(_ mark: Mark) {
    trace.append(mark)
    let number = callbackCount
    callbackCount += 1
    for one in inside where one.callback == number { act(one.action) }
  }
}
