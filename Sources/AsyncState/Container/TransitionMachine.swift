/// Decides what a container does next: which request begins, which waits, and what a life-cycle call means just now.
///
/// The container carries out one *step* at a time, and asks for the next when it is done. What comes in meanwhile, from
/// whatever callback, is kept here, in order: the one request that waits, the life-cycle calls with the requests that
/// came after them, and the animations that have ended. So nothing recurses, and no step sees another half done.
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
  @usableFromInline var waiting: [Request] = []

  /// Life-cycle calls that came during a step, each with the last request that came after it.
  @usableFromInline var deferredCalls: [(call: LifecycleCall, animated: Bool, request: Request?)] = []

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
  @inlinable
  mutating func submit(_ request: Request) -> Request? {
    deferredCalls.isEmpty ? replaceWaiting(with: request) : deferWithCalls(request)
  }

  @usableFromInline
  mutating func deferWithCalls(_ request: Request) -> Request? {
    guard let last = lastDeferred.index else { return replaceWaiting(with: request) }
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
    let last = lastDeferred
    guard call == .willDisappear, call.appearance(after: last.appearance) != nil else { return nil }
    guard let index = last.index else { return waiting.popLast() }
    return deferredCalls[index].request.take()
  }

  /// The last call that waits and belongs, and where the container is by then. A call that will be ignored counts for
  /// nothing: it keeps no request from taking the place of the one before.
  private var lastDeferred: (index: Int?, appearance: Appearance) {
    var last: (index: Int?, appearance: Appearance) = (nil, appearance)
    for (index, deferred) in deferredCalls.enumerated() {
      if let next = deferred.call.appearance(after: last.appearance) { last = (index, next) }
    }
    return last
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

  /// The request that waits, if it is the next step and may begin now.
  @inlinable
  mutating func nextRequest() -> Request? {
    mayBeginAtOnce && endedAnimations.isEmpty ? waiting.popLast() : nil
  }

  /// The next step, if there is one and the last is done. The owner says `isStepping = false` when it has carried it
  /// out.
  ///
  /// - Parameters:
  ///   - superseded: The request that lost its place to one that came after a life-cycle call.
  ///   - dropped: The request that still waits when the container disappears.
  @usableFromInline
  mutating func next(superseded: (Request) -> Void, dropped: (Request) -> Void = { _ in }) -> Step? {
    guard !isStepping, let step = takeStep(superseded: superseded, dropped: dropped) else { return nil }
    isStepping = true
    return step
  }

  /// The animation that has ended first and has had no turn yet.
  mutating func takeEndedAnimation() -> Int? {
    endedAnimations.isEmpty ? nil : endedAnimations.removeFirst()
  }

  private mutating func takeStep(superseded: (Request) -> Void, dropped: (Request) -> Void) -> Step? {
    if let ended = takeEndedAnimation() { return .endAnimation(ended) }
    if let request = nextRequest() { return .transition(request) }
    guard !deferredCalls.isEmpty else { return nil }
    let (call, animated, request) = deferredCalls.removeFirst()
    guard let next = call.appearance(after: appearance) else {
      return .ignore(LifecycleMisuse(call: call, appearance: appearance))
    }
    if call == .willDisappear, let former = waiting.popLast() { dropped(former) }
    if let request, let former = replaceWaiting(with: request) { superseded(former) }
    return .lifecycle(call, to: next, animated: animated)
  }

  @inlinable
  mutating func replaceWaiting(with request: Request) -> Request? {
    defer { waiting.append(request) }
    return waiting.popLast()
  }
}
