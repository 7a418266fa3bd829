// SPDX-License-Identifier: MIT
// How an outbox sends what waits: a few lanes at a time, each input by a mutation with lanes, which does its retries and
// its timeout.

extension Outbox {
  /// The largest number of lanes that wait for a reason or for another attempt: while there are so many, no other lane
  /// begins.
  private var pausedLimit: Int { 100 }

  /// The lanes that cannot begin another input.
  private var blocked: Set<String> { Set(held.keys).union(sending.keys) }

  /// Another lane would have to wait: for room, or because so many pause that nothing is known to work.
  private var isFull: Bool {
    // What an operation awaits is behind others in the store. The gate decides which of these begin.
    if awaited.contains(where: { $0.place.map { $0.phase == .waiting && !blocked.contains($0.lane) } == true }) {
      return false
    }
    let pausingCount = sending.values.count { $0.place?.request?.load?.state.extras?.isPausing == true }
    return sending.count - pausingCount >= LoadGate.narrowest(of: [gate])
      || held.count + pausingCount >= pausedLimit
  }

  /// Whether anything may be sent.
  private var maySend: Bool { isAwake && !isReleased && gate.isOpen && discardingCount == 0 }

  /// Looks for what can be sent, as soon as it is the store's turn.
  func look() {
    // To remove what is over takes no room.
    guard maySend, isRestored, !isUnreadable, !isLooking, !isFull || !leaving.isEmpty else { return }
    if let emptyBesides, emptyBesides.isSubset(of: blocked) { return }
    isLooking = true
    enqueue(.look)
  }

  func lookForWork(isolation: isolated any Actor) async {
    isLooking = false
    guard maySend else { return }
    let besides = blocked
    do {
      guard let entry = try await settings.store.first(besides: besides, isolation: isolation) else {
        emptyBesides = besides
        settled = []
        // The store has nothing of these, though it has failed to remove them.
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
        // The store has failed to remove it. What is just being stored, or removed, has its job behind this one.
        await remove(run, isolation: isolation)
      }
      look()
    } catch {
      isUnreadable = true
      note(error)
    }
  }

  /// An operation with room at the gate awaits an input: neither ends if this, or what is before it in its lane, waits for
  /// room.
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
    requests.perform(request, isolation: isolation)
  }

  /// What the server has refused for good is not tried again.
  private func options(for run: Run) -> LoadOptions? {
    guard let delay = settings.options.retry.delay, let attempts = run.place?.attempts else { return nil }
    var options = settings.options
    options.retry = RetryPolicy { [permanence = settings.permanence] failures, error in
      permanence(error, attempts) ? nil : delay(failures, error)
    }
    return options
  }

  fileprivate func attempt(_ entry: OutboxEntry<Input>, _ reporter: MutationReporter) async throws -> Output {
    guard let run = sending[entry.lane], run.key == entry.key, let request = run.place?.request else {
      throw CancellationError()
    }
    // No call that throws: after one the actor may be another.
    try await counted(run, isolation: #isolation).get()
    // It may have been taken back, or its request has ended.
    guard run.place?.request === request, !Task.isCancelled else {
      run.place?.attempts.decrement()
      enqueue(.countBack(run))
      throw CancellationError()
    }
    run.noteSending()
    return try await settings.operation(run.input, reporter)
  }

  /// The store counts an attempt: at once if nothing else uses it.
  private func counted(_ run: Run, isolation: isolated (any Actor)?) async -> AsyncOutcome<Void> {
    if takeStore() {
      let outcome = await count(run, isolation: isolation)
      leaveStore()
      return outcome
    }
    let answer = PerformedInput<Void>()
    enqueue(.count(run, answer))
    return await answer.untilEnded(isolation: isolation)
  }

  private func requestDidEnd(of run: Run, _ end: MutationEnd<Output>) {
    run.place?.request = nil
    guard !isReleased else { return }
    switch end {
    case .succeeded(let output):
      run.place?.rewrite = rewriting?(run.input, output)
      leave(run, .success(output))
      run.endEffects(end)
    case .failed(let error):
      failed = run
      if settings.isPermanent(error, of: run) {
        run.place?.phase = .leaving
        run.place?.end = .failure(error)
        enqueue(.setAside(run, error))
      } else {
        waitAgain(run)
      }
    case .givenUp, .withdrawn: waitAgain(run)
    }
  }

  /// It has no answer. It is sent again when there is a reason, unless its caller has cancelled it.
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

  /// Its lane waits for a reason to continue, which there is for every lane, or for this one.
  func hold(_ run: Run) {
    guard let lane = run.place?.lane else { return }
    freeLane(of: run)
    held[lane] = run.key
    look()
  }

  /// An input leaves a lane, which does not wait for it any more.
  func release(_ lane: String, heldFor run: Run) {
    if held[lane] == run.key { held[lane] = nil }
  }
}

/// The way from the requests of an outbox back to it.
final class OutboxLink<Input, Output> {
  weak var outbox: Outbox<Input, Output>?

  // Here, and not where it is used: a closure in a function with an isolated parameter does not run on its caller's
  // actor.
  var operation: (OutboxEntry<Input>, MutationReporter) async throws -> Output {
    { entry, reporter in
      guard let outbox = self.outbox else { throw CancellationError() }
      return try await outbox.attempt(entry, reporter)
    }
  }
}
