// SPDX-License-Identifier: MIT
// The work of an outbox with its store: one job after another.

extension Outbox {
  enum Job {
    case restore(PerformedInput<Void>)
    case append(Run)
    case look
    /// A caller has the store until it leaves it.
    case lend(PerformedInput<Void>)
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
    case .lend: assertionFailure("The store is lent in the place of a job.")
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
    // Those before it in the line are done, so none adds to this later.
    if use.takeOwedRemoval() { owesRemoval = true }
    var waitingCount = 0
    var setAside: [OutboxEntry<Input>] = []
    var displayed: [OutboxEntry<Input>] = []
    var moved: [OutboxEntry<Input>] = []
    do {
      try await completeRemoval(isolation: isolation)
      try await forEachPage(after: nil, isolation: isolation) { stored in
        let page = stored.map(inItsLane)
        moved += zip(stored, page).filter { $0.lane != $1.lane }.map(\.1)
        // The store may have an entry that it has refused, and could not remove.
        let waiting = page.filter { $0.failure == nil && leaving[$0.key]?.isAccepted != false }
        setAside += page.filter { $0.failure != nil }
        waitingCount += waiting.count
        if displaysChanges { displayed += waiting.filter { run($0.key) == nil && leaving[$0.key] == nil } }
      }
      for entry in moved { try await settings.store.update(entry, isolation: isolation) }
    } catch {
      self.restoring = nil
      note(error)
      return restoring.end(.failure(error))
    }
    var refused = OutboxEntries(setAside)
    change {
      $0.waitingCount = waitingCount
      swap(&$0.refused, &refused)
      return leaving.isEmpty && !owesRemoval ? $0.error.take() : nil
    }
    for entry in displayed where displaysChanges && discardingCount == 0 { effects.use().begin(for: run(for: entry)) }
    restoring.end(.success(()))
    look()
  }

  /// An entry in the lane of its input: another version of the app may have stored it in another one.
  func inItsLane(_ entry: OutboxEntry<Input>) -> OutboxEntry<Input> {
    var entry = entry
    entry.lane = settings.lane(entry.input)
    return entry
  }

  func forEachPage(
    after key: String?, isolation: isolated any Actor, _ body: ([OutboxEntry<Input>]) -> Void
  ) async throws {
    var last = key
    var ends: Set<String> = []
    while true {
      let page = try await settings.store.entries(after: last, limit: 100, isolation: isolation)
      guard let end = page.last else { return }
      // A store that starts over would be read for ever.
      guard ends.insert(end.key).inserted else { throw OutboxError.returned(key: end.key) }
      last = end.key
      body(page)
    }
  }

  /// The entry to store for a run.
  func entry(of run: Run, _ place: OutboxPlace<Input, Output>) -> OutboxEntry<Input> {
    OutboxEntry(key: run.key, lane: place.lane, input: run.input, attempts: place.attempts.value)
  }

  private func append(_ run: Run, isolation: isolated any Actor) async {
    guard run.place?.isWithdrawn == false else { return forget(run, .cancelled) }
    do {
      try await completeOwed(isolation: isolation)
      rewriteLate(run)
      guard let place = run.place, !place.isWithdrawn else { return forget(run, .cancelled) }
      try await settings.store.append(entry(of: run, place), isolation: isolation)
    } catch {
      return await refuse(run, OutboxError.notStored(error), isolation: isolation)
    }
    await accepted(run, isolation: isolation)
  }

  private func putBack(_ run: Run, isolation: isolated any Actor) async {
    guard run.place?.isWithdrawn == false else { return await endUnstored(run, isolation: isolation) }
    do {
      try await completeOwed(isolation: isolation)
      rewriteLate(run)
      guard let place = run.place, !place.isWithdrawn else { return await endUnstored(run, isolation: isolation) }
      let entry = entry(of: run, place)
      // What is set aside may be stored as waiting, though the store throws.
      if isSetAside(run.key) { uncertain[run.key] = run }
      // For one that was discarded before it was performed again, or was never stored.
      try await settings.store.append(entry, isolation: isolation)
      // For one that is there under its key.
      uncertain[run.key] = run
      try await settings.store.update(entry, isolation: isolation)
      uncertain[run.key] = nil
    } catch {
      if run.place?.isStored == true {
        note(error)
        uncertain[run.key] = run
        return await accepted(run, isolation: isolation)
      }
      guard isSetAside(run.key) else { return await refuse(run, OutboxError.notStored(error), isolation: isolation) }
      note(error)
      settled.remove(run.key)
      run.endEffects(.withdrawn)
      let isUncertain = uncertain[run.key] === run
      forget(run, run.place?.isWithdrawn == true ? .cancelled : .failure(OutboxError.notStored(error)))
      if isUncertain { uncertain[run.key] = run }
      return
    }
    await accepted(run, isolation: isolation)
  }

  /// Lets an input wait that is in the store.
  private func accepted(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place else { return }
    settled.remove(run.key)
    // From now on its key belongs to this input, and not to a former one that was to be removed.
    let former = leaving.removeValue(forKey: run.key)
    isUnreadable = false
    if let former { forget(former, former.place?.end ?? .cancelled) }
    let isCounted = former?.isAccepted == true
    if place.isWithdrawn {
      if isCounted { change { $0.countOut() } }
      if await setAsideAgain(run, isolation: isolation) { return forget(run, .cancelled) }
      change { $0.refused.remove(run.key) }
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

  /// Ends a retry that was taken back before it was stored.
  private func endUnstored(_ run: Run, isolation: isolated any Actor) async {
    if run.place?.isStored == true { await removeWithdrawn(run, isolation: isolation) } else { forget(run, .cancelled) }
  }

  /// A retry that was taken back while it was stored leaves the input set aside.
  ///
  /// - Returns: False if it was not set aside, or cannot be.
  private func setAsideAgain(_ run: Run, isolation: isolated any Actor) async -> Bool {
    guard let entry = state.value?.refused[run.key] else { return false }
    do {
      try await settings.store.update(entry, isolation: isolation)
      return true
    } catch {
      note(error)
      return false
    }
  }

  /// Removes an input that was taken back during the work of the store on it. In the same job, because another input may be
  /// stored under its key behind it.
  private func removeWithdrawn(_ run: Run, isolation: isolated any Actor) async {
    run.place?.phase = .leaving
    run.place?.end = .cancelled
    run.takeBackEffects()
    await remove(run, isolation: isolation)
  }

  /// Ends an input that the store could not store.
  private func refuse(_ run: Run, _ error: any Error, isolation: isolated any Actor) async {
    run.place?.end = .failure(error)
    do {
      // It may have been stored all the same.
      try await settings.store.remove(run.key, isolation: isolation)
      noteSettled(run.key)
    } catch {
      run.place?.phase = .leaving
      settled.remove(run.key)
      // A former input under its key that could not be removed either is the one that was accepted.
      if leaving[run.key] == nil { leaving[run.key] = run }
    }
    run.endEffects(.withdrawn)
    // An input that was taken back, as at a log-out, is not displayed.
    guard run.place?.isWithdrawn != true else { return forget(run, .cancelled) }
    fail(run, error)
    forget(run, .failure(error))
  }

  /// Counts an attempt in the store. Without that the input is not sent: it would count as never sent if the process ended
  /// then.
  func count(_ run: Run, isolation: isolated (any Actor)?) async -> AsyncOutcome<Void> {
    guard let place = run.place, place.phase == .sending else { return .cancelled }
    var entry = entry(of: run, place)
    entry.attempts += 1
    do {
      try await settings.store.update(entry, isolation: isolation)
    } catch {
      if !Task.isCancelled { note(error) }
      return .failure(OutboxError.notStored(error))
    }
    place.attempts.increment()
    noteSuccess()
    return .success(())
  }

  /// Stores the number of attempts of an input that waits again.
  func storeAttempts(of run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, place.phase == .waiting || place.phase == .sending else { return }
    do {
      try await settings.store.update(entry(of: run, place), isolation: isolation)
    } catch {
      note(error)
    }
  }

  /// Displays the error of an input that could not be sent.
  func fail(_ run: Run, _ error: any Error) {
    failed = run
    guard !isReleased, let place = run.place else { return }
    requests.fail(MutationRun(entry(of: run, place), key: run.key), with: error)
  }

  func remove(_ run: Run, isolation: isolated any Actor) async {
    guard let place = run.place, let end = place.end else { return }
    let isThere: Bool
    do {
      // First the inputs that would be wrong without the answer.
      if let rewrite = place.rewrite {
        run.place?.owesRewriting = true
        try await rewriteAll(but: run, place.lane, rewrite, isolation: isolation)
        run.place?.owesRewriting = false
      }
      isThere = try await settings.store.remove(run.key, isolation: isolation)
    } catch {
      // An input that is set aside is not sent, and stays where a person sees it.
      if !isSetAside(run.key) {
        leaving[run.key] = run
        hold(run)
      }
      note(error)
      // The answer is there all the same. For a released outbox the entry is not removed any more.
      if case .success = end { run.end(end) } else if isReleased { run.end(end) }
      return
    }
    noteSettled(run.key)
    uncertain[run.key] = nil
    // Also the inputs that a job behind this one stores, because they were performed during the work of the store.
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
      // It was performed again since, by a job behind this one: the store has it.
      guard self.run(run.key) === run else {
        self.run(run.key)?.place?.isStored = true
        return leaveUnanswered(run, error)
      }
      run.place?.end = nil
      uncertain[run.key] = run
      waitAgain(run)
      if isReleased { run.giveUp() }
      return
    }
    if run.place?.isWithdrawn == true { return await removeWithdrawn(run, isolation: isolation) }
    noteSettled(run.key)
    leaveUnanswered(run, error, setAside: entry)
  }

  /// Ends an input that does not wait any more, and has no answer.
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

  /// Notes that the store has removed it, or set it aside.
  private func noteSettled(_ key: String) {
    // A store returns a removed entry soon, if at all, because it returns the first entry.
    if settled.count >= 1000 { settled = [] }
    settled.insert(key)
  }

  private func read(
    after key: String?, _ limit: Int, _ answer: PerformedInput<[OutboxEntry<Input>]>, isolation: isolated any Actor
  ) async {
    do {
      try await completeRemoval(isolation: isolation)
      var found: [OutboxEntry<Input>] = []
      var last = key
      while found.count < limit {
        let page = try await settings.store.entries(after: last, limit: limit - found.count, isolation: isolation)
        guard let end = page.last else { break }
        last = end.key
        // Entries that only the store still has are left out.
        found += page.filter { leaving[$0.key] == nil && run($0.key)?.place?.phase != .leaving }
      }
      noteSuccess()
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
      let input = rewritten(input, in: entry.lane) ?? input
      try await completeOwed(isolation: isolation)
      // The entry as it is in the store now.
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

  private func discard(_ entry: OutboxEntry<Input>, isolation: isolated any Actor) async {
    // It may be sent since. One that is stored by a job behind this was performed again after the discard.
    if let run = run(entry.key), run.outcome == nil, run.place?.phase != .storing { return withdraw(run) }
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
      try await clear(isolation: isolation)
    } catch {
      owesRemoval = true
      // Nothing of it is displayed to the next user.
      if !isReleased { state.value = OutboxState() }
      note(error)
      return removal.end(.failure(error))
    }
    removal.end(.success(()))
  }
}
