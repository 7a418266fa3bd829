// SPDX-License-Identifier: MIT
// The inputs of an outbox: they are accepted, wait, and leave. `Outbox+Sending.swift` sends them, `Outbox+Jobs.swift` uses the
// store.

import Synchronization

/// The settings that an outbox was created with.
struct OutboxSettings<Input, Output> {
  let store: any OutboxStore<Input>
  var options: LoadOptions
  let lane: (Input) -> String
  let isPermanent: @Sendable (any Error, Int) -> Bool
  let operation: (Input, MutationReporter) async throws -> Output

  /// Returns true if it makes no sense to send an input again. Never for an error that the server has not made.
  var permanence: @Sendable (any Error, AttemptCount) -> Bool {
    { [isPermanent] error, attempts in
      !(error is OutboxError || error is CommandInterruptedError) && isPermanent(error, attempts.value)
    }
  }

  /// - Parameter place: While the request that has failed is still the one of the place.
  func isPermanent(_ error: any Error, of place: OutboxPlace<Input, Output>) -> Bool {
    // Where time was up while it waited, for room or for another attempt, the server has refused nothing.
    (place.isAtWork || !(error is LoadTimeoutError)) && permanence(error, place.attempts)
  }
}

/// The place and state of an input in an outbox.
struct OutboxPlace<Input, Output> {
  enum Phase {
    case storing
    case waiting
    /// It has its lane, and its request runs or is just beginning.
    case sending
    /// It has ended, and must be removed from the store, or set aside there.
    case leaving
  }

  var lane: String
  var phase: Phase
  /// The number of times that it was sent, as in the store.
  let attempts: AttemptCount
  /// True if a caller has cancelled it: it is removed from the store.
  var isWithdrawn = false
  /// The request whose operation runs. That of a former request may run on, if it ignores that its time was up.
  var requestAtWork: ObjectIdentifier?
  /// True while the operation of its request runs.
  var isAtWork: Bool { request.map { ObjectIdentifier($0) == requestAtWork } == true }
  /// True if the store has it from before, as an input that waits.
  var isStored = false
  var request: MutationRun<OutboxEntry<Input>, Output>?
  /// Rewrites the other inputs of its lane, by its answer.
  var rewrite: ((Input) -> Input?)?
  /// True if the store could not do that yet.
  var owesRewriting = false
  /// Its outcome when it is removed from the store.
  var end: AsyncOutcome<Output>?
}

/// The inputs of one outbox: stored, sent a lane after another, and removed when there is an answer.
///
/// It belongs to the outbox's actor. Each use of the store is a job in one line, which is carried out even if the outbox is
/// released before.
final class Outbox<Input, Output> {
  typealias Run = MutationRun<Input, Output>

  /// A run, which is kept only if its change is displayed.
  private struct Known {
    weak var run: Run?
    let displayed: Run?
  }

  let settings: OutboxSettings<Input, Output>
  let use: OutboxStoreUse
  private(set) weak var home: (any Actor)?
  /// True if it was released: nothing is sent any more.
  private(set) var isReleased = false
  /// Sends the inputs in their turn, and displays them.
  let requests: AsyncMutation<OutboxEntry<Input>, Output>
  var effects = CommandEffects<Input, Output>()
  var rewriting: ((Input, Output) -> ((Input) -> Input?)?)?
  /// The inputs that were set aside when the use of the store ended. Screens display none of them; jobs that are left know them.
  private var setAsideAtClose: OutboxEntries<Input>?
  /// The content for screens.
  let state = AsyncData<OutboxState<Input>>()

  private var jobs = WaitingLine<Job>()
  /// True while a task carries out the jobs, or is about to.
  private var isWorking = false
  /// True while the store is being used.
  private var isInUse = false
  private let waiters = ConditionWaiters()
  /// Ends when the store was read for the first time; nil before the first use.
  var restoring: PerformedInput<Void>?
  /// True if an input was performed, or `resume` was called.
  private(set) var isAwake = false

  /// The waiting entries, by key.
  private var known: [String: Known] = [:]
  /// The input that has failed last, which a retry performs again.
  var failed: Run?
  /// The entries that could not be removed from the store yet. They are never sent.
  var leaving: [String: Run] = [:]
  /// The entries that are sent, by lane, until the store has their end.
  var sending: [String: Run] = [:]
  /// The lanes that wait for a reason to continue, with the key of the input for which they do: the first one, which has
  /// failed, or cannot be removed.
  var held: [String: String] = [:]
  /// No input waits except in these lanes; nil: not known.
  var emptyBesides: Set<String>?
  /// The keys that the store has removed, or set aside, since it last had nothing to send. If a store returned one of them,
  /// that input would be sent again, for ever.
  var settled: Set<String> = []
  /// True if the store could not be read, and is not read again without a reason.
  var isUnreadable = false
  /// True if a job will search for inputs that can be sent.
  var isLooking = false
  /// The gate of the options, or its own.
  let gate: LoadGate
  /// Called when the gate opens or closes.
  private var gateFollower: ActorCallback?
  /// The inputs that operations with room at the gate await, and that have not ended.
  var awaited: [Run] = []
  /// The number of calls of `discardAll` that have not ended. While there is one, nothing is sent.
  var discardingCount = 0
  /// True if the store could not remove everything for `discardAll`, of this outbox or of a former one: it does so before anything
  /// is read, displayed, accepted or sent.
  var owesRemoval = false
  /// The inputs that the store has perhaps set aside, or not any more: it has failed to, and may have done it all the same.
  var uncertain: [String: Run] = [:]

  init(_ settings: OutboxSettings<Input, Output>, on home: any Actor) {
    var settings = settings
    gate = settings.options.gate ?? LoadGate(width: LoadGate.automaticWidth)
    settings.options.gate = gate
    self.settings = settings
    self.home = home
    use = OutboxStoreUse(settings.store.place)
    let link = OutboxLink<Input, Output>()
    requests = AsyncMutation(home, .queue, settings.options, { $0.lane }, delay: nil, link.operation)
    link.outbox = self
    // While one lane waits for another attempt, another one may begin.
    requests.requestsDidChange = { [weak self] in self?.look() }
    gateFollower = gate.follower(on: home) { [weak self] in
      if self?.gate.isOpen == true { self?.wake() }
    }
  }

  deinit { use.end(owesRemoval: owesRemoval) }

  // MARK: Calls of the outbox

  func perform(_ run: Run) -> MutationTask<Output> { enter(run, .append(run)) }

  /// Lets every lane continue, and performs the input of a failed status again.
  func retry() -> MutationTask<Output>? {
    wake()
    guard case .failed(_, let entry) = requests.status else { return nil }
    return performAgain(entry)
  }

  /// Lets an input that was set aside wait again. One that is not in the store, or not any more, is stored.
  ///
  /// - Parameter entry: May be from before it was sent, or rewritten: its present state is used.
  func performAgain(_ entry: OutboxEntry<Input>) -> MutationTask<Output> {
    let former = run(entry.key) ?? failed.flatMap { $0.key == entry.key ? $0 : nil }
    // It still waits, or this is the second tap.
    if let former, former.outcome == nil, let place = former.place, !place.isWithdrawn, place.end == nil {
      return task(of: former)
    }
    let stored = state.value?.refused[entry.key]
    let run = Run(stored?.input ?? former?.input ?? entry.input, key: entry.key)
    // Kept for a second tap, unless it would take the place of another input whose failure is displayed.
    if failed == nil || failed?.key == entry.key { failed = run }
    let attempts = max(entry.attempts, stored?.attempts ?? 0, former?.place?.attempts.value ?? 0)
    return enter(run, .putBack(run), attempts: attempts)
  }

  func isSetAside(_ key: String) -> Bool { (setAsideAtClose ?? state.value?.refused)?[key] != nil }

  private func enter(_ run: Run, _ job: Job, attempts: Int = 0) -> MutationTask<Output> {
    guard !isReleased else { return refuseClosed(run) }
    remember(run, .storing, lane: settings.lane(run.input), attempts: attempts)
    run.awaitAcceptance()
    isAwake = true
    restore()
    enqueue(job)
    effects.use().begin(for: run)
    return task(of: run)
  }

  /// Ends an input that is performed after the end of the use of the store.
  private func refuseClosed(_ run: Run) -> MutationTask<Output> {
    run.awaitAcceptance()
    let entry = OutboxEntry(key: run.key, lane: settings.lane(run.input), input: run.input)
    requests.fail(MutationRun(entry, key: run.key), with: OutboxError.closed)
    run.end(.failure(OutboxError.closed))
    return task(of: run)
  }

  /// Enqueues the job of a call that waits for its answer.
  private func ask<Answer>(_ job: (PerformedInput<Answer>) -> Job) -> PerformedInput<Answer> {
    guard !isReleased else { return refusedClosed() }
    let answer = PerformedInput<Answer>()
    restore()
    enqueue(job(answer))
    return answer
  }

  /// The answer of a call that would use the store after the end of that use.
  private func refusedClosed<Answer>() -> PerformedInput<Answer> {
    let answer = PerformedInput<Answer>()
    answer.end(.failure(OutboxError.closed))
    return answer
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in
      self?.withdraw(run)
    } awaiting: { [weak self] in
      self?.willBeAwaited(run) ?? []
    }
  }

  /// Sends the inputs that are left, and those that have failed.
  ///
  /// - Returns: Ends when the store was read.
  func resume() -> PerformedInput<Void> {
    guard !isReleased else { return refusedClosed() }
    isAwake = true
    wake()
    return restore()
  }

  func entries(after key: String?, limit: Int) -> PerformedInput<[OutboxEntry<Input>]> {
    ask { .read(after: key, limit: limit, $0) }
  }

  func replace(_ entry: OutboxEntry<Input>, with input: Input) -> PerformedInput<Bool> {
    ask { .replace(entry, input, $0) }
  }

  func discard(_ entry: OutboxEntry<Input>) {
    guard !isReleased else { return }
    restore()
    // It may be about to wait again.
    if let run = run(entry.key) { withdraw(run) }
    enqueue(.discard(entry))
  }

  func discardAll() -> PerformedInput<Void> {
    guard !isReleased else { return refusedClosed() }
    let removal = PerformedInput<Void>()
    discardingCount += 1
    // Before any observer is called: an input that it performs is stored behind this job.
    restore()
    enqueue(.removeAll(removal))
    for run in runs { withdraw(run) }
    failed = nil
    requests.reset()
    return removal
  }

  /// Ends an input that its caller does not want any more.
  func withdraw(_ run: Run) {
    guard let place = run.place, !place.isWithdrawn, run.outcome == nil else { return }
    switch place.phase {
    case .storing:
      run.place?.isWithdrawn = true
      run.takeBackEffects()
    case .waiting:
      run.place?.isWithdrawn = true
      leave(run, .cancelled)
      run.takeBackEffects()
    case .sending:
      run.place?.isWithdrawn = true
      if let request = place.request { requests.cancel(request) }
    case .leaving:
      // A refused input is then not set aside. An answer stays one.
      if case .failure? = place.end { run.place?.isWithdrawn = true }
    }
  }

  /// Ends the use of the store. Inputs that are being stored or removed end after that.
  func close() {
    guard !isReleased else { return }
    isReleased = true
    setAsideAtClose = state.value?.refused ?? OutboxEntries()
    let runs = runs + sending.values
    for run in sending.values { freeLane(of: run) }
    requests.reset()
    failed = nil
    for run in leaving.values { if let end = run.place?.end { run.end(end) } }
    for run in runs {
      switch run.place?.phase {
      case .waiting, .sending: run.giveUp()
      case .storing: run.takeBackEffects()
      case .leaving, nil: break
      }
    }
    if isResting { use.end(owesRemoval: owesRemoval) }
    if state.value != nil { state.value = OutboxState() }
  }

  /// Suspends until no request runs, and the store has no work left, or the calling task is cancelled.
  func untilSettled(isolation: isolated any Actor) async {
    repeat {
      await requests.untilSettled(isolation: isolation)
      await waiters.wait(until: { isResting }, isolation: isolation)
    } while !Task.isCancelled && requests.isRunning
  }

  // MARK: The inputs

  /// The present runs.
  var runs: [Run] { known.values.compactMap(\.run) }

  func run(_ key: String) -> Run? { known[key]?.run }

  /// Adds a run, weakly; it is kept only if its change is displayed.
  private func remember(_ run: Run, _ phase: OutboxPlace<Input, Output>.Phase, lane: String, attempts: Int) {
    run.place = OutboxPlace(lane: lane, phase: phase, attempts: AttemptCount(attempts))
    _ = known.makeRoom { $0.run == nil }
    known[run.key] = Known(run: run, displayed: displaysChanges ? run : nil)
    // A former launch may have sent it.
    if attempts > 0 { run.noteSending() }
  }

  var displaysChanges: Bool { effects.displaysChanges && !isReleased }

  func run(for entry: OutboxEntry<Input>) -> Run {
    if let run = leaving[entry.key] ?? run(entry.key) {
      // It was rewritten, although the store has failed to.
      if run.place?.phase == .waiting, run.place?.lane != entry.lane { rewrite(run, as: entry.input) }
      return run
    }
    let run = Run(entry.input, key: entry.key)
    remember(run, .waiting, lane: entry.lane, attempts: entry.attempts)
    // Effects that are displayed begin when the store is restored. The others begin here, with the restored run: the original
    // one lives only in its handle.
    if !displaysChanges { effects.use().begin(for: run) }
    return run
  }

  /// Removes an input that has ended from the store.
  func leave(_ run: Run, _ end: AsyncOutcome<Output>) {
    run.place?.phase = .leaving
    run.place?.end = end
    enqueue(.remove(run))
  }

  /// Removes an input that has left the store.
  func forget(_ run: Run, _ outcome: AsyncOutcome<Output>) {
    if self.run(run.key) === run { known[run.key] = nil }
    if uncertain[run.key] === run { uncertain[run.key] = nil }
    release(run.key)
    run.takeBackEffects()
    if !awaited.isEmpty { awaited.removeAll { $0 === run } }
    run.end(outcome)
  }

  /// Changes the state after work of the store. In place, because many entries may be set aside.
  ///
  /// - Parameter body: Returns the removed value, which may be the user's, so that it is released after the change.
  func change<Removed>(_ body: (inout OutboxState<Input>) -> Removed) {
    guard !isReleased else { return }
    // The error stays while it has a consequence.
    let removesError = isRestored && !isUnreadable && leaving.isEmpty && uncertain.isEmpty && !owesRemoval
    _ = state.exchangeValue { value in
      var state = value.take() ?? OutboxState()
      let removed = (body(&state), removesError ? state.error.take() : nil)
      value = state
      return removed
    }
  }

  /// Notes that the store has worked: an error without a consequence is displayed no more.
  func noteSuccess() {
    if state.value?.error != nil { change { _ in } }
  }

  /// Displays an error of the store.
  func note(_ error: any Error) {
    guard !isReleased else { return }
    var changed = state.value ?? OutboxState()
    changed.error = error
    state.value = changed
  }

  // MARK: Work

  /// Reads the store at the first call, and again if it could not be read.
  @discardableResult
  private func restore() -> PerformedInput<Void> {
    if let restoring { return restoring }
    let restoring = PerformedInput<Void>()
    self.restoring = restoring
    enqueue(.restore(restoring))
    return restoring
  }

  var isRestored: Bool { restoring?.outcome != nil }

  /// Lets every lane continue.
  func wake() {
    guard !isReleased else { return }
    held = [:]
    emptyBesides = nil
    isUnreadable = false
    if isAwake { restore() }
    look()
  }

  func enqueue(_ job: Job) {
    jobs.append(job)
    work()
  }

  /// Suspends until the caller has the store: at once if it is free, before the jobs that wait. The caller calls `leaveStore()`
  /// after its use.
  func takeStore(isolation: isolated (any Actor)?) async {
    guard isInUse else { return isInUse = true }
    let turn = PerformedInput<Void>()
    enqueue(.lend(turn))
    _ = await turn.untilEnded(isolation: isolation)
  }

  func leaveStore() {
    isInUse = false
    work()
    didWork()
  }

  private func work() {
    guard !isWorking, !isInUse, !jobs.isEmpty, let home else { return }
    isWorking = true
    let bound = ActorBound(self, to: home)
    RunningOperation.outside { bound.callHere { home, outbox in outbox.beginWorking(isolation: home) } }
  }

  private func beginWorking(isolation: isolated any Actor) {
    Task {
      _ = isolation
      while !isInUse, let job = jobs.takeFirst() {
        isInUse = true
        // A caller to whom the store is lent leaves it.
        if case .lend(let turn) = job { return lend(turn) }
        await carryOut(job, isolation: isolation)
        isInUse = false
      }
      isWorking = false
      didWork()
    }
  }

  private func lend(_ turn: PerformedInput<Void>) {
    isWorking = false
    turn.end(.success(()))
  }

  /// Rewrites the replacements that wait for the store, of inputs of a lane.
  func rewriteReplacements(in lane: String, _ rewrite: (Input) -> Input?) {
    jobs.updateAll { job in
      guard case .replace(let entry, let input, let answer) = job, entry.lane == lane else { return }
      if let rewritten = rewrite(input) { job = .replace(entry, rewritten, answer) }
    }
  }

  private var isResting: Bool { !isWorking && !isInUse }

  private func didWork() {
    guard isResting else { return }
    waiters.resume()
    if isReleased { use.end(owesRemoval: owesRemoval) }
  }
}

/// The number of attempts of one input, which a retry policy reads.
final class AttemptCount: Sendable {
  // Justified: written by the outbox alone; a retry policy, which may be called elsewhere, reads it. Noticed: `OutboxTests`
  // (17.5).
  private let count: Atomic<Int>

  init(_ count: Int) { self.count = Atomic(count) }

  var value: Int { count.load(ordering: .relaxed) }
  func increment() { count.add(1, ordering: .relaxed) }
  func decrement() { count.subtract(1, ordering: .relaxed) }
}
