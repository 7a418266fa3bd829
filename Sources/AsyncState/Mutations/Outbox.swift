// SPDX-License-Identifier: MIT
// How the inputs of a mutation with an outbox are accepted, wait, and leave. `Outbox+Sending.swift` sends them.

/// The settings that an outbox was created with.
struct OutboxSettings<Input> {
  let store: any OutboxStore<Input>
  let board: AsyncTagBoard
  /// What the server has refused for good is not tried again.
  private(set) var options: LoadOptions
  let lane: (Input) -> String
  let isPermanent: (any Error) -> Bool

  init(
    store: any OutboxStore<Input>, board: AsyncTagBoard, options: LoadOptions, lane: @escaping (Input) -> String,
    isPermanent: @escaping @Sendable (any Error) -> Bool
  ) {
    self.store = store
    self.board = board
    self.options = options
    if let delay = options.retry.delay {
      self.options.retry = RetryPolicy { failures, error in isPermanent(error) ? nil : delay(failures, error) }
    }
    self.lane = lane
    self.isPermanent = isPermanent
  }
}

/// Where an input is in an outbox.
struct OutboxPlace<Output> {
  enum Phase {
    case storing
    case waiting
    /// It has its lane, and its request runs or is just beginning.
    case sending
    /// It has ended, and the store is to know.
    case leaving
  }

  let lane: String
  var phase: Phase
  /// A caller has cancelled it: it is removed from the store.
  var isWithdrawn = false
  /// Its mutation was cancelled as its request was just beginning.
  var isInterrupted = false
  /// The number of its request, in the order in which they begin.
  var number = 0
  /// The board was closed before an attempt of the request.
  var hasMetClosedBoard = false
  /// The data of the request.
  var request: AsyncData<Output>?
  /// How it ends when it is removed from the store.
  var end: MutationOutcome<Output>?
}

/// The inputs of one mutation: stored, sent a lane after another, and removed when there is an answer.
///
/// It belongs to the mutation's actor. Whatever uses the store is a job in one line, which is carried out even if the
/// mutation is released meanwhile.
final class Outbox<Input, Output> {
  typealias Run = MutationRun<Input, Output>

  enum Job {
    case restore(PerformedInput<Void>)
    case append(Run)
    case look
    case remove(Run)
    case setAside(Run, any Error)
    /// It was set aside, and waits again.
    case putBack(Run)
    /// It was set aside, and is not wanted any more.
    case discard(String)
    case removeAll(PerformedInput<Void>)
  }

  /// A run, which is kept only if something of it is displayed.
  private struct Known {
    weak var run: Run?
    let displayed: Run?
  }

  let settings: OutboxSettings<Input>
  /// Nil when it was released: nothing is sent any more.
  private(set) weak var mutation: AsyncMutation<Input, Output>?
  private weak var home: (any Actor)?
  /// Its content, as a screen displays it.
  let state = AsyncData<OutboxState<Input>>()

  private var jobs = WaitingLine<Job>()
  private var isWorking = false
  private let waiters = ConditionWaiters()
  /// Ends when the store was read for the first time; nil before it is to be read.
  private var restoring: PerformedInput<Void>?
  /// It was to be read.
  private var isAwake = false

  /// The waiting entries, by key.
  private var known: [String: Known] = [:]
  /// The number of them at which those are removed that are known no more.
  private var knownLimit = 8
  /// The entries that are to be removed from the store, and could not be yet. They are never sent.
  var leaving: [String: Run] = [:]
  /// The entries that are sent, by lane: until the store knows how it ended.
  var sending: [String: Run] = [:]
  /// The lanes whose first input has failed, and that wait for a reason to continue.
  var held: Set<String> = []
  /// The number of requests so far.
  var beganCount = 0
  /// Nothing waits but in these lanes; nil: not known.
  var emptyBesides: Set<String>?
  /// The keys that the store has removed, or set aside, since it last had nothing to send. A store that returns one of them
  /// would have it sent again, for ever.
  var settled: Set<String> = []
  /// The store could not be read, and is not read again before there is a reason to.
  var isUnreadable = false
  /// A job is to look for what can be sent.
  var isLooking = false
  /// There is room on the board for the next request.
  var hasRoom = false
  /// Is called when the gate of the options opens or closes.
  private var gateFollower: ActorCallback?
  /// The requests so far that everything is removed. While one waits nothing is sent.
  private var discardingCount = 0
  /// The data of requests that were given up, and whose operation may still run.
  private var retired: [AsyncData<Output>] = []

  init(_ settings: OutboxSettings<Input>, of mutation: AsyncMutation<Input, Output>, on home: any Actor) {
    self.settings = settings
    self.mutation = mutation
    self.home = home
    settings.board.senders.add(self)
    gateFollower = settings.options.gate?.follower(on: home) { [weak self] in self?.gateDidChange() }
  }

  private func gateDidChange() {
    if settings.options.gate?.isOpen == true { wake() }
  }

  // MARK: Calls of the mutation

  func perform(_ run: Run) -> MutationTask<Output> {
    enter(run, .storing)
    restore()
    enqueue(.append(run))
    mutation?.beginEffects(of: run)
    return task(of: run)
  }

  /// Performs again what has failed.
  func retry(_ run: Run) -> MutationTask<Output> {
    wake()
    return run.outcome == nil ? task(of: run) : performAgain(run.input, run.key)
  }

  func retry(_ entry: OutboxEntry<Input>) -> MutationTask<Output> {
    performAgain(entry.input, entry.key)
  }

  /// An input that was set aside waits again. One that is not in the store, or no more, is stored.
  private func performAgain(_ input: Input, _ key: String) -> MutationTask<Output> {
    // The second tap.
    if let run = known[key]?.run, run.outcome == nil, run.place?.isWithdrawn == false { return task(of: run) }
    let run = Run(input, key: key)
    if mutation?.failed?.key == key { mutation?.failed = run }
    return isSetAside(key) ? putBack(run) : perform(run)
  }

  func isSetAside(_ key: String) -> Bool { state.value?.setAside.contains { $0.key == key } == true }

  private func putBack(_ run: Run) -> MutationTask<Output> {
    enter(run, .storing)
    enqueue(.putBack(run))
    mutation?.beginEffects(of: run)
    return task(of: run)
  }

  /// Sends what is left, and what has failed.
  ///
  /// - Returns: Ends when the store was read.
  @discardableResult
  func resume() -> PerformedInput<Void> {
    wake()
    return restore()
  }

  func discard(_ key: String) {
    // It may be just about to wait again.
    if let run = known[key]?.run { withdraw(run) }
    enqueue(.discard(key))
  }

  func discardAll() -> PerformedInput<Void> {
    let removal = PerformedInput<Void>()
    discardingCount += 1
    // Before any observer is called, which may perform another input: that is stored behind this job.
    enqueue(.removeAll(removal))
    for run in known.values.compactMap(\.run) { withdraw(run) }
    return removal
  }

  private func task(of run: Run) -> MutationTask<Output> {
    MutationTask(run) { [weak self] in self?.withdraw(run) }
  }

  /// A caller does not want it any more.
  private func withdraw(_ run: Run) {
    guard let phase = run.place?.phase, run.place?.isWithdrawn == false, run.outcome == nil, phase != .leaving
    else { return }
    run.place?.isWithdrawn = true
    switch phase {
    case .storing: run.endEffects(.withdrawn)
    case .waiting:
      leave(run, .cancelled)
      run.endEffects(.withdrawn)
    case .sending: giveUpRequest(of: run)
    case .leaving: break
    }
  }

  /// Interrupts what is being sent. It stays in the store.
  func interrupt() {
    for run in sending.values where run.place?.phase == .sending {
      run.place?.isInterrupted = true
      giveUpRequest(of: run)
    }
  }

  private func giveUpRequest(of run: Run) {
    // Without data it is just beginning, and finds out by itself.
    guard let request = run.place?.request else { return }
    retired.append(request) { $0.isSettledCompletely }
    request.cancel()
  }

  /// The mutation was released. What is being stored, or removed, ends when that is done.
  func close() {
    for run in sending.values { run.place?.request.take()?.cancel() }
    let lanes = sending
    sending = [:]
    for _ in lanes { settings.board.senders.leave() }
    for run in leaving.values { if let end = run.place?.end { run.end(end) } }
    for run in known.values.compactMap(\.run) + lanes.values {
      switch run.place?.phase {
      case .waiting, .sending: run.giveUp()
      case .storing, .leaving, nil: break
      }
    }
  }

  /// Suspends until no request runs, and nothing is left to be done with the store, or the calling task is cancelled.
  func untilSettled(isolation: isolated any Actor) async {
    repeat {
      while !Task.isCancelled, let data = retired.popLast() { await data.untilSettled(isolation: isolation) }
      await waiters.wait(until: { isSettled }, isolation: isolation)
    } while !Task.isCancelled && !retired.isEmpty
  }

  private var isSettled: Bool { !isWorking && !sending.values.contains { $0.place?.request != nil } }

  func resumeIfSettled() {
    if isSettled { waiters.resume() }
  }

  // MARK: The inputs

  /// It is known as long as it waits; kept only if something of it is displayed.
  private func enter(_ run: Run, _ phase: OutboxPlace<Output>.Phase, lane: String? = nil) {
    run.place = OutboxPlace(lane: lane ?? settings.lane(run.input), phase: phase)
    if phase == .storing {
      run.awaitAcceptance()
      leaving[run.key] = nil
    }
    if known.count >= knownLimit {
      known = known.filter { $0.value.run != nil }
      knownLimit = 2 * known.count + 8
    }
    known[run.key] = Known(run: run, displayed: mutation?.displaysChanges == true ? run : nil)
  }

  func run(for entry: OutboxEntry<Input>) -> Run {
    if let run = leaving[entry.key] ?? known[entry.key]?.run { return run }
    let run = Run(entry.input, key: entry.key)
    enter(run, .waiting, lane: entry.lane)
    // What is displayed begins where the store is restored. All else is only to end with the run, which is not the one
    // that was performed: that is kept by nothing but its handle.
    if mutation?.displaysChanges == false { mutation?.beginEffects(of: run) }
    return run
  }

  /// It has ended, and is removed from the store.
  func leave(_ run: Run, _ end: MutationOutcome<Output>) {
    run.place?.phase = .leaving
    run.place?.end = end
    enqueue(.remove(run))
  }

  /// The store has worked.
  private func change(_ body: (inout OutboxState<Input>) -> Void) {
    var changed = state.value ?? OutboxState()
    body(&changed)
    // The error stays while it has a consequence.
    if isRestored, !isUnreadable, leaving.isEmpty { changed.error = nil }
    state.value = changed
  }

  /// The store has failed.
  func note(_ error: any Error) {
    var changed = state.value ?? OutboxState()
    changed.error = error
    state.value = changed
  }

  // MARK: The jobs

  /// Reads the store when this is called first, and again if it could not be read then.
  @discardableResult
  private func restore() -> PerformedInput<Void> {
    isAwake = true
    if let restoring { return restoring }
    let restoring = PerformedInput<Void>()
    self.restoring = restoring
    enqueue(.restore(restoring))
    return restoring
  }

  var isRestored: Bool { restoring?.outcome != nil }

  /// There is a reason for every lane to continue.
  func wake() {
    held = []
    emptyBesides = nil
    isUnreadable = false
    if isAwake { restore() }
    look()
  }

  func enqueue(_ job: Job) {
    jobs.append(job)
    guard !isWorking, home != nil else { return }
    isWorking = true
    callHere(with: ()) { outbox, _, home in outbox.beginWorking(isolation: home) }
  }

  private func beginWorking(isolation: isolated any Actor) {
    Task {
      _ = isolation
      await carryOutAll(isolation: isolation)
    }
  }

  private func carryOutAll(isolation: isolated any Actor) async {
    while let job = jobs.takeFirst() { await carryOut(job, isolation: isolation) }
    isWorking = false
    resumeIfSettled()
  }

  /// Calls `body` on the actor, where the caller is, too.
  func callHere<Object>(with object: Object, _ body: @Sendable (Outbox, Object, isolated any Actor) -> Void) {
    guard let home else { return }
    ActorBound((self, object), to: home).callHere { home, bound in body(bound.0, bound.1, home) }
  }

  private func carryOut(_ job: Job, isolation: isolated any Actor) async {
    switch job {
    case .restore(let restoring): await restore(restoring, isolation: isolation)
    case .append(let run): await append(run, isolation: isolation)
    case .look: await lookForWork(isolation: isolation)
    case .remove(let run): await remove(run, isolation: isolation)
    case .setAside(let run, let error): await setAside(run, error, isolation: isolation)
    case .putBack(let run): await putBack(run, isolation: isolation)
    case .discard(let key): await discard(key, isolation: isolation)
    case .removeAll(let removal): await removeAll(removal, isolation: isolation)
    }
  }

  private func restore(_ restoring: PerformedInput<Void>, isolation: isolated any Actor) async {
    var waitingCount = 0
    var setAside: [OutboxEntry<Input>] = []
    var displayed: [OutboxEntry<Input>] = []
    do {
      var last: String?
      var ends: Set<String> = []
      while true {
        let page = try await settings.store.entries(after: last, limit: 100, isolation: isolation)
        guard let end = page.last else { break }
        // A store that begins anew would be read for ever.
        guard ends.insert(end.key).inserted else { throw OutboxError.returned(key: end.key) }
        last = end.key
        let waiting = page.filter { $0.failure == nil }
        setAside += page.filter { $0.failure != nil }
        waitingCount += waiting.count
        if mutation?.displaysChanges == true { displayed += waiting.filter { known[$0.key]?.run == nil } }
      }
    } catch {
      self.restoring = nil
      note(error)
      return restoring.end(.failure(error))
    }
    change {
      $0.waitingCount = waitingCount
      $0.setAside = setAside
      if leaving.isEmpty { $0.error = nil }
    }
    for entry in displayed { mutation?.beginEffects(of: run(for: entry)) }
    restoring.end(.success(()))
    look()
  }

  private func append(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, !place.isWithdrawn else { return forget(run, .cancelled) }
    do {
      let entry = OutboxEntry(key: run.key, lane: place.lane, input: run.input)
      try await settings.store.append(entry, isolation: isolation)
    } catch {
      return await refuse(run, OutboxError.notStored(error), isolation: isolation)
    }
    accepted(run)
  }

  private func putBack(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, !place.isWithdrawn else { return forget(run, .cancelled) }
    do {
      try await settings.store.setAside(run.key, failure: nil, isolation: isolation)
    } catch {
      note(error)
      run.endEffects(.withdrawn)
      return forget(run, .failure(OutboxError.notStored(error)))
    }
    accepted(run)
  }

  /// The store has it: it waits.
  private func accepted(_ run: Run) {
    guard let place = run.place else { return }
    settled.remove(run.key)
    if emptyBesides?.contains(place.lane) == false { emptyBesides = nil }
    // A new input is a reason for its lane to continue.
    held.remove(place.lane)
    isUnreadable = false
    run.place?.phase = .waiting
    if place.isWithdrawn { leave(run, .cancelled) }
    change {
      $0.waitingCount += 1
      $0.setAside.removeAll { $0.key == run.key }
    }
    run.accept()
    if mutation == nil { run.giveUp() }
    look()
  }

  /// The store could not store it.
  private func refuse(_ run: Run, _ error: any Error, isolation: isolated any Actor) async {
    do {
      // It may have been stored all the same.
      try await settings.store.remove(run.key, isolation: isolation)
      settle(run)
    } catch {
      run.place?.phase = .leaving
      run.place?.end = .failure(error)
      leaving[run.key] = run
    }
    mutation?.show(.failure(error), of: run, isolation: isolation)
    run.endEffects(.withdrawn)
    forget(run, .failure(error))
  }

  func remove(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, let end = place.end else { return }
    do {
      try await settings.store.remove(run.key, isolation: isolation)
    } catch {
      leaving[run.key] = run
      hold(run)
      note(error)
      // The answer is known all the same; and without its mutation it is not removed any more.
      if case .success = end { run.end(end) } else if mutation == nil { run.end(end) }
      return
    }
    let hadWaited = run.isAccepted
    settle(run)
    leaving[run.key] = nil
    freeLane(of: run)
    change {
      if hadWaited { $0.waitingCount = max($0.waitingCount - 1, 0) }
    }
    forget(run, end)
    look()
  }

  private func setAside(_ run: Run, _ error: any Error, isolation: isolated any Actor) async {
    guard let place = run.place else { return }
    let failure = String(describing: error)
    do {
      try await settings.store.setAside(run.key, failure: failure, isolation: isolation)
    } catch {
      run.place?.phase = .waiting
      hold(run)
      note(error)
      if mutation == nil { run.giveUp() }
      return
    }
    settle(run)
    freeLane(of: run)
    change {
      $0.waitingCount = max($0.waitingCount - 1, 0)
      $0.setAside.append(OutboxEntry(key: run.key, lane: place.lane, input: run.input, failure: failure))
    }
    run.endEffects(.failed)
    forget(run, .failure(error))
    look()
  }

  /// The store has removed it, or set it aside.
  private func settle(_ run: Run) {
    // A store returns what it should not have soon, because it returns the first entry.
    if settled.count >= 1000 { settled = [] }
    settled.insert(run.key)
  }

  private func discard(_ key: String, isolation: isolated any Actor) async {
    guard isSetAside(key) else { return }
    do {
      try await settings.store.remove(key, isolation: isolation)
    } catch {
      return note(error)
    }
    change {
      $0.setAside.removeAll { $0.key == key }
    }
  }

  private func removeAll(_ removal: PerformedInput<Void>, isolation: isolated any Actor) async {
    defer {
      discardingCount -= 1
      look()
    }
    do {
      try await settings.store.removeAll(isolation: isolation)
    } catch {
      note(error)
      return removal.end(.failure(error))
    }
    held = []
    for run in known.values.compactMap(\.run) + leaving.values + sending.values {
      guard let place = run.place, place.phase == .leaving else { continue }
      freeLane(of: run)
      // Its job has nothing to do any more.
      run.place = nil
      run.endEffects(.failed)
      forget(run, place.end ?? .cancelled)
    }
    leaving = [:]
    state.value = OutboxState()
    removal.end(.success(()))
  }

  /// Whether anything may be sent.
  var maySend: Bool {
    mutation != nil && settings.board.isOpen && settings.options.gate?.isOpen != false && discardingCount == 0
  }

  /// It has left the outbox.
  private func forget(_ run: Run, _ outcome: MutationOutcome<Output>) {
    if known[run.key]?.run === run { known[run.key] = nil }
    run.end(outcome)
  }

  func freeLane(of run: Run) {
    guard let lane = run.place?.lane, sending[lane] === run else { return }
    sending[lane] = nil
    settings.board.senders.leave()
  }

  /// Its lane waits for a reason to continue, which there is for every lane, or for this one.
  func hold(_ run: Run) {
    guard let lane = run.place?.lane else { return }
    freeLane(of: run)
    held.insert(lane)
    look()
  }
}
