/// Decides what a container does next: which request begins, which waits, and what a life-cycle call means just now.
///
/// The container carries out one *step* at a time, and asks for the next when it is done. What comes in meanwhile, from
/// whatever callback, is kept here, in order: the one request that waits, the life-cycle calls with the requests that came
/// after them, and the animations that have ended. So nothing recurses, and no step sees another half done.
@usableFromInline
struct TransitionMachine<State> {
  @usableFromInline typealias Request = TransitionRequest<State>

  @usableFromInline
  enum Phase {
    /// Every "will transition" has had its "did".
    case settled
    /// "Will transition" has been told, and its "did" is still to come.
    case transitioning
  }

  @usableFromInline
  enum Step {
    /// Carry out a transition.
    case transition(Request)
    /// The container comes or goes. The owner sets the new appearance first.
    case lifecycle(LifecycleCall, to: Appearance, animated: Bool)
    /// The animation with this number has ended.
    case endAnimation(Int)
    /// A life-cycle call that makes no sense here; nothing is to be done about it.
    case ignore(LifecycleMisuse)
  }

  @usableFromInline var appearance = Appearance.gone
  @usableFromInline var phase = Phase.settled

  /// The owner is carrying out a step.
  @usableFromInline var isStepping = false

  // What waits. Lists, and not optional values, though the first has one element at most: empty they are one word each,
  // whatever a state is, and nothing is allocated for a container that nobody asks in the middle.

  /// The request that begins as soon as one may.
  @usableFromInline private(set) var waiting: [Request] = []

  /// Life-cycle calls that came during a step, each with the last request that came after it.
  @usableFromInline private(set) var deferredCalls: [(call: LifecycleCall, animated: Bool, request: Request?)] = []

  /// Animations that ended during a step.
  @usableFromInline private(set) var endedAnimations: [Int] = []

  @inlinable
  init() {}

  /// No transition is open and the container does not change its appearance.
  @inlinable
  var mayTransition: Bool {
    phase == .settled && (appearance == .visible || appearance == .gone)
  }

  /// A request need not wait: nothing is being carried out, and nothing is in its way.
  @inlinable
  var mayBeginAtOnce: Bool { !isStepping && mayTransition }

  // MARK: What comes in

  /// A request comes in and waits.
  ///
  /// - Returns: The request whose place it takes.
  @usableFromInline
  mutating func submit(_ request: Request) -> Request? {
    guard let last = deferredCalls.indices.last else { return replaceWaiting(with: request) }
    var former: Request? = request
    swap(&former, &deferredCalls[last].request)
    return former
  }

  /// A life-cycle call comes in.
  ///
  /// - Returns: The request that it drops.
  @usableFromInline
  mutating func submit(_ call: LifecycleCall, animated: Bool) -> Request? {
    defer { deferredCalls.append((call, animated, nil)) }
    let appearanceByThen = deferredCalls.reduce(appearance) { $1.call.appearance(after: $0) ?? $0 }
    guard call == .willDisappear, call.appearance(after: appearanceByThen) != nil else { return nil }
    guard let last = deferredCalls.indices.last else { return waiting.popLast() }
    return deferredCalls[last].request.take()
  }

  /// An animation comes to its end.
  @usableFromInline
  mutating func submit(endedAnimation number: Int) {
    endedAnimations.append(number)
  }

  // MARK: What is next

  /// There may be a step to carry out.
  @inlinable
  var hasWork: Bool {
    !isStepping && !(waiting.isEmpty && deferredCalls.isEmpty && endedAnimations.isEmpty)
  }

  /// The next step, if there is one and the last is done. The owner says `isStepping = false` when it has carried it out.
  ///
  /// - Parameter superseded: The request that lost its place to one that came after a life-cycle call.
  @usableFromInline
  mutating func next(superseded: (Request) -> Void) -> Step? {
    guard !isStepping, let step = takeStep(superseded: superseded) else { return nil }
    isStepping = true
    return step
  }

  private mutating func takeStep(superseded: (Request) -> Void) -> Step? {
    if !endedAnimations.isEmpty { return .endAnimation(endedAnimations.removeFirst()) }
    if mayTransition, let request = waiting.popLast() { return .transition(request) }
    guard !deferredCalls.isEmpty else { return nil }
    let (call, animated, request) = deferredCalls.removeFirst()
    if let request, let former = replaceWaiting(with: request) { superseded(former) }
    guard let next = call.appearance(after: appearance) else {
      return .ignore(LifecycleMisuse(call: call, appearance: appearance))
    }
    return .lifecycle(call, to: next, animated: animated)
  }

  private mutating func replaceWaiting(with request: Request) -> Request? {
    defer { waiting.append(request) }
    return waiting.popLast()
  }
}
