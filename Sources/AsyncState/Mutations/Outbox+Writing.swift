// SPDX-License-Identifier: MIT
// The one loop of an outbox: it saves what the store does not have yet, and sends what may be sent.

extension Outbox {
  private var hasWork: Bool { table.isDue || nextToSend != nil }

  var maySend: Bool { isAwake && !isReleased && !use.isReleased && gate.isOpen }

  func work() {
    guard !isWorking else { return }
    guard hasWork, let home else { return waiters.resume() }
    isWorking = true
    let bound = ActorBound(self, to: home)
    RunningOperation.outside { bound.callHere { home, outbox in outbox.beginWorking(isolation: home) } }
  }

  private func beginWorking(isolation: isolated any Actor) {
    Task {
      _ = isolation
      await use.begin(isolation: isolation)
      // Those before it in the line are done, so none adds to this later.
      let (rest, inputs) = use.takeRest(isolation: isolation)
      table.inherited(rest, (inputs as? OutboxInputs<Input>)?.map(settings.content) ?? OutboxInputs())
      repeat {
        // First the store: the next input of a lane may be before those of others.
        if let call = table.takeCall() { await tell(call, isolation: isolation) }
        while let row = nextToSend { send(row, isolation: isolation) }
      } while table.isDue
      isWorking = false
      if table.hasFailed, !isReleased { pauseStore() } else { storePause.reset() }
      waiters.resume()
      if isReleased { endUse() }
    }
  }

  private func pauseStore() {
    storePause.begin(for: self) { [weak self] in
      self?.table.tries()
      self?.didChange()
    }
  }

  private func tell(_ call: Table.Call, isolation: isolated any Actor) async {
    switch call {
    case .clear: await clear(isolation: isolation)
    case .read: await read(isolation: isolation)
    case .save(let entries, let keys): await save(entries, removing: keys, isolation: isolation)
    }
  }

  private func clear(isolation: isolated any Actor) async {
    var failure: (any Error)?
    do {
      try await settings.store.removeAll(isolation: isolation)
    } catch {
      failure = error
    }
    table.cleared(failure == nil)
    let ended = discarding
    discarding = []
    for (_, runs) in ended { for run in runs { finish(run, run.place?.end ?? .cancelled) } }
    note(failure)
    for (call, _) in ended { call.end(failure.map { .failure($0) } ?? .success(())) }
  }

  private func read(isolation: isolated any Actor) async {
    do {
      let entries = try await settings.store.entries(isolation: isolation)
      table.restored(entries.map { $0.map { $0.map(settings.content) } }, lane: settings.lane(of:))
      note(nil)
    } catch {
      table.notRestored()
      note(error)
    }
    if displaysChanges, table.isRead {
      // What was performed before is behind what was read.
      for row in table.all { runs[row.key]?.rank?.position = row.position }
      // Each is looked up: an observer of the one before may have taken it back.
      for key in table.all.map(\.key) { if let row = table[key], row.phase == .waiting { _ = run(for: row) } }
    }
    waiters.resume()
  }

  private func save(
    _ entries: [StoredEntry<OutboxContent>], removing keys: Set<String>, isolation: isolated any Actor
  ) async {
    var failure: (any Error)?
    // Those that are called meanwhile wait for the next call of the store.
    let counts = replacing.mapValues(\.count)
    if table.isCallHeld {
      failure = storeError
    } else {
      do {
        let entries = entries.map { $0.map(settings.input) }
        try await settings.store.save(entries, removing: keys, isolation: isolation)
        note(table.saved(), nil, counts)
        return note(nil)
      } catch {
        failure = error
      }
    }
    let words = failure.flatMap { $0 is EncodingError ? String(describing: $0) : nil }
    note(table.notSaved(unencodable: words), failure, counts)
    note(failure)
  }

  /// Displays the error of a call of the store; nil: it has succeeded.
  private func note(_ error: (any Error)?) {
    // It stays while the store lacks something.
    if error != nil || !table.hasFailed && !table.isDue { storeError = error }
    show()
  }

  /// Reports to callers what became of their inputs.
  ///
  /// - Parameter counts: How many calls to replace each of them began before the call of the store.
  private func note(
    _ results: [(row: Row, result: Table.Result)], _ error: (any Error)?, _ counts: [String: Int]
  ) {
    func endReplacing(_ key: String, _ outcome: AsyncOutcome<Bool>) {
      self.endReplacing(key, outcome, first: counts[key] ?? 0)
    }
    for (row, result) in results {
      let run = runs[row.key]
      switch result {
      case .accepted:
        errors[row.key] = nil
        endReplacing(row.key, .success(true))
        run?.accept()
        if isReleased { run?.giveUp() }
      case .refused:
        let outcome = AsyncOutcome<Output>.failure(OutboxError.notStored(error ?? CancellationError()))
        endReplacing(row.key, .success(false))
        guard let run else { break }
        run.place?.end = outcome
        run.endEffects(.withdrawn)
        if row.failure != nil { forget(run) }
      case .counted: run?.place?.counting?.end(.success(()))
      case .replaced: endReplacing(row.key, .success(row.phase != .over))
      case .unreplaced:
        endReplacing(row.key, .failure(error ?? CancellationError()))
        rewrite(row.key)
      case .told:
        // It was replaced before it was accepted, or has ended before it was replaced.
        endReplacing(row.key, .success(row.phase != .over))
        told(row, run, error)
      }
    }
  }

  private func told(_ row: Row, _ run: Run?, _ error: (any Error)?) {
    if let error, row.phase == .setAside, errors[row.key] == nil, error is EncodingError {
      errors[row.key] = error
      run?.place?.end = .failure(error)
      run?.endEffects(.failed(error))
    }
    guard let run, run.place?.end != nil else { return }
    if row.phase == .over, table[row.key] != nil { finish(run, run.place?.end ?? .cancelled) } else { forget(run) }
  }

  private func forget(_ run: Run) {
    if runs[run.key] === run {
      runs[run.key] = nil
      answered[run.key] = nil
      if table[run.key] == nil { errors[run.key] = nil }
    }
    finish(run, run.place?.end ?? .cancelled)
  }
}
