// SPDX-License-Identifier: MIT
// The sending of waiting inputs: a few lanes at a time, each input by a request of its own, with its retries and its time limit.

extension Outbox: MutationSender {
  /// The largest number of lanes that pause: while there are so many, no other lane begins.
  private var pausedLimit: Int { 100 }

  /// True if another lane would have to wait: for room, or because many lanes pause, so that sending may not work at all.
  private var isFull: Bool {
    let pausingCount = active.values.count { $0.place?.request?.isPausing == true }
    return active.count - pausingCount >= gate.width ?? LoadGate.automaticWidth
      || table.pausedCount + pausingCount >= pausedLimit
  }

  var nextToSend: Row? {
    guard maySend, let next = table.next else { return nil }
    if !isFull { return next }
    // Those that operations inside the gate await pass its width.
    return awaited.lazy.compactMap { run in self.table[run.key].flatMap { self.table.next(in: $0.lane) } }.first
  }

  /// Lets an input pass the width of these gates, because operations inside await it, and the one before it in its lane.
  func pass(_ run: Run, _ gates: [LoadGate]) {
    guard run.outcome == nil, let lane = table[run.key]?.lane else { return }
    run.pass(gates)
    awaited.append(run)
    active.values.first { table[$0.key]?.lane == lane }?.pass(gates)
    work()
  }

  func send(_ row: Row, isolation: isolated any Actor) {
    let run = run(for: row)
    table.begins(row.key)
    let request = Run(run.input, key: row.key)
    let policy = options(for: run).map { RequestPolicy($0) } ?? policy
    run.place?.request = request
    run.place?.pause?.end()
    active[row.key] = run
    for other in awaited where table[other.key]?.lane == row.lane {
      request.pass(other.attempts.passedGates)
    }
    request.pass(LetIn.gates)
    request.begin(
      MutationPhase(isDelayed: false, obstacle: policy?.gate?.obstacle(passing: request.attempts.passedGates)))
    request.sender = self
    taskCount += 1
    // Does not hold the outbox: an operation may ignore its cancellation.
    request.task = Task { [weak self, operation, timeline] in
      _ = isolation
      let outcome = await request.send(by: policy, on: timeline, after: nil, operation, isolation: isolation)
      self?.taskCount -= 1
      // What an observer of the end begins is no part of an operation that has performed the input.
      RunningOperation.outside { self?.end(request, outcome) }
      self?.waiters.resume()
    }
    show()
  }

  func phaseDidChange(of request: Run, by event: MutationEvent, isDisplayed: Bool) {
    guard isDisplayed else { return }
    show()
    // While one lane waits for another attempt, another one may begin.
    work()
  }

  /// Ends a request, once.
  func end(_ request: Run, _ outcome: AsyncOutcome<Output>) {
    guard !request.isOver, let run = active[request.key], run.place?.request === request else { return }
    request.close()
    requestDidEnd(of: run, request.end(for: outcome))
  }

  /// Ends all requests, as cancelled.
  func endRequests() {
    for request in active.values.compactMap({ $0.place?.request }) { end(request, .cancelled) }
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

  fileprivate func attempt(_ reporter: MutationReporter) async throws -> Output {
    let key = reporter.idempotencyKey
    guard let run = active[key], let request = run.place?.request else { throw CancellationError() }
    let counting = AwaitedOutcome<Void>()
    run.place?.counting = counting
    table.counts(key)
    work()
    // No call that throws: the actor may be another one after an error.
    let counted = await counting.untilEnded(isolation: #isolation)
    _ = try counted.get()
    // It has closed meanwhile.
    if !gate.isOpen { end(request, .cancelled) }
    guard run.place?.request === request, !Task.isCancelled, !use.isReleased, table.made(key), let row = table[key]
    else {
      throw CancellationError()
    }
    run.place?.counting = nil
    run.place?.attempts.value = row.attempts
    run.noteSending()
    run.place?.requestAtWork = ObjectIdentifier(request)
    waiters.resume()
    defer { if run.place?.requestAtWork == ObjectIdentifier(request) { run.place?.requestAtWork = nil } }
    let output = try await settings.operation(settings.input(row.input), reporter)
    run.noteCarriedOut(output)
    return output
  }

  private func requestDidEnd(of run: Run, _ end: MutationEnd<Output>) {
    guard let place = run.place else { return }
    run.place?.request = nil
    active[run.key] = nil
    place.counting?.end(.cancelled)
    guard !isReleased, runs[run.key] === run, let row = table[run.key], row.phase == .sending || row.phase == .counting
    else {
      return work()
    }
    switch end {
    case .succeeded(let output): answered(run, output, end)
    case .failed(let error) where settings.isPermanent(error, of: place):
      errors[run.key] = error
      table.refused(run.key, with: String(describing: error))
      run.place?.end = .failure(error)
      run.endEffects(.failed(error))
    case .failed(let error):
      errors[run.key] = error
      pause(run)
    case .givenUp, .withdrawn: pause(run)
    }
    didChange()
  }

  /// Lets an input wait that has failed, or was interrupted: for a reason, or until the end of a pause.
  private func pause(_ run: Run) {
    table.failed(run.key)
    run.noteWaiting()
    let pause = run.place?.pause ?? OutboxPause(scheduler)
    run.place?.pause = pause
    pause.begin(for: self) { [weak self, key = run.key] in
      guard let self, let row = table[key] else { return }
      table.continues(row.lane)
      didChange()
    }
  }

  private func answered(_ run: Run, _ output: Output, _ end: MutationEnd<Output>) {
    let rewrite = rewriting?(run.input, output)
    let rewriting = rewrite.map { rewrite in
      { [settings] content in rewrite(settings.input(content)).map(settings.content) }
    }
    let rewritten = table.answered(run.key, rewriting: rewriting, lane: settings.lane(of:))
    errors[run.key] = nil
    run.place?.end = .success(output)
    run.place?.rewrite = rewrite
    if rewrite != nil { answered[run.key] = run }
    // In one step: an edit behind a creation is displayed all the time.
    let step = EarlyRound()
    for key in rewritten { self.rewrite(key, in: step) }
    run.endEffects(end, in: step)
    step.finish()
  }
}

/// The connection from the requests of an outbox back to it.
final class OutboxLink<Input, Output> {
  weak var outbox: Outbox<Input, Output>?

  // Here, and not in the caller: a closure in a function with an isolated parameter does not run on its caller's actor.
  var operation: (Input, MutationReporter) async throws -> Output {
    { _, reporter in
      guard let outbox = self.outbox else { throw CancellationError() }
      return try await outbox.attempt(reporter)
    }
  }
}
