// SPDX-License-Identifier: MIT
// The work that an outbox owes its store: all that has failed, and must be done before inputs are accepted or sent.

extension Outbox {
  /// Does what the store owes before it accepts anything: a removal of everything, and rewritings. Another input could have the
  /// lane that the rewritten ones will have, and would be before them, also after a restart.
  func completeOwed(isolation: isolated any Actor) async throws {
    try await completeRemoval(isolation: isolation)
    for answered in leaving.values {
      guard let place = answered.place, place.owesRewriting, let rewrite = place.rewrite else { continue }
      try await rewriteAll(but: answered, place.lane, rewrite, isolation: isolation)
      rewriteUnstored(in: place.lane, rewrite)
      answered.place?.owesRewriting = false
      // The store works again, so the answered one is removed next.
      release(answered.key)
      look()
    }
  }

  /// Does the removal of everything that is owed.
  func completeRemoval(isolation: isolated any Actor) async throws {
    if owesRemoval { try await clear(isolation: isolation) }
  }

  /// Removes everything from the store.
  func clear(isolation: isolated any Actor) async throws {
    try await settings.store.removeAll(isolation: isolation)
    owesRemoval = false
    held = [:]
    for run in runs + leaving.values + sending.values {
      // An input that is stored by a job behind this one was performed after it.
      guard let place = run.place, place.phase != .storing else { continue }
      freeLane(of: run)
      // Its job has no work left.
      run.place = nil
      run.takeBackEffects()
      forget(run, place.end ?? .cancelled)
    }
    leaving = [:]
    uncertain = [:]
    state.value = OutboxState()
  }

  /// Writes the inputs that the store has perhaps set aside, or not any more. The lane of one that cannot be written waits.
  func correctUncertain(isolation: isolated any Actor) async {
    for run in uncertain.values {
      guard let place = run.place, place.phase != .leaving else { continue }
      do {
        let entry = state.value?.refused[run.key] ?? entry(of: run, place)
        try await settings.store.update(entry, isolation: isolation)
        uncertain[run.key] = nil
        // One that waits has its own reason to be held.
        if isSetAside(run.key) { release(run.key) }
      } catch {
        if held[place.lane] == nil { held[place.lane] = run.key }
        note(error)
      }
    }
  }
}

// MARK: - Inputs that an answer rewrites

extension Outbox {
  /// Rewrites the other inputs of a lane by the answer to one of them.
  func rewriteAll(
    but answered: Run, _ lane: String, _ rewrite: (Input) -> Input?, isolation: isolated any Actor
  ) async throws {
    var rewritten: [(OutboxEntry<Input>, Input)] = []
    try await forEachPage(after: nil, isolation: isolation) { page in
      for entry in page where entry.lane == lane && entry.key != answered.key {
        if let input = rewrite(entry.input) { rewritten.append((entry, input)) }
      }
    }
    for (entry, input) in rewritten { try await self.rewrite(entry, as: input, isolation: isolation) }
  }

  /// The other inputs of a lane in memory that an answer rewrites, to be displayed before the store has them.
  func waitingInputs(behind answered: Run, rewrittenBy rewrite: (Input) -> Input?) -> [(run: Run, input: Input)] {
    runs.compactMap { run in
      guard run !== answered, run.place?.lane == answered.place?.lane else { return nil }
      return rewrite(run.input).map { (run, $0) }
    }
  }

  /// The same for inputs that jobs will store, and for those whose entry was rewritten although the store has failed to.
  func rewriteUnstored(in lane: String, _ rewrite: (Input) -> Input?) {
    for run in runs where run.place?.phase == .storing || run.place?.phase == .waiting {
      if run.place?.lane == lane, let input = rewrite(run.input) { self.rewrite(run, as: input) }
    }
    // A retry stores it.
    if let failed, failed.outcome != nil, failed.place?.lane == lane, let input = rewrite(failed.input) {
      self.rewrite(failed, as: input)
    }
    rewriteReplacements(in: lane, rewrite)
  }

  /// Rewrites an input that is about to be stored.
  func rewriteLate(_ run: Run) {
    if let lane = run.place?.lane, let input = rewritten(run.input, in: lane) { rewrite(run, as: input) }
  }

  /// An input by the answers to others of its lane that have not left the store yet; nil if they leave it as it is.
  func rewritten(_ input: Input, in lane: String) -> Input? {
    leaving.values.lazy.compactMap { $0.place?.lane == lane ? $0.place?.rewrite?(input) : nil }.first
  }

  func rewrite(_ entry: OutboxEntry<Input>, as input: Input, isolation: isolated any Actor) async throws {
    var entry = entry
    entry.input = input
    entry = inItsLane(entry)
    try await settings.store.update(entry, isolation: isolation)
    emptyBesides = nil
    // By what is displayed: of a retry that was refused the store may have that it waits.
    if var setAside = state.value?.refused[entry.key] {
      (setAside.input, setAside.lane) = (entry.input, entry.lane)
      change { $0.refused.insert(setAside) }
    } else if let run = run(entry.key) {
      rewrite(run, as: input)
    } else {
      release(entry.key)
    }
  }

  func rewrite(_ run: Run, as input: Input) {
    let lane = settings.lane(input)
    if let former = run.place?.lane, former != lane { release(run.key) }
    run.place?.lane = lane
    run.rewrite(as: input)
  }
}
