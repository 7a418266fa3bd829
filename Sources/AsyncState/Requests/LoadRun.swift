// SPDX-License-Identifier: MIT
// The part of a load that does not depend on its value: its data, the calls that want and await it, its task, and its ending.
// Nothing here is generic; `Load` adds the answer.

/// The data of a load, for code that does not depend on the type of its value.
@usableFromInline
protocol LoadOwner: AnyObject {
  /// Ends this load alone, as cancelled.
  func cancel(_ load: LoadRun)

  /// Ends this load alone with an error.
  func fail(_ load: LoadRun, with error: any Error)

  /// Notes that an attempt failed and another one follows.
  func noteFailure(of load: LoadRun, _ error: any Error, failures: Int)

  /// The request that must end before a load may begin, if the load waits for its turn.
  func predecessor(of load: LoadRun) -> LoadRun?

  /// Notes that a load begins to wait for its gate, or does not wait any more.
  func noteWaiting(of load: LoadRun, _ isWaiting: Bool)

  /// Displays the stored value while the load waits for its gate. If it is fresh enough, the load ends.
  func prepareToWait(_ load: LoadRun, isolation: isolated any Actor) async throws

  /// Notes that the operation of a load is about to be called in a task of its own.
  func operationWillBegin()

  /// Notes that the operation of a load returned, whether or not the load was still current.
  func operationDidReturn()
}

/// One load or page request, from its creation to its end.
///
/// It belongs to the actor of its data. Elsewhere `abandon()` reads `state.task`, `home` and `begun`, which are set before
/// the data can be released, `home` being cleared only while the data is alive; and a call that is cancelled reads the task
/// when `interest` has announced it.
@usableFromInline
class LoadRun {
  /// The name of the request. Requests with an equal one join.
  final let id: Int?

  /// The edge at which it extends the pages, if it is a page request.
  final let edge: PageEdge?

  /// Weak, because a running load does not keep its data alive, and that may be released on any thread.
  @usableFromInline final weak let owner: (any LoadOwner)?

  /// The actor of the data, until the load ends. A task that runs the operation keeps the actor, too.
  final var home: (any Actor)?

  /// The actor of the data, held weakly, for a load that is answered by hand: its owner is often a property of the actor.
  final var begun: WeakActor?

  /// The interests that let it continue. The one part that is used on any thread.
  final let interest = Interest()

  // Justified: no method below calls out during an access. Checks would cost a load 9.5 % of its instructions. Noticed:
  // every test, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  final var state = State()

  #if DEBUG
    final let mark = LoadMark()
  #endif

  struct State {
    /// The ending of the load, except for its answer; nil until then. Every write of a load checks it.
    var ending: LoadEnding?
    /// The task that runs the operation.
    var task: Task<Void, Never>?
    var waiters = WaitingCalls<FollowingCall>()
    /// The time at which it began, by the clock that the data was given: for descriptions. Reading the clock of the standard
    /// library would cost a load 4 % of its instructions.
    var startedAt: Duration?
    /// The data was invalidated after this load began; for a page request, the list was replaced.
    var isOutdated = false
    /// True if it has ended without an answer, because a part of the value has no key.
    var lackedKey = false
    var extras: Extras?
  }

  /// The fields that few loads have, in a box: the others neither create these fields nor release them.
  final class Extras {
    /// The calls that share this load while it waits for another one to end, by ticket; the first of them begins it.
    private var calls: [Int: WaitingCall] = [:]
    /// The first of these calls that never leaves: no later one can begin the load.
    private var pinnedCall: WaitingCall?
    /// The loads that this one consists of, if it is the request of several data.
    var parts: [LoadRun] = []
    var attempts = Attempts()
    /// Begins its attempts again, if only the time of one is over, or the gate has been closed; nil: its time is its end.
    var timeIsOver: ((_ hasGateClosed: Bool) -> Void)?
    /// The pages that it requests of a list, if its call has chosen them.
    var pages: PageRefresh?
    /// Called when its data was released while it ran.
    var didAbandon: (() -> Void)?

    var firstCall: WaitingCall? { calls.min { $0.key < $1.key }?.value ?? pinnedCall }

    /// - Parameter ticket: Nil for a call that does not wait for the outcome, and so never leaves.
    func add(_ call: WaitingCall, ticket: Int?) {
      guard pinnedCall == nil else { return }
      if let ticket { calls[ticket] = call } else { pinnedCall = call }
    }

    func takeCall(with ticket: Int) -> WaitingCall? {
      calls.removeValue(forKey: ticket)
    }
  }

  struct WaitingCall {
    let mode: LoadMode
    /// The gate that the load waits for if it is closed.
    let gate: LoadGate?
    let launch: (LoadRun) -> Void
  }

  @usableFromInline
  init(for owner: (any LoadOwner)?, id: Int? = nil, edge: PageEdge? = nil, home: (any Actor)?) {
    self.owner = owner
    self.id = id
    self.edge = edge
    self.home = home
  }

  @usableFromInline
  init(endedWith ending: LoadEnding) {
    (id, edge, owner, home) = (nil, nil, nil, nil)
    state.ending = ending
  }

  /// True if it has not ended, so that it may write.
  @usableFromInline final var isCurrent: Bool { state.ending == nil }

  /// The ending; nil until then.
  @usableFromInline final var ending: LoadEnding? { state.ending }

  final var wasCancelled: Bool { if case .ended(.cancelled) = state.ending { true } else { false } }

  /// Makes the task that runs the operation.
  @usableFromInline
  final func begin(_ makeTask: () -> Void) {
    #if DEBUG
      RunningOperation.begin(mark, makeTask)
    #else
      makeTask()
    #endif
  }

  /// Keeps the task that runs the operation.
  @usableFromInline
  final func run(in task: Task<Void, Never>) {
    state.task = task
    if interest.taskDidBegin() { EndRound.cancel(task) }
  }

  /// The extras, created when first needed.
  final var requiredExtras: Extras {
    if let extras = state.extras { return extras }
    let extras = Extras()
    state.extras = extras
    return extras
  }

  // MARK: Interest

  /// Lets it run to its end, even if no call waits.
  final func pin() {
    interest.pin()
  }

  /// Adds a structured call that is about to wait.
  ///
  /// - Returns: The ticket with which the call waits and leaves.
  final func join() -> Int {
    interest.add()
    return state.waiters.reserve()
  }

  /// Registers the interest of a call.
  ///
  /// - Returns: The ticket of a call that waits; zero for a pinned one.
  final func join(isPinned: Bool) -> Int {
    guard isPinned else { return join() }
    pin()
    return 0
  }

  /// Registers the interest of a further call.
  ///
  /// - Returns: The ticket, as above; nil: the last call that wanted the load has left, and it is over.
  final func joinIfWanted(isPinned: Bool) -> Int? {
    let ticket = join(isPinned: isPinned)
    endIfUnwanted()
    return isCurrent ? ticket : nil
  }

  /// Suspends until the load ends, or until the calling task is cancelled, which ends the load if it was the last one
  /// that wanted it.
  ///
  /// - Parameter isInterested: True if the call with this ticket wants the load.
  @inlinable
  final func wait(as ticket: Int, isInterested: Bool = true, isolation: isolated (any Actor)?) async {
    guard isCurrent, let home = isolation else { return }
    noteAwaited()
    let load = ActorBound(self, to: home)
    await untilResumed(isolation: isolation) {
      suspend($0, as: ticket)
    } onCancel: {
      if isInterested { load.leave(ticket) } else { load.send { $0.stopWaiting(ticket) } }
    }
  }

  @usableFromInline
  final func stopWaiting(_ ticket: Int) {
    state.waiters.remove(ticket)??.resume()
  }

  @usableFromInline
  final func suspend(_ continuation: SuspendedCall, as ticket: Int) {
    state.waiters.wait(continuation, as: ticket)
  }

  /// Suspends until the load ends.
  @usableFromInline
  final func wait(isolation: isolated any Actor) async {
    guard isCurrent else { return }
    noteAwaited()
    let ticket = state.waiters.reserve()
    await unsafe withUnsafeContinuation { unsafe state.waiters.wait(SuspendedCall($0), as: ticket) }
  }

  /// Suspends until the load ends, or the calling task is cancelled. The load continues without it.
  final func waitWithoutInterest(isolation: isolated any Actor) async {
    await wait(as: state.waiters.reserve(), isInterested: false, isolation: isolation)
  }

  /// Gives up the interest of a call, on any thread: `leave()` follows on the actor.
  final func loseInterest() {
    if interest.remove() { cancelTask() }
  }

  /// Resumes a call that has given up its interest.
  final func leave(_ ticket: Int) {
    guard isCurrent, let waiter = state.waiters.remove(ticket) else { return }
    let call = state.extras?.takeCall(with: ticket)
    endIfUnwanted()
    waiter?.resume()
    // An operation of the user's is released last.
    withExtendedLifetime(call) {}
  }

  /// Ends the load if the last call that wanted it has left. Called before the load does anything noticeable: an operation's
  /// reaction to the cancel is no answer and no error.
  final func endIfUnwanted() {
    if interest.isLost, isCurrent { cancel() }
  }

  /// Takes over the calls of another load that want the value from any load.
  final func takeFollowers(of former: LoadRun) {
    for (call, continuation) in former.state.waiters.takeFollowers() {
      guard call.move(to: self) else {
        continuation?.resume()
        continue
      }
      state.waiters.follow(call, as: call.ticket)
      if let continuation { state.waiters.wait(continuation, as: call.ticket) }
    }
  }

  /// Raises the priority to that of the calling task, if that is higher.
  final func raisePriority() {
    state.task?.raisePriority(to: Task.currentPriority)
  }

  // MARK: At the gate

  /// Notes that the current task awaits it. If an operation that was let in does, it passes the width, as does what must end before
  /// it.
  @usableFromInline
  final func noteAwaited() {
    #if DEBUG
      if isCurrent { RunningOperation.noteAwaited(mark) }
    #endif
    let gates = LetIn.gates
    guard !gates.isEmpty else { return }
    pass(gates)
    owner?.predecessor(of: self)?.pass(gates)
    for part in state.extras?.parts ?? [] { part.noteAwaited() }
  }

  /// Lets it pass the width of these gates from now on, also if it waits already, because operations inside await it.
  final func pass(_ gates: [LoadGate]) {
    guard isCurrent, !gates.isEmpty else { return }
    requiredExtras.attempts.pass(gates)
  }

  // MARK: Ending

  /// Ends the load: from now on it writes nothing. `finish()` follows when the data is consistent.
  final func close(_ ending: LoadEnding) {
    assert(isCurrent, "A load ends once.")
    state.ending = ending
    home = nil
  }

  /// Cancels the tasks of a load that is over, and resumes the callers that await it: they continue when this actor is free,
  /// after the data has changed.
  final func finish() {
    if case .ended = state.ending { cancelTask() }
    let extras = state.extras.take()
    extras?.attempts.end()?.cancel()
    state.waiters.takeAll().resume()
    // Operations of the user's are released last.
    withExtendedLifetime(extras) {}
  }

  /// Called when the data is released, on any thread.
  final func abandon() {
    cancelTask()
    guard let home = home ?? begun?.actor else { return }
    perform(on: home) { [self] in
      guard isCurrent else { return }
      let didAbandon = state.extras?.didAbandon
      close(.ended(.cancelled))
      finish()
      didAbandon?()
    }
  }

  private final func cancelTask() {
    if let task = state.task { EndRound.cancel(task) }
  }

  /// Ends this load alone, as cancelled.
  final func cancel() {
    if let parts = state.extras?.parts, !parts.isEmpty { return parts.forEach { $0.cancel() } }
    guard isCurrent else { return }
    if let owner { return owner.cancel(self) }
    // It belongs to no data, or to data that was released.
    close(.ended(.cancelled))
    finish()
  }

  /// Ends this load alone with an error.
  final func fail(with error: any Error) {
    endIfUnwanted()
    if isCurrent { owner?.fail(self, with: error) }
  }

  /// Called when it has ended, in the task of its operation.
  func follow(isolation: isolated any Actor) {}

  /// Ends the load with an error that the operation threw, in the task that has called it.
  @usableFromInline
  final func end(throwing error: any Error) {
    // A cancelled task is that of a load that has ended, or will as soon as its actor is free; or its time was over, and another
    // one has taken its place.
    if Task.isCancelled { endIfUnwanted() } else { fail(with: RequestInterruptedError.of(error)) }
  }
}

extension Task<Void, Never> {
  /// Raises the priority to this one, if that is higher.
  func raisePriority(to priority: TaskPriority) {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    escalatePriority(to: priority)
  }
}

extension ActorBound<LoadRun> {
  /// Called on any thread when the task of a call that waits is cancelled.
  @usableFromInline
  func leave(_ ticket: Int) {
    // Justified: the interest is safe on any thread. Noticed: `interest` of `Tests/Stress` under the thread sanitizer.
    unsafe withObject { $0.loseInterest() }
    send { $0.leave(ticket) }
  }
}
