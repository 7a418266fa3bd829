// SPDX-License-Identifier: MIT
// The inputs of an outbox: they are performed, replaced, and taken back. `Outbox+Sending.swift` sends them, and
// `Outbox+Writing.swift` calls the store.

import Synchronization

/// An input, for a table that is the same for all types: a table of `Input` looks its metadata up at each use, which took a third
/// of the instructions of an input.
class OutboxContent {}

/// The input of an outbox.
private final class OutboxInput<Input>: OutboxContent {
  let input: Input
  init(_ input: Input) { self.input = input }
}

/// The settings that an outbox was created with.
struct OutboxSettings<Input, Output> {
  let store: any OutboxStore<Input>
  var options: LoadOptions
  let lane: (Input) -> String
  let isPermanent: @Sendable (any Error, Int) -> Bool
  let operation: (Input, MutationReporter) async throws -> Output

  func content(_ input: Input) -> OutboxContent { OutboxInput(input) }

  // Justified: the table of an outbox has only inputs of its type. Noticed: every test of outboxes, because debug builds check the cast.
  func input(_ content: OutboxContent) -> Input { unsafe unsafeDowncast(content, to: OutboxInput<Input>.self).input }

  func lane(of content: OutboxContent) -> String { lane(input(content)) }

  /// Returns true if it makes no sense to send an input again. Never for an error that the server has not made.
  var permanence: @Sendable (any Error, AttemptCount) -> Bool {
    { [isPermanent] error, attempts in
      !(error is OutboxError || error is RequestInterruptedError) && isPermanent(error, attempts.value)
    }
  }

  /// - Parameter place: While the request that has failed is still the one of the place.
  func isPermanent(_ error: any Error, of place: OutboxPlace<Input, Output>) -> Bool {
    // Where time was up while it waited, for room or for another attempt, the server has refused nothing.
    (place.isAtWork || !(error is LoadTimeoutError)) && permanence(error, place.attempts)
  }
}

/// What an input in an outbox has besides its row.
struct OutboxPlace<Input, Output> {
  let attempts: AttemptCount
  var request: MutationRun<Input, Output>?
  /// The request whose operation runs. That of a previous request may run on, if it ignores that its time was up.
  var requestAtWork: ObjectIdentifier?
  /// True while the operation of its request runs.
  var isAtWork: Bool { request.map { ObjectIdentifier($0) == requestAtWork } == true }
  /// Ends when its attempt may be made.
  var counting: AwaitedOutcome<Void>?
  /// Its pause, if its attempts have failed.
  var pause: OutboxPause?
  /// Rewrites inputs of its lane that are performed before it has left the store.
  var rewrite: ((Input) -> Input?)?
  /// Its outcome, for when the store has saved that.
  var end: AsyncOutcome<Output>?
}

/// The inputs of one outbox. It belongs to the outbox's actor.
///
/// The table is what is true. The store is called by one loop, which ends its work even if the outbox is released before.
final class Outbox<Input, Output> {
  typealias Run = MutationRun<Input, Output>
  typealias Table = OutboxTable<OutboxContent>
  typealias Row = OutboxRow<OutboxContent>

  let settings: OutboxSettings<Input, Output>
  let use: OutboxStoreUse
  private(set) weak var home: (any Actor)?
  let operation: (Input, MutationReporter) async throws -> Output
  let policy: RequestPolicy?
  let timeline: Timeline
  var effects = CommandEffects<Input, Output>()
  var rewriting: ((Input, Output) -> ((Input) -> Input?)?)?
  /// The gate of the options, or its own.
  let gate: LoadGate
  /// Called when the gate opens or closes.
  private var gateFollower: ActorCallback?
  private var closing: ActorCallback?

  var table = Table()
  /// The inputs that were performed, are displayed, or were sent, until the store does not have them any more.
  var runs: [String: Run] = [:]
  /// Those that have a request.
  var active: [String: Run] = [:]
  /// The number of tasks that send, or whose operations have ignored that they were cancelled.
  var taskCount = 0
  /// Those that rewrite others, and have not left the store.
  var answered: [String: Run] = [:]
  /// The inputs that operations with room at the gate await, and that have not ended.
  var awaited: [Run] = []
  /// The error that an input has failed with, until it succeeds.
  var errors: [String: any Error] = [:]
  /// The error of the store.
  var storeError: (any Error)?
  /// The pause before what could not be saved is saved again.
  let storePause: OutboxPause
  /// Ends the pauses.
  let scheduler: Scheduler

  /// True if it was released: nothing is sent any more.
  private(set) var isReleased = false
  /// True if an input was performed, or `resume` was called.
  private(set) var isAwake = false
  /// Calls that wait until the store has a replacement, or has removed everything.
  var replacing: [String: [AwaitedOutcome<Bool>]] = [:]
  var discarding: [(call: AwaitedOutcome<Void>, runs: [Run])] = []
  /// True while a task calls the store and sends, or is about to.
  var isWorking = false
  let waiters = ConditionWaiters()

  /// What screens observe. The number changes with each entry.
  let (state, version) = (AsyncState.Input(OutboxState()) { $0.isEqual($1) }, AsyncState.Input(0))
  private let tracker = Tracker()

  init(_ settings: OutboxSettings<Input, Output>, on home: any Actor) {
    var settings = settings
    gate = settings.options.gate ?? LoadGate(width: LoadGate.automaticWidth)
    settings.options.gate = gate
    self.settings = settings
    self.home = home
    use = OutboxStoreUse(settings.store.place)
    scheduler = Scheduler(clock: settings.options.clock, home: home)
    storePause = OutboxPause(scheduler)
    let link = OutboxLink<Input, Output>()
    (operation, policy, timeline) = (link.operation, RequestPolicy(settings.options), Timeline(settings.options.clock))
    link.outbox = self
    gateFollower = gate.follower(on: home) { [weak self] in self?.gateDidChange() }
    let closing = ActorCallback(on: home) { [weak self] in self?.close() }
    self.closing = closing
    use.follow(closing)
  }

  deinit { use.end(leaving: table.rest) }

  /// Stops if an input is performed on another actor.
  func require(_ isolation: isolated any Actor) {
    guard let home, home !== isolation else { return }
    fatalError(
      """
      AsyncState: an AsyncOutbox that belongs to \(home) was used from \(isolation). Its inputs would be sent on another actor \
      than they are stored. Without `isolation:` an outbox belongs to the main actor; one of another actor is created with \
      `AsyncOutbox(isolation: self, …) { … }`.
      """)
  }

  // MARK: Performing

  func perform(_ run: Run) -> MutationTask<Output> {
    enter(run, attempts: 0) { table, lane in
      table.performed(run.key, settings.content(run.input), lane: lane)
    }
  }

  /// Sends an input again that has failed.
  ///
  /// - Returns: Nil if it has not.
  func retry(_ key: String) -> MutationTask<Output>? {
    guard !isReleased, let row = table[key] else { return nil }
    switch row.phase {
    case .setAside:
      let run = Run(settings.input(row.input), key: key)
      return enter(run, attempts: row.attempts) { table, _ in table.retried(key) }
    case .paused:
      table.continues(row.lane)
      didChange()
      return task(of: run(for: row))
    // The second tap.
    case .accepting where row.isSetAside: return task(of: run(for: row))
    case .accepting, .waiting, .sending, .counting, .over: return nil
    }
  }

  private func enter(
    _ run: Run, attempts: Int, _ event: (inout Table, _ lane: String) -> Void
  ) -> MutationTask<Output> {
    run.awaitAcceptance()
    guard !isReleased else {
      run.end(.failure(OutboxError.closed))
      return task(of: run)
    }
    if let input = rewritten(run.input) { run.rewrite(as: input) }
    remember(run, attempts: attempts)
    event(&table, settings.lane(run.input))
    isAwake = true
    display(run)
    didChange()
    return task(of: run)
  }

  /// An input by the answers to others of its lane that have not left the store yet; nil if they leave it as it is.
  private func rewritten(_ input: Input) -> Input? {
    if answered.isEmpty { return nil }
    let lane = settings.lane(input)
    return answered.values.lazy.compactMap { self.table[$0.key]?.lane == lane ? $0.place?.rewrite?(input) : nil }.first
  }

  /// Keeps a run in the place of a previous one under its key.
  private func remember(_ run: Run, attempts: Int) {
    run.place = OutboxPlace(attempts: AttemptCount(attempts))
    let former = runs.updateValue(run, forKey: run.key)
    // A previous launch may have sent it.
    if attempts > 0 { run.noteSentBefore() }
    if let former { finish(former, former.place?.end ?? .cancelled) }
  }

  /// The run of an input that waits.
  func run(for row: Row) -> Run {
    if let run = runs[row.key] { return run }
    let run = Run(settings.input(row.input), key: row.key)
    remember(run, attempts: row.attempts)
    display(run)
    return run
  }

  /// Displays another input in the place of one, and in its lane.
  func rewrite(_ key: String, in step: EarlyRound? = nil) {
    guard let row = table[key], let run = runs[key] else { return }
    run.rank?.lane = row.lane
    run.rewrite(as: settings.input(row.input), in: step)
  }

  /// Displays its changes, in the order of the entries.
  private func display(_ run: Run) {
    if effects.displaysChanges {
      run.rank = table[run.key].map { Rank(command: waiters, lane: $0.lane, position: $0.position) }
    }
    effects.use().begin(for: run)
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in
      self?.withdraw(run)
    } passing: { [weak self] gates in
      self?.pass(run, gates)
    }
  }

  // MARK: Taking back

  /// Ends an input that its caller does not want any more.
  func withdraw(_ run: Run) {
    guard run.outcome == nil, runs[run.key] === run, let row = table[run.key], row.phase != .over else { return }
    // What is being set aside is then not set aside.
    if row.phase == .setAside { table.discarded(run.key) } else { table.withdrawn(run.key) }
    run.place?.end = .cancelled
    run.place?.pause?.end()
    if let request = run.place?.request { end(request, .cancelled) }
    run.takeBackEffects()
    didChange()
  }

  func discard(_ key: String) {
    guard !isReleased else { return }
    if let run = runs[key], run.outcome == nil { withdraw(run) }
    // What is being stored again stays set aside after a cancel. Here it is removed. Before the store was read, it may have it.
    table.discarded(key)
    table.reads()
    didChange()
  }

  func discardAll() -> AwaitedOutcome<Void> {
    let call = AwaitedOutcome<Void>()
    guard !isReleased else {
      call.end(.failure(OutboxError.closed))
      return call
    }
    let left = Array(runs.values)
    // Before any observer is called: an input that it performs is stored after this.
    table.discardedAll()
    (runs, answered, errors) = ([:], [:], [:])
    discarding.append((call, left))
    for key in replacing.keys { endReplacing(key, .success(false)) }
    endRequests()
    for run in left {
      if run.place?.end == nil { run.place?.end = .cancelled }
      run.place?.pause?.end()
      run.takeBackEffects()
    }
    didChange()
    return call
  }

  /// Ends the use of the store. Inputs that are being stored or removed end after that.
  func close() {
    guard !isReleased else { return }
    isReleased = true
    use.release()
    scheduler.cancelAll(for: self)
    endRequests()
    table.closed()
    for run in runs.values {
      switch table[run.key]?.phase {
      case .accepting: run.takeBackEffects()
      case .over, .setAside, nil: break
      case .waiting, .paused, .sending, .counting: run.giveUp()
      }
    }
    didChange()
    if !isWorking { endUse() }
  }

  func endUse() {
    // What could not be stored is lost.
    let lost = AsyncOutcome<Output>.failure(OutboxError.notStored(storeError ?? OutboxError.closed))
    for run in runs.values { run.giveUp(run.place?.end ?? (run.isAccepted ? .cancelled : lost)) }
    for key in replacing.keys { endReplacing(key, .success(false)) }
    for (call, _) in discarding { call.end(.failure(OutboxError.closed)) }
    let inputs = table.inputs.map(settings.input)
    use.end(leaving: table.rest, inputs.isEmpty ? nil : home.map { ActorBound(inputs, to: $0) })
  }

  // MARK: Replacements

  func replace(_ key: String, with input: Input, isolation: isolated any Actor) async throws -> Bool {
    try await untilRead(isolation: isolation)
    let input = rewritten(input) ?? input
    guard table.replaced(key, by: settings.content(input), lane: settings.lane(input)) else { return false }
    rewrite(key)
    let call = AwaitedOutcome<Bool>()
    replacing[key, default: []].append(call)
    // Its place at the gate was for what it was.
    if let request = runs[key]?.place?.request { end(request, .cancelled) }
    didChange()
    return try await call.untilEnded(isolation: isolation).get()
  }

  private func untilRead(isolation: isolated any Actor) async throws {
    if isReleased { throw OutboxError.closed }
    table.reads()
    didChange()
    await untilRestored(isolation: isolation)
    if isReleased { throw OutboxError.closed }
    guard table.isRead else { throw storeError ?? CancellationError() }
  }

  func endReplacing(_ key: String, _ outcome: AsyncOutcome<Bool>, first count: Int = .max) {
    guard let calls = replacing[key] else { return }
    replacing[key] = calls.count > count ? Array(calls[count...]) : nil
    for call in calls.prefix(count) { call.end(outcome) }
  }

  // MARK: Reasons to continue

  /// Sends what is left, and what has failed.
  func resume() {
    guard !isReleased else { return }
    isAwake = true
    wake()
  }

  private func gateDidChange() {
    if gate.isOpen, isAwake { wake() } else { show() }
    waiters.resume()
  }

  /// Lets every lane continue, and saves again what could not be saved.
  private func wake() {
    guard !isReleased else { return }
    table.continues()
    didChange()
  }

  /// Suspends until the store was read, or could not be, or the calling task is cancelled.
  func untilRestored(isolation: isolated any Actor) async {
    await waiters.wait(until: { isReleased || table.isRead || table.isUnread || !isWorking }, isolation: isolation)
  }

  /// Suspends until nothing can be done now, or the calling task is cancelled.
  func untilFinished(isolation: isolated any Actor) async {
    await waiters.wait(until: { !isWorking && active.values.allSatisfy { waitsForGate($0) } }, isolation: isolation)
  }

  private func waitsForGate(_ run: Run) -> Bool { !gate.isOpen && run.place?.isAtWork == false }

  /// Suspends until no request runs, and the store has no work left, or the calling task is cancelled.
  func untilSettled(isolation: isolated any Actor) async {
    await waiters.wait(until: { !isWorking && active.isEmpty && taskCount == 0 }, isolation: isolation)
  }

  // MARK: Display

  var displaysChanges: Bool { effects.displaysChanges && !isReleased }

  /// Displays the table, and calls the store.
  func didChange() {
    show()
    work()
  }

  /// What screens read.
  var readState: OutboxState {
    tracker.access(1)
    return state.current
  }

  var entries: [OutboxEntry<Input>] {
    tracker.access(1)
    return isReleased ? [] : table.all.map(entry)
  }

  private func entry(_ row: Row) -> OutboxEntry<Input> {
    let error = errors[row.key] ?? row.failure.map { OutboxError.previous($0) }
    let phase = phase(of: row)
    let request = runs[row.key]?.place?.request
    return OutboxEntry(
      key: row.key, input: settings.input(row.input), attempts: row.attempts, phase: phase,
      error: request?.lastFailure ?? error)
  }

  private func phase(of row: Row) -> OutboxEntry<Input>.Phase {
    let closed: OutboxEntry<Input>.Phase? = gate.isOpen ? nil : .waitingForNetwork
    switch row.phase {
    case .accepting: return .storing
    case .waiting: return closed ?? .queued
    case .paused: return closed ?? .retrying
    case .sending, .counting:
      guard let place = runs[row.key]?.place, !place.isAtWork, let request = place.request else { return .sending }
      if let closed { return closed }
      return switch request.phase {
      case .delayed, .queued: .queued
      case .waitingForNetwork: .waitingForNetwork
      case .sending: .sending
      case .retrying: .retrying
      }
    case .setAside, .over: return .failed
    }
  }

  /// Notifies observers of the table. They are the user's, who may perform another input.
  func show() {
    var shown = OutboxState()
    if !isReleased {
      (shown.waitingCount, shown.failedCount) = (table.waitingCount, table.setAsideCount)
      (shown.unreadable, shown.error) = (table.unreadable, storeError)
    }
    _ = state.inputNode.stage(shown)
    _ = version.inputNode.stage(version.inputNode.present + 1)
    tracker.report(1)
    state.inputNode.deliver()
    version.inputNode.deliver()
  }

  /// Ends a run whose end the store has.
  func finish(_ run: Run, _ outcome: AsyncOutcome<Output>) {
    if !awaited.isEmpty { awaited.removeAll { $0 === run } }
    run.takeBackEffects()
    run.end(outcome)
  }
}

/// The pause after which what has failed is tried again, without another reason.
final class OutboxPause {
  private let scheduler: Scheduler
  private var entry: Scheduler.Entry?
  /// The number of pauses since it last succeeded.
  private var count = 0

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  /// Begins the next pause, if there is none: half a minute, and twice as long each time, up to a quarter of an hour.
  func begin(for owner: AnyObject, _ body: @escaping () -> Void) {
    if entry != nil { return }
    let length = min(Duration.seconds(30) * (1 << min(count, 5)), .seconds(900))
    count += 1
    entry = scheduler.schedule(at: scheduler.now + length, for: owner) { [weak self] in
      self?.entry = nil
      body()
    }
  }

  /// There was another reason.
  func end() {
    if let entry = entry.take() { scheduler.cancel(entry) }
  }

  /// It has succeeded.
  func reset() {
    end()
    count = 0
  }
}

/// The number of attempts of one input, which a retry policy reads.
final class AttemptCount: Sendable {
  // Justified: written by the outbox alone; a retry policy, which may be called elsewhere, reads it. Noticed: `OutboxTests`
  // (17.5).
  private let count: Atomic<Int>

  init(_ count: Int) { self.count = Atomic(count) }

  var value: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }
}
