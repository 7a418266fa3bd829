// SPDX-License-Identifier: MIT
// What an outbox does with its store: one job after another.

extension Outbox {
  enum Job {
    case restore(PerformedInput<Void>)
    case append(Run)
    case look
    /// It is about to be sent.
    case count(Run, PerformedInput<Void>)
    /// It was counted, and not sent.
    case countBack(Run)
    case remove(Run)
    case setAside(Run, any Error)
    /// It was set aside, and waits again.
    case putBack(Run)
    case read(after: String?, limit: Int, PerformedInput<[OutboxEntry<Input>]>)
    case replace(OutboxEntry<Input>, Input, PerformedInput<Bool>)
    case discard(OutboxEntry<Input>)
    case removeAll(PerformedInput<Void>)
  }

  func carryOut(_ job: Job, isolation: isolated any Actor) async {
    switch job {
    case .restore(let restoring): await restore(restoring, isolation: isolation)
    case .append(let run): await append(run, isolation: isolation)
    case .look: await lookForWork(isolation: isolation)
    case .count(let run, let answer): answer.end(await count(run, isolation: isolation))
    case .countBack(let run): await storeAttempts(of: run, isolation: isolation)
    case .remove(let run): await remove(run, isolation: isolation)
    case .setAside(let run, let error): await setAside(run, error, isolation: isolation)
    case .putBack(let run): await putBack(run, isolation: isolation)
    case .read(let key, let limit, let answer): await read(after: key, limit, answer, isolation: isolation)
    case .replace(let entry, let input, let answer): await replace(entry, input, answer, isolation: isolation)
    case .discard(let entry): await discard(entry, isolation: isolation)
    case .removeAll(let removal): await removeAll(removal, isolation: isolation)
    }
  }

  private func restore(_ restoring: PerformedInput<Void>, isolation: isolated any Actor) async {
    await use.begin(isolation: isolation)
    var waitingCount = 0
    var setAside: [OutboxEntry<Input>] = []
    var displayed: [OutboxEntry<Input>] = []
    do {
      try await forEachPage(after: nil, isolation: isolation) { page in
        let waiting = page.filter { $0.failure == nil }
        setAside += page.filter { $0.failure != nil }
        waitingCount += waiting.count
        if displaysChanges { displayed += waiting.filter { run($0.key) == nil } }
      }
    } catch {
      self.restoring = nil
      note(error)
      return restoring.end(.failure(error))
    }
    var refused = OutboxEntries(setAside)
    change {
      $0.waitingCount = waitingCount
      swap(&$0.refused, &refused)
      return leaving.isEmpty ? $0.error.take() : nil
    }
    for entry in displayed where !isReleased { effects.use().begin(for: run(for: entry)) }
    restoring.end(.success(()))
    look()
  }

  private func forEachPage(
    after key: String?, isolation: isolated any Actor, _ body: ([OutboxEntry<Input>]) -> Void
  ) async throws {
    var last = key
    var ends: Set<String> = []
    while true {
      let page = try await settings.store.entries(after: last, limit: 100, isolation: isolation)
      guard let end = page.last else { return }
      // A store that begins anew would be read for ever.
      guard ends.insert(end.key).inserted else { throw OutboxError.returned(key: end.key) }
      last = end.key
      body(page)
    }
  }

  /// The entry of a run as it is to be in the store.
  func entry(of run: Run, _ place: OutboxPlace<Input, Output>) -> OutboxEntry<Input> {
    OutboxEntry(key: run.key, lane: place.lane, input: run.input, attempts: place.attempts.value)
  }

  private func append(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, !place.isWithdrawn else { return forget(run, .cancelled) }
    do {
      try await settings.store.append(entry(of: run, place), isolation: isolation)
    } catch {
      return await refuse(run, OutboxError.notStored(error), isolation: isolation)
    }
    await accepted(run, isolation: isolation)
  }

  private func putBack(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, !place.isWithdrawn else { return forget(run, .cancelled) }
    let entry = entry(of: run, place)
    do {
      // It was discarded before it was performed again, or has never been stored.
      if !isSetAside(run.key) { try await settings.store.append(entry, isolation: isolation) }
      // What is there under its key stays as it is otherwise.
      try await settings.store.update(entry, isolation: isolation)
    } catch {
      guard isSetAside(run.key) else { return await refuse(run, OutboxError.notStored(error), isolation: isolation) }
      note(error)
      run.endEffects(.withdrawn)
      return forget(run, .failure(OutboxError.notStored(error)))
    }
    await accepted(run, isolation: isolation)
  }

  /// The store has it: it waits.
  private func accepted(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place else { return }
    settled.remove(run.key)
    // What was to be removed under its key is this from now on.
    let former = leaving.removeValue(forKey: run.key)
    isUnreadable = false
    if let former { forget(former, former.place?.end ?? .cancelled) }
    let isCounted = former?.isAccepted == true
    if place.isWithdrawn {
      if isCounted { change { $0.countOut() } }
      return await removeWithdrawn(run, isolation: isolation)
    }
    if emptyBesides?.contains(place.lane) == false { emptyBesides = nil }
    // A new input is a reason for its lane to continue.
    held[place.lane] = nil
    run.place?.phase = .waiting
    change {
      if !isCounted { $0.waitingCount += 1 }
      return $0.refused.remove(run.key)
    }
    run.accept()
    if isReleased { run.giveUp() }
    look()
  }

  /// It was taken back while the store was at work on it: it leaves the store in the same job, because another input may be
  /// stored under its key behind that.
  private func removeWithdrawn(_ run: Run, isolation: isolated any Actor) async {
    run.place?.phase = .leaving
    run.place?.end = .cancelled
    run.takeBackEffects()
    await remove(run, isolation: isolation)
  }

  /// The store could not store it.
  private func refuse(_ run: Run, _ error: any Error, isolation: isolated any Actor) async {
    run.place?.end = .failure(error)
    do {
      // It may have been stored all the same.
      try await settings.store.remove(run.key, isolation: isolation)
      noteSettled(run.key)
    } catch {
      run.place?.phase = .leaving
      leaving[run.key] = run
    }
    run.endEffects(.withdrawn)
    // What was taken back, as at a log-out, is displayed nowhere.
    guard run.place?.isWithdrawn != true else { return forget(run, .cancelled) }
    fail(run, error)
    forget(run, .failure(error))
  }

  /// What is not counted is not sent: otherwise an input that was sent by a process that ends would count as never sent.
  func count(_ run: Run, isolation: isolated (any Actor)?) async -> AsyncOutcome<Void> {
    guard let place = run.place, place.phase == .sending else { return .cancelled }
    var entry = entry(of: run, place)
    entry.attempts += 1
    do {
      try await settings.store.update(entry, isolation: isolation)
    } catch {
      note(error)
      return .failure(OutboxError.notStored(error))
    }
    place.attempts.increment()
    if state.value?.error != nil { change { _ in } }
    return .success(())
  }

  /// The attempts of what waits again are as many as were made.
  private func storeAttempts(of run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, place.phase == .waiting || place.phase == .sending else { return }
    do {
      try await settings.store.update(entry(of: run, place), isolation: isolation)
    } catch {
      note(error)
    }
  }

  /// It could not be sent, which is displayed.
  func fail(_ run: Run, _ error: any Error) {
    failed = run
    guard !isReleased, let place = run.place else { return }
    requests.fail(MutationRun(entry(of: run, place), key: run.key), with: error)
  }

  func remove(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, let end = place.end else { return }
    let isThere: Bool
    do {
      // First what would be wrong without the answer.
      if let rewrite = place.rewrite { try await rewriteAll(behind: run, place.lane, rewrite, isolation: isolation) }
      isThere = try await settings.store.remove(run.key, isolation: isolation)
    } catch {
      // What is set aside is not sent, and stays where a person sees it.
      if !isSetAside(run.key) {
        leaving[run.key] = run
        hold(run)
      }
      note(error)
      // The answer is known all the same; and of a released outbox it is not removed any more.
      if case .success = end { run.end(end) } else if isReleased { run.end(end) }
      return
    }
    noteSettled(run.key)
    // Those that are stored by a job behind this one, with what was performed while the store was at work.
    if let rewrite = place.rewrite { rewriteUnstored(in: place.lane, rewrite) }
    let hadWaited = run.isAccepted && (isThere || leaving[run.key] != nil)
    leaving[run.key] = nil
    freeLane(of: run)
    change {
      let removed = $0.refused.remove(run.key)
      if removed == nil, hadWaited { $0.countOut() }
      return removed
    }
    forget(run, end)
    look()
  }

  private func setAside(_ run: Run, _ error: any Error, isolation: isolated any Actor) async {
    guard let place = run.place else { return }
    if place.isWithdrawn { return await removeWithdrawn(run, isolation: isolation) }
    var entry = entry(of: run, place)
    entry.failure = String(describing: error)
    do {
      try await settings.store.update(entry, isolation: isolation)
    } catch let storeError {
      note(storeError)
      // It was performed again since, which is stored behind this.
      guard self.run(run.key) === run else { return leaveUnanswered(run, error) }
      run.place?.end = nil
      waitAgain(run)
      if isReleased { run.giveUp() }
      return
    }
    if run.place?.isWithdrawn == true { return await removeWithdrawn(run, isolation: isolation) }
    noteSettled(run.key)
    leaveUnanswered(run, error, setAside: entry)
  }

  /// It waits no more, and has no answer.
  private func leaveUnanswered(_ run: Run, _ error: any Error, setAside entry: OutboxEntry<Input>? = nil) {
    freeLane(of: run)
    change { state in
      state.countOut()
      return entry.flatMap { entry in state.refused.insert(entry) }
    }
    run.endEffects(.failed(error))
    forget(run, .failure(error))
    look()
  }

  /// The store has removed it, or set it aside.
  private func noteSettled(_ key: String) {
    // A store returns what it should not have soon, because it returns the first entry.
    if settled.count >= 1000 { settled = [] }
    settled.insert(key)
  }

  private func read(
    after key: String?, _ limit: Int, _ answer: PerformedInput<[OutboxEntry<Input>]>, isolation: isolated any Actor
  ) async {
    do {
      var found: [OutboxEntry<Input>] = []
      var last = key
      while found.count < limit {
        let page = try await settings.store.entries(after: last, limit: limit - found.count, isolation: isolation)
        guard let end = page.last else { break }
        last = end.key
        // What only the store does not know yet is not there.
        found += page.filter { leaving[$0.key] == nil && run($0.key)?.place?.phase != .leaving }
      }
      answer.end(.success(found))
    } catch {
      note(error)
      answer.end(.failure(error))
    }
  }

  private func replace(
    _ entry: OutboxEntry<Input>, _ input: Input, _ answer: PerformedInput<Bool>, isolation: isolated any Actor
  ) async {
    do {
      // As it is by now.
      var found: OutboxEntry<Input>?
      try await forEachPage(after: nil, isolation: isolation) { page in
        found = found ?? page.first { $0.key == entry.key }
      }
      guard let stored = found, stored.attempts == 0, stored.failure == nil, leaving[entry.key] == nil,
        run(entry.key)?.place.map({ $0.phase == .waiting }) != false
      else { return answer.end(.success(false)) }
      try await rewrite(stored, as: input, isolation: isolation)
      answer.end(.success(true))
    } catch {
      note(error)
      answer.end(.failure(error))
    }
    look()
  }

  /// The inputs behind one that was answered, in its lane, are what its answer makes of them.
  private func rewriteAll(
    behind answered: Run, _ lane: String, _ rewrite: (Input) -> Input?, isolation: isolated any Actor
  ) async throws {
    var rewritten: [(OutboxEntry<Input>, Input)] = []
    try await forEachPage(after: answered.key, isolation: isolation) { page in
      for entry in page where entry.lane == lane {
        if let input = rewrite(entry.input) { rewritten.append((entry, input)) }
      }
    }
    // What is set aside may be before it.
    let found = Set(rewritten.map(\.0.key))
    for entry in state.value?.setAside ?? [] where entry.lane == lane && !found.contains(entry.key) {
      if let input = rewrite(entry.input) { rewritten.append((entry, input)) }
    }
    for (entry, input) in rewritten { try await self.rewrite(entry, as: input, isolation: isolation) }
  }

  private func rewriteUnstored(in lane: String, _ rewrite: (Input) -> Input?) {
    for run in runs where run.place?.phase == .storing && run.place?.lane == lane {
      if let input = rewrite(run.input) { self.rewrite(run, as: input) }
    }
  }

  private func rewrite(_ entry: OutboxEntry<Input>, as input: Input, isolation: isolated any Actor) async throws {
    var entry = entry
    entry.input = input
    entry.lane = settings.lane(input)
    try await settings.store.update(entry, isolation: isolation)
    emptyBesides = nil
    if entry.failure != nil {
      change { $0.refused[entry.key] == nil ? nil : $0.refused.insert(entry) }
    } else if let run = run(entry.key) {
      rewrite(run, as: input)
    }
  }

  private func rewrite(_ run: Run, as input: Input) {
    let lane = settings.lane(input)
    if let former = run.place?.lane, former != lane { release(former, heldFor: run) }
    run.place?.lane = lane
    run.rewrite(as: input)
  }

  private func discard(_ entry: OutboxEntry<Input>, isolation: isolated any Actor) async {
    // It may be sent since. One that is stored by a job behind this was performed again after the discard.
    if let run = run(entry.key), run.place?.phase != .storing { return withdraw(run) }
    guard leaving[entry.key] == nil else { return }
    let run = Run(entry.input, key: entry.key)
    run.place = OutboxPlace(
      lane: entry.lane, phase: .leaving, attempts: AttemptCount(entry.attempts), end: .cancelled)
    await remove(run, isolation: isolation)
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
    held = [:]
    for run in runs + leaving.values + sending.values {
      // What is stored by a job behind this was performed after it.
      guard let place = run.place, place.phase != .storing else { continue }
      freeLane(of: run)
      // Its job has nothing to do any more.
      run.place = nil
      run.takeBackEffects()
      forget(run, place.end ?? .cancelled)
    }
    leaving = [:]
    state.value = OutboxState()
    removal.end(.success(()))
  }
}
