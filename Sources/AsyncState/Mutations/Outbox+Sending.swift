// SPDX-License-Identifier: MIT
// The sending of waiting inputs: a few lanes at a time, each input by a mutation with lanes, which does its retries and its
// timeout.

extension Outbox {
  /// The largest number of lanes that wait for a reason or for another attempt: while there are so many, no other lane begins.
  private var pausedLimit: Int { 100 }

  /// The lanes that cannot begin another input.
  private var blocked: Set<String> { Set(held.keys).union(sending.keys) }

  /// True if another lane would have to wait: for room, or because many lanes pause, so that sending may not work at all.
  private var isFull: Bool {
    // Inputs that operations await are behind others in the store. The gate decides which of these begin.
    if awaited.contains(where: { $0.place.map { $0.phase == .waiting && !blocked.contains($0.lane) } == true }) {
      return false
    }
    let pausingCount = sending.values.count { $0.place?.request?.isPausing == true }
    return sending.count - pausingCount >= LoadGate.narrowest(of: [gate])
      || held.count + pausingCount >= pausedLimit
  }

  /// True if inputs may be sent.
  private var maySend: Bool { isAwake && !isReleased && !use.isReleased && gate.isOpen && discardingCount == 0 }

  /// Enqueues a search for inputs that can be sent.
  func look() {
    // To remove ended inputs takes no room.
    guard maySend, isRestored, !isUnreadable, !isLooking, !isFull || !leaving.isEmpty else { return }
    if let emptyBesides, emptyBesides.isSubset(of: blocked) { return }
    isLooking = true
    enqueue(.look)
  }

  func lookForWork(isolation: isolated any Actor) async {
    isLooking = false
    guard maySend else { return }
    do {
      try await completeRemoval(isolation: isolation)
      await correctUncertain(isolation: isolation)
      // Before an input that they rewrite: one that was stored before the answered one is the first of the lane.
      for run in leaving.values where run.place.map({ $0.owesRewriting && held[$0.lane] == nil }) == true {
        await remove(run, isolation: isolation)
      }
      guard maySend else { return }
      // A lane of which the store has something wrong may be free again: it is corrected first.
      let besides = blocked.union(uncertain.values.compactMap(\.place?.lane)).union(
        leaving.values.compactMap { $0.place?.owesRewriting == true ? $0.place?.lane : nil })
      guard let entry = try await settings.store.first(besides: besides, isolation: isolation) else {
        emptyBesides = besides
        settled = []
        noteSuccess()
        // The store has no entries of these, although it has failed to remove them.
        for run in leaving.values where run.place.map({ besides.contains($0.lane) }) == false {
          await remove(run, isolation: isolation)
        }
        return look()
      }
      guard !settled.contains(entry.key) else { throw OutboxError.returned(key: entry.key) }
      let run = run(for: entry)
      if run.place?.phase == .waiting, maySend {
        guard !isFull else { return }
        send(run, isolation: isolation)
      } else if leaving[run.key] === run {
        // The store has failed to remove it. An input that is being stored or removed has its job behind this one.
        await remove(run, isolation: isolation)
      }
      look()
    } catch {
      isUnreadable = true
      note(error)
    }
  }

  /// Notes that an operation with room at the gate awaits an input: neither ends if the input, or the one before it in its
  /// lane, waits for room.
  func willBeAwaited(_ run: Run) -> [any RoomBorrower] {
    guard run.outcome == nil, let lane = run.place?.lane else { return [] }
    awaited.append(run)
    look()
    guard let first = sending[lane], first !== run else { return [run] }
    return [first, run]
  }

  private func send(_ run: Run, isolation: isolated any Actor) {
    guard let place = run.place else { return }
    let request = MutationRun<OutboxEntry<Input>, Output>(entry(of: run, place), key: run.key)
    request.options = options(for: run)
    run.place?.phase = .sending
    run.place?.request = request
    sending[place.lane] = run
    for other in awaited where other.place?.lane == place.lane { other.passOn(to: request) }
    request.begin(MutationEffect { [weak self] end, _ in self?.requestDidEnd(of: run, end) })
    requests.perform(request)
  }

  /// The options of a request, which does not try again after a permanent failure.
  private func options(for run: Run) -> LoadOptions? {
    guard let delay = settings.options.retry.delay, let attempts = run.place?.attempts else { return nil }
    var options = settings.options
    options.retry = RetryPolicy { [permanence = settings.permanence] failed in
      permanence(failed.error, attempts) ? nil : delay(failed)
    }
    return options
  }

  fileprivate func attempt(_ entry: OutboxEntry<Input>, _ reporter: MutationReporter) async throws -> Output {
    guard let run = sending[entry.lane], run.key == entry.key, let request = run.place?.request else {
      throw CancellationError()
    }
    // No call that throws: the actor may be another one after an error.
    try await counted(run, for: request, isolation: #isolation).get()
    run.noteSending()
    run.place?.requestAtWork = ObjectIdentifier(request)
    defer { if run.place?.requestAtWork == ObjectIdentifier(request) { run.place?.requestAtWork = nil } }
    let output = try await settings.operation(run.input, reporter)
    run.noteCarriedOut(output)
    return output
  }

  /// Counts an attempt in the store. The count is taken back in the same use of the store if the request has ended since: the
  /// next outbox may have the store after that.
  private func counted(
    _ run: Run, for request: MutationRun<OutboxEntry<Input>, Output>, isolation: isolated (any Actor)?
  ) async -> AsyncOutcome<Void> {
    await takeStore(isolation: isolation)
    guard isWanted(request, of: run) else {
      leaveStore()
      return .cancelled
    }
    let outcome = await count(run, isolation: isolation)
    if isWanted(request, of: run) {
      leaveStore()
      return outcome
    }
    if case .success = outcome { run.place?.attempts.decrement() }
    takeBackAttempt(of: run)
    return .cancelled
  }

  private func isWanted(_ request: MutationRun<OutboxEntry<Input>, Output>, of run: Run) -> Bool {
    run.place?.request === request && !Task.isCancelled && !use.isReleased
  }

  /// Stores the former number of attempts, and leaves the store. In a task that is not cancelled: a store may do nothing in one that
  /// was cancelled, as that of a request is.
  private func takeBackAttempt(of run: Run) {
    guard let home else { return leaveStore() }
    ActorBound((outbox: self, run: run), to: home).callHere { home, call in
      call.outbox.beginTakingBack(call.run, isolation: home)
    }
  }

  private func beginTakingBack(_ run: Run, isolation: isolated any Actor) {
    Task {
      _ = isolation
      await storeAttempts(of: run, isolation: isolation)
      leaveStore()
    }
  }

  private func requestDidEnd(of run: Run, _ end: MutationEnd<Output>) {
    guard let place = run.place else { return }
    run.place?.request = nil
    guard !isReleased else { return }
    switch end {
    case .succeeded(let output):
      let rewrite = rewriting?(run.input, output)
      let rewritten = rewrite.map { waitingInputs(behind: run, rewrittenBy: $0) } ?? []
      run.place?.rewrite = rewrite
      leave(run, .success(output))
      // In one step: an edit behind a creation is displayed all the time.
      let step = EarlyRound()
      for (run, input) in rewritten { run.display(input, in: step) }
      run.endEffects(end, in: step)
      step.finish()
    case .failed(let error):
      failed = run
      if settings.isPermanent(error, of: place) {
        run.place?.phase = .leaving
        run.place?.end = .failure(error)
        enqueue(.setAside(run, error))
      } else {
        waitAgain(run)
      }
    case .givenUp, .withdrawn: waitAgain(run)
    }
  }

  /// Lets an input without an answer wait. It is sent again when there is a reason, unless its caller has cancelled it.
  func waitAgain(_ run: Run) {
    if run.place?.isWithdrawn == true {
      leave(run, .cancelled)
      run.takeBackEffects()
    } else {
      run.place?.phase = .waiting
      hold(run)
    }
  }

  func freeLane(of run: Run) {
    guard let lane = run.place?.lane, sending[lane] === run else { return }
    sending[lane] = nil
  }

  /// Makes its lane wait for a reason to continue: one for every lane, or for this one.
  func hold(_ run: Run) {
    guard let lane = run.place?.lane else { return }
    freeLane(of: run)
    // The first one decides: an input behind it is no reason.
    if held[lane] == nil { held[lane] = run.key }
    look()
  }

  /// Lets the lane continue that waits for an input. By its key: it may be in another lane since it was read or rewritten.
  func release(_ key: String) {
    if let lane = held.first(where: { $0.value == key })?.key { held[lane] = nil }
  }
}

/// The connection from the requests of an outbox back to it.
final class OutboxLink<Input, Output> {
  weak var outbox: Outbox<Input, Output>?

  // Here, and not in the caller: a closure in a function with an isolated parameter does not run on its caller's actor.
  var operation: (OutboxEntry<Input>, MutationReporter) async throws -> Output {
    { entry, reporter in
      guard let outbox = self.outbox else { throw CancellationError() }
      return try await outbox.attempt(entry, reporter)
    }
  }
}
