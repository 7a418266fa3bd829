// SPDX-License-Identifier: MIT
public import Observation

/// A command of a screen, with a status, one request for a double tap, and a retry.
///
/// ```swift
/// @MainActor
/// final class SignUpScreen {
///   let signUp = AsyncMutation { (form: Form) in try await Service.shared.signUp(form) }
///
///   func tapped(_ form: Form) { signUp.perform(form) }
/// }
/// ```
///
/// ``perform(_:isolation:)`` sends an input. While it is on its way, ``MutationOverlap`` decides about other calls: by default
/// an input equal to the last one joins that one, so that a double tap is one request, and another input waits. Cancelling a
/// write does not undo it: the server may have done it already.
///
/// A mutation belongs to the main actor or to the actor that it names when it is created, and its operation always runs there.
/// It does not keep that actor alive. Its last reference may be released on any thread: performed inputs are sent all the same.
public final class AsyncMutation<Input, Output>: Observable {
  /// Runs on the caller's actor, which is the mutation's.
  typealias Operation = (Input, MutationReporter) async throws -> Output
  typealias Run = MutationRun<Input, Output>

  private let operation: Operation
  private let overlap: MutationOverlap
  private let areSame: ((Input, Input) -> Bool)?
  private let lane: ((Input) -> AnyHashable)?
  private let delay: Duration?
  private let policy: RequestPolicy?
  private let timeline: Timeline
  private weak var home: (any Actor)?
  var effects = CommandEffects<Input, Output>()

  /// The number of inputs that have a rank.
  private var rankCount = 0
  /// The inputs that have not ended.
  private var lanes = MutationLanes()
  /// The one of those that have their turn which is displayed.
  private var shown: Run?
  /// The last end that was a success or a failure, which is displayed while no input is.
  private var lastStatus = MutationStatus<Input, Output>.idle
  /// The input that has ended with it.
  private var lastRun: Run?
  /// Of each lane the input that was sent last, if it has ended without an answer: an equal one that is sent next has its key.
  private var unanswered: [AnyHashable?: AnyObject] = [:]
  /// The number of tasks that have not returned.
  private(set) var taskCount = 0
  /// The mutation itself, until all performed inputs have ended: they are sent even if the mutation is released.
  private var kept: AsyncMutation?

  private var displayed = MutationStatus<Input, Output>.idle
  /// The same as an observed value; nil until it is first used.
  private var source: AsyncState.Input<MutationStatus<Input, Output>>?
  private var tracking = Tracking<MutationParts>()
  let waiters = ConditionWaiters()
  /// Records what becomes of each input; nil without a journal.
  package var hook: (any MutationHook)?

  init(
    _ home: any Actor, _ overlap: MutationOverlap, _ options: LoadOptions, _ lane: ((Input) -> AnyHashable)?,
    delay: Duration?, _ operation: @escaping Operation
  ) {
    self.home = home
    self.overlap = overlap
    areSame = overlap.sameness(of: Input.self)
    self.lane = lane
    self.delay = delay
    self.operation = operation
    policy = RequestPolicy(options)
    timeline = Timeline(options.clock)
  }

  // MARK: Reading

  /// The status: nothing was sent, an input is on its way, or the last end that was a success or a failure.
  ///
  /// Of several inputs on their way, it is that of the one that began last. A cancelled input leaves the status as it was.
  public var status: MutationStatus<Input, Output> {
    tracking.access(.status)
    return displayed
  }

  /// The status as an observed value, to bind and to derive others from.
  public var observed: Observed<MutationStatus<Input, Output>> {
    if let source { return source.observed }
    let source = AsyncState.Input(displayed)
    self.source = source
    return source.observed
  }

  /// True while an input is on its way, but not during its delay: to disable a button, or to show an indicator in it.
  public var isRunning: Bool { status.isRunning }

  /// The progress that the operation has reported for the displayed input; nil: unknown, or none is being sent.
  public var progress: Double? { if case .sending(_, let progress) = status { progress } else { nil } }

  /// The error of the last end, if that was a failure. It stays while another input is sent, as by a retry.
  public var error: (any Error)? {
    tracking.access(.status)
    return lastStatus.error
  }

  /// The output of the last end, if that was a success. It stays while another input is sent.
  public var output: Output? {
    tracking.access(.status)
    return lastStatus.output
  }

  // MARK: Performing

  /// Sends an input.
  ///
  /// When this returns the input is on its way, or it waits for its turn, or it has joined an equal one: see
  /// ``MutationOverlap``.
  ///
  /// - Parameters:
  ///   - input: The input to send.
  ///   - isolation: The actor that the mutation belongs to.
  /// - Returns: A handle to wait for the end, or to cancel the input. Releasing it changes nothing.
  @discardableResult
  public func perform(_ input: Input, isolation: isolated any Actor = #isolation) -> MutationTask<Output> {
    require(isolation)
    return perform(Run(input))
  }

  /// - Parameter isFirst: True for a retry in a notification of the failure: what waits in its lane is newer.
  @discardableResult
  func perform(_ run: Run, isFirst: Bool = false) -> MutationTask<Output> {
    run.lane = lane?(run.input)
    if effects.displaysChanges, run.rank == nil {
      rankCount += 1
      run.rank = Rank(command: waiters, lane: run.lane, position: rankCount)
    }
    if isFirst, overlap == .latest, let newest = lanes[run.lane].last { return task(of: Run.known(newest)) }
    // Of on, off, on, each is sent: an equal input before the last one does not count.
    if let last = lanes[run.lane].last, areSame?(Run.known(last).input, run.input) == true {
      Run.known(last).task?.raisePriority(to: Task.currentPriority)
      return task(of: Run.known(last))
    }
    let replaced = overlap == .latest ? lanes[run.lane].filter { Run.known($0).isReplaceable } : []
    for other in replaced { take(Run.known(other)) }
    lanes.add(run, to: run.lane, isFirst: isFirst)
    kept = self
    run.pass(LetIn.gates)
    note(.performed, of: run) {
      beginEffects(of: run, inPlaceOf: replaced)
      for other in replaced { note(.superseded, of: Run.known(other)) { Run.known(other).end(.superseded) } }
    }
    startFirst(of: run.lane)
    return task(of: run)
  }

  /// Begins the effects of an input that has its place: observers of them may perform another one.
  ///
  /// - Parameter replaced: Those that are not sent because of it. Its change does not take their place, but lies above all others.
  private func beginEffects(of run: Run, inPlaceOf replaced: [AnyObject]) {
    let step = EarlyRound()
    effects.use().begin(for: run, in: step)
    for other in replaced { Run.known(other).endEffects(Run.known(other).end(for: .superseded), in: step) }
    step.finish()
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in
      self?.cancel(run)
    } passing: { [weak self] gates in
      guard let all = self?.lanes[run.lane], let index = all.firstIndex(where: { $0 === run }) else { return }
      for other in all[...index] { Run.known(other).pass(gates) }
    }
  }

  /// Sends the input of the last failure again, under the same idempotency key.
  ///
  /// - Parameter isolation: The actor that the mutation belongs to.
  /// - Returns: A handle of the input; nil if the status is not `failed`.
  @discardableResult
  public func retry(isolation: isolated any Actor = #isolation) -> MutationTask<Output>? {
    guard case .failed = displayed, let run = lastRun else { return nil }
    require(isolation)
    // The server may have done it, although it has failed.
    let again = Run(run.input, key: run.key, isSentBefore: run.hasBegun)
    again.rank = run.rank
    return perform(again, isFirst: true)
  }

  /// Removes output and error: the status is `idle`, or that of the input that is on its way. All inputs stay on their way.
  public func clear() {
    setLast(.idle, of: nil)
    if shown == nil { publish() } else { tracking.report(.status) }
  }

  /// Cancels all inputs that are on their way or wait for their turn. The status is the same as before them.
  public func cancel() { endAll() }

  /// Cancels all inputs that are on their way or wait for their turn, and removes output and error: for a log-out. An equal input is
  /// a new one for the server afterwards, so a sheet that may be opened again calls ``clear()``.
  public func reset() {
    setLast(.idle, of: nil)
    endAll()
    unanswered = [:]
  }

  func cancel(_ run: Run) { end(run, .cancelled) }

  // MARK: Sending

  /// Begins the first input of a lane, unless it has begun.
  private func startFirst(of lane: AnyHashable?) {
    guard let first = lanes[lane].first, let home else { return }
    let run = Run.known(first)
    guard run.task == nil else { return }
    ActorBound((self, run), to: home).callHere { home, bound in bound.0.start(bound.1, isolation: home) }
  }

  private func start(_ run: Run, isolation: isolated any Actor) {
    // Here, and not when it is performed: only now it is known what is sent next.
    if !run.hasBegun, let former = unanswered[run.lane], areSame?(Run.known(former).input, run.input) == true {
      run.repeats(Run.known(former))
    }
    // What may have been sent before cannot be taken back any more.
    let delay = run.hasBegun ? nil : delay
    run.begin(
      MutationPhase(isDelayed: delay != nil, obstacle: policy?.gate?.obstacle(passing: run.attempts.passedGates)))
    run.sender = self
    lanes.begin(run)
    taskCount += 1
    // Does not hold the mutation: an operation may ignore its cancellation.
    run.task = Task { [weak self, operation, policy, timeline, delay] in
      _ = isolation
      let outcome = await run.send(by: policy, on: timeline, after: delay, operation, isolation: isolation)
      self?.taskCount -= 1
      // What an observer of the end begins is no part of an operation that has performed the input.
      RunningOperation.outside { self?.end(run, outcome) }
      self?.waiters.resume()
    }
    if delay == nil { show(run) } else { note(.delayed, of: run) { show(run) } }
  }

  func phaseDidChange(of run: Run, by event: MutationEvent, isDisplayed: Bool) {
    note(event, of: run) { if isDisplayed, shown === run { publish() } }
  }

  private func show(_ run: Run) {
    shown = run
    publish()
  }

  // MARK: Ending

  /// Ends an input, and lets its lane continue. Does nothing the second time: its task, its time limit, or a caller ends it.
  func end(_ run: Run, _ outcome: AsyncOutcome<Output>) {
    // Taken out before its effects end, because they call observers, which may perform another input.
    guard take(run) else { return }
    if run.task != nil, run.hasBegun { unanswered[run.lane] = run.mayBeDone(after: outcome) ? run : nil }
    note(MutationEvent(outcome), of: run) {
      let step = EarlyRound()
      display(outcome, of: run, in: step)
      run.endEffects(run.end(for: outcome), in: step)
      step.finish()
    }
    run.end(outcome)
    // It keeps the room that it has used.
    run.task = nil
    startFirst(of: run.lane)
    didEnd()
  }

  /// Displays the end of an input, in one step with the ends of its effects.
  private func display(_ outcome: AsyncOutcome<Output>, of run: Run, in step: EarlyRound) {
    switch outcome {
    case .success(let output): setLast(.succeeded(output), of: run)
    case .failure(let error): setLast(.failed(error, run.input), of: run)
    case .cancelled, .superseded, .notRequested:
      // Its end is not displayed.
      if shown == nil {
        if let last = lanes.active.last { shown = Run.known(last) }
        publish(in: step)
      }
      return
    }
    shown = nil
    publish(in: step)
  }

  private func didEnd() {
    if shown == nil, let other = lanes.active.last { show(Run.known(other)) }
    if lanes.isEmpty { kept = nil }
  }

  /// - Returns: True if it was there.
  @discardableResult
  private func take(_ run: Run) -> Bool {
    guard lanes.remove(run, from: run.lane) else { return false }
    if shown === run { shown = nil }
    run.close()
    return true
  }

  private func endAll() {
    let active = lanes.active.map(Run.known)
    let waiting = lanes.all.map(Run.known).filter { $0.task == nil }
    let runs = waiting + active.filter { !$0.hasBegun } + active.filter(\.hasBegun)
    for run in active where run.mayBeDone(after: .cancelled) { unanswered[run.lane] = run }
    lanes = MutationLanes()
    shown = nil
    for run in runs { run.close() }
    let step = EarlyRound()
    publish(in: step)
    for run in runs { note(.cancelled, of: run) { run.endEffects(run.end(for: .cancelled), in: step) } }
    step.finish()
    for run in runs { run.end(.cancelled) }
    didEnd()
  }

  // MARK: The display

  /// Displays the present status: for readers at once, for observers now, or in a step with other changes.
  private func publish(in step: EarlyRound? = nil) {
    var exchanged = shown.map { $0.phase.status(of: $0.input) } ?? lastStatus
    swap(&exchanged, &displayed)
    _ = source?.inputNode.stage(displayed)
    if let step { step.deliver { self.deliver() } } else { deliver() }
    // Released when everything is consistent: it may be an object of the user's.
    withExtendedLifetime(exchanged) {}
  }

  private func setLast(_ status: MutationStatus<Input, Output>, of run: Run?) {
    lastStatus = status
    lastRun = run
  }

  private func deliver() {
    source?.inputNode.callEarlyObservers()
    tracking.report(.status)
    source?.inputNode.deliver()
  }

  /// Calls `body`, whose effects follow from an event of an input.
  private func note(_ event: MutationEvent, of run: Run, _ body: () -> Void) {
    guard let hook else { return body() }
    hook.noting(event, of: ObjectIdentifier(run), body)
  }

  /// Suspends until no input is on its way any more, or the calling task is cancelled.
  package func untilSettled(isolation: isolated any Actor) async {
    await waiters.wait(until: { lanes.isEmpty && taskCount == 0 }, isolation: isolation)
  }

  func require(_ isolation: isolated any Actor) {
    guard let home, home !== isolation else { return }
    fatalError(
      """
      AsyncState: an AsyncMutation that belongs to \(home) was performed from \(isolation). Its operation would run on \
      another actor than its status. Without `isolation:` a mutation belongs to the main actor; one of another actor is \
      created with `AsyncMutation(isolation: self) { … }`.
      """)
  }
}

extension AsyncMutation: MutationSender {}

/// What Observation tracks of a mutation.
private struct MutationParts: OptionSet {
  let rawValue: UInt16

  static let status = Self(rawValue: 1)
}
