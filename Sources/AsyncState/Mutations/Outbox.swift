// SPDX-License-Identifier: MIT
// How the inputs of an outbox are accepted, wait, and leave. `Outbox+Sending.swift` sends them, `Outbox+Jobs.swift` uses
// the store.

import Synchronization

/// The settings that an outbox was created with.
struct OutboxSettings<Input, Output> {
  let store: any OutboxStore<Input>
  var options: LoadOptions
  let lane: (Input) -> String
  let isPermanent: @Sendable (any Error, Int) -> Bool
  let operation: (Input, MutationReporter) async throws -> Output

  /// Whether to send an input again makes no sense. What its store has thrown says nothing about that.
  var permanence: @Sendable (any Error, AttemptCount) -> Bool {
    { [isPermanent] error, attempts in !(error is OutboxError) && isPermanent(error, attempts.value) }
  }

  func isPermanent(_ error: any Error, of run: MutationRun<Input, Output>) -> Bool {
    run.place.map { permanence(error, $0.attempts) } == true
  }
}

/// Where an input is in an outbox.
struct OutboxPlace<Input, Output> {
  enum Phase {
    case storing
    case waiting
    /// It has its lane, and its request runs or is just beginning.
    case sending
    /// It has ended, and the store is to know.
    case leaving
  }

  var lane: String
  var phase: Phase
  /// How often it was sent, as the store knows.
  let attempts: AttemptCount
  /// A caller has cancelled it: it is removed from the store.
  var isWithdrawn = false
  var request: MutationRun<OutboxEntry<Input>, Output>?
  /// What its answer makes of those that wait behind it.
  var rewrite: ((Input) -> Input?)?
  /// How it ends when it is removed from the store.
  var end: AsyncOutcome<Output>?
}

/// The inputs of one outbox: stored, sent a lane after another, and removed when there is an answer.
///
/// It belongs to the outbox's actor. Whatever uses the store is a job in one line, which is carried out even if the
/// outbox is released meanwhile.
final class Outbox<Input, Output> {
  typealias Run = MutationRun<Input, Output>

  /// A run, which is kept only if something of it is displayed.
  private struct Known {
    weak var run: Run?
    let displayed: Run?
  }

  let settings: OutboxSettings<Input, Output>
  let use: OutboxStoreUse
  private weak var home: (any Actor)?
  /// It was released: nothing is sent any more.
  private(set) var isReleased = false
  /// Sends what has its turn, and displays it.
  let requests: AsyncMutation<OutboxEntry<Input>, Output>
  var effects = CommandEffects<Input, Output>()
  var rewriting: ((Input, Output) -> ((Input) -> Input?)?)?
  /// Its content, as a screen displays it.
  let state = AsyncData<OutboxState<Input>>()

  private var jobs = WaitingLine<Job>()
  /// A task carries out the jobs, or is about to.
  private var isWorking = false
  /// The store is just being used.
  private var isInUse = false
  private let waiters = ConditionWaiters()
  /// Ends when the store was read for the first time; nil before it is to be read.
  var restoring: PerformedInput<Void>?
  /// Something was performed, or what is left is to be sent.
  private(set) var isAwake = false

  /// The waiting entries, by key.
  private var known: [String: Known] = [:]
  /// What has failed last, and is performed again by a retry.
  var failed: Run?
  /// The entries that are to be removed from the store, and could not be yet. They are never sent.
  var leaving: [String: Run] = [:]
  /// The entries that are sent, by lane: until the store knows how it ended.
  var sending: [String: Run] = [:]
  /// The lanes that wait for a reason to continue, with the key of the input for which they do: the first one, which has
  /// failed, or cannot be removed.
  var held: [String: String] = [:]
  /// Nothing waits but in these lanes; nil: not known.
  var emptyBesides: Set<String>?
  /// The keys that the store has removed, or set aside, since it last had nothing to send. A store that returns one of them
  /// would have it sent again, for ever.
  var settled: Set<String> = []
  /// The store could not be read, and is not read again before there is a reason to.
  var isUnreadable = false
  /// A job is to look for what can be sent.
  var isLooking = false
  /// That of the options, or its own.
  let gate: LoadGate
  /// Is called when the gate opens or closes.
  private var gateFollower: ActorCallback?
  /// The inputs that operations with room at the gate await, and that have not ended.
  var awaited: [Run] = []
  /// The requests so far that everything is removed. While one waits nothing is sent.
  var discardingCount = 0

  init(_ settings: OutboxSettings<Input, Output>, on home: any Actor) {
    var settings = settings
    gate = settings.options.gate ?? LoadGate(width: LoadGate.automaticWidth)
    settings.options.gate = gate
    self.settings = settings
    self.home = home
    use = OutboxStoreUse(settings.store.place)
    let link = OutboxLink<Input, Output>()
    requests = AsyncMutation(home, .queue, settings.options, { $0.lane }, link.operation)
    link.outbox = self
    // While one waits for another attempt, another lane may begin.
    requests.requestsDidChange = { [weak self] in self?.look() }
    gateFollower = gate.follower(on: home) { [weak self] in
      if self?.gate.isOpen == true { self?.wake() }
    }
  }

  deinit { use.end() }

  // MARK: Calls of the outbox

  func perform(_ run: Run) -> MutationTask<Output> { enter(run, .append(run)) }

  /// Performs again what has failed.
  func retry(_ entry: OutboxEntry<Input>) -> MutationTask<Output> {
    wake()
    return performAgain(entry)
  }

  /// An input that was set aside waits again. One that is not in the store, or no more, is stored.
  ///
  /// - Parameter entry: Perhaps from before it was sent, or rewritten: the present state of it counts.
  func performAgain(_ entry: OutboxEntry<Input>) -> MutationTask<Output> {
    let former = run(entry.key) ?? failed.flatMap { $0.key == entry.key ? $0 : nil }
    // One that waits still, or the second tap.
    if let former, former.outcome == nil, let place = former.place, !place.isWithdrawn, place.end == nil {
      return task(of: former)
    }
    let stored = state.value?.refused[entry.key]
    let run = Run(stored?.input ?? former?.input ?? entry.input, key: entry.key)
    failed = run
    let attempts = max(entry.attempts, stored?.attempts ?? 0, former?.place?.attempts.value ?? 0)
    return enter(run, .putBack(run), attempts: attempts)
  }

  func isSetAside(_ key: String) -> Bool { state.value?.refused[key] != nil }

  private func enter(_ run: Run, _ job: Job, attempts: Int = 0) -> MutationTask<Output> {
    remember(run, .storing, lane: settings.lane(run.input), attempts: attempts)
    run.awaitAcceptance()
    isAwake = true
    restore()
    enqueue(job)
    effects.use().begin(for: run)
    return task(of: run)
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in
      self?.withdraw(run)
    } awaiting: { [weak self] in
      self?.willBeAwaited(run) ?? []
    }
  }

  /// Sends what is left, and what has failed.
  ///
  /// - Returns: Ends when the store was read.
  func resume() -> PerformedInput<Void> {
    isAwake = true
    wake()
    return restore()
  }

  func entries(after key: String?, limit: Int) -> PerformedInput<[OutboxEntry<Input>]> {
    let answer = PerformedInput<[OutboxEntry<Input>]>()
    restore()
    enqueue(.read(after: key, limit: limit, answer))
    return answer
  }

  func replace(_ entry: OutboxEntry<Input>, with input: Input) -> PerformedInput<Bool> {
    let answer = PerformedInput<Bool>()
    restore()
    enqueue(.replace(entry, input, answer))
    return answer
  }

  func discard(_ entry: OutboxEntry<Input>) {
    restore()
    // It may be just about to wait again.
    if let run = run(entry.key) { withdraw(run) }
    enqueue(.discard(entry))
  }

  func discardAll() -> PerformedInput<Void> {
    let removal = PerformedInput<Void>()
    discardingCount += 1
    // Before any observer is called, which may perform another input: that is stored behind this job.
    restore()
    enqueue(.removeAll(removal))
    for run in runs { withdraw(run) }
    failed = nil
    requests.reset()
    return removal
  }

  /// A caller does not want it any more.
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
      // What was refused for good is not set aside then. An answer stays one.
      if case .failure? = place.end { run.place?.isWithdrawn = true }
    }
  }

  /// The outbox was released. What is being stored, or removed, ends when that is done.
  func close() {
    isReleased = true
    let runs = runs + sending.values
    for run in sending.values { freeLane(of: run) }
    requests.cancel()
    for run in leaving.values { if let end = run.place?.end { run.end(end) } }
    for run in runs {
      switch run.place?.phase {
      case .waiting, .sending: run.giveUp()
      case .storing, .leaving, nil: break
      }
    }
    if isResting { use.end() }
  }

  /// Suspends until no request runs, and nothing is left to be done with the store, or the calling task is cancelled.
  func untilSettled(isolation: isolated any Actor) async {
    repeat {
      await requests.untilSettled(isolation: isolation)
      await waiters.wait(until: { isResting }, isolation: isolation)
    } while !Task.isCancelled && requests.isRunning
  }

  // MARK: The inputs

  /// The runs that are known.
  var runs: [Run] { known.values.compactMap(\.run) }

  func run(_ key: String) -> Run? { known[key]?.run }

  /// It is known as long as it waits; kept only if something of it is displayed.
  private func remember(_ run: Run, _ phase: OutboxPlace<Input, Output>.Phase, lane: String, attempts: Int) {
    run.place = OutboxPlace(lane: lane, phase: phase, attempts: AttemptCount(attempts))
    _ = known.makeRoom { $0.run == nil }
    known[run.key] = Known(run: run, displayed: displaysChanges ? run : nil)
    // A former launch may have sent it.
    if attempts > 0 { run.noteSending() }
  }

  var displaysChanges: Bool { effects.displaysChanges && !isReleased }

  func run(for entry: OutboxEntry<Input>) -> Run {
    if let run = leaving[entry.key] ?? run(entry.key) { return run }
    let run = Run(entry.input, key: entry.key)
    remember(run, .waiting, lane: entry.lane, attempts: entry.attempts)
    // What is displayed begins where the store is restored. All else is only to end with the run, which is not the one
    // that was performed: that is kept by nothing but its handle.
    if !displaysChanges { effects.use().begin(for: run) }
    return run
  }

  /// It has ended, and is removed from the store.
  func leave(_ run: Run, _ end: AsyncOutcome<Output>) {
    run.place?.phase = .leaving
    run.place?.end = end
    enqueue(.remove(run))
  }

  /// It has left the outbox.
  func forget(_ run: Run, _ outcome: AsyncOutcome<Output>) {
    if self.run(run.key) === run { known[run.key] = nil }
    if let lane = run.place?.lane { release(lane, heldFor: run) }
    if !awaited.isEmpty { awaited.removeAll { $0 === run } }
    run.end(outcome)
  }

  /// The store has worked. The state is changed in place: many entries may be set aside.
  ///
  /// - Parameter body: Returns what it has removed, which may be the user's, so that it is released after the change.
  func change<Removed>(_ body: (inout OutboxState<Input>) -> Removed) {
    // The error stays while it has a consequence.
    let removesError = isRestored && !isUnreadable && leaving.isEmpty
    _ = state.exchangeValue { value in
      var state = value.take() ?? OutboxState()
      let removed = (body(&state), removesError ? state.error.take() : nil)
      value = state
      return removed
    }
  }

  /// The store has failed.
  func note(_ error: any Error) {
    var changed = state.value ?? OutboxState()
    changed.error = error
    state.value = changed
  }

  // MARK: Work

  /// Reads the store when this is called first, and again if it could not be read then.
  @discardableResult
  private func restore() -> PerformedInput<Void> {
    if let restoring { return restoring }
    let restoring = PerformedInput<Void>()
    self.restoring = restoring
    enqueue(.restore(restoring))
    return restoring
  }

  var isRestored: Bool { restoring?.outcome != nil }

  /// There is a reason for every lane to continue.
  func wake() {
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

  /// The caller is about to use the store itself, before the jobs that wait, and calls `leaveStore()` when it has.
  ///
  /// - Returns: False if it is in use.
  func takeStore() -> Bool {
    defer { isInUse = true }
    return !isInUse
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
        await carryOut(job, isolation: isolation)
        isInUse = false
      }
      isWorking = false
      didWork()
    }
  }

  private var isResting: Bool { !isWorking && !isInUse }

  private func didWork() {
    guard isResting else { return }
    waiters.resume()
    if isReleased { use.end() }
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
