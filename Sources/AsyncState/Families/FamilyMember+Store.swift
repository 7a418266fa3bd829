// SPDX-License-Identifier: MIT
// The reads and writes of an entry in the store of its family.

extension FamilyMember {
  /// An answer that is stored before it is displayed.
  struct WrittenAnswer {
    let load: Load<Value>
    let answer: Confirmed<Value>
    /// The number of confirmations when the load began.
    let confirmations: UInt32
    /// The number of invalidations then.
    let startCount: UInt64
  }

  // MARK: Reading

  func willRequest(when condition: LoadCondition) {
    leaveReleasedFamily()
    settings.noteUse()
    // A look-up of the present value is no request.
    if condition == .never { return }
    // Also where the value is found fresh: it is in use, and requested when it is stale.
    wasRequested = true
    displaySeed()
    let wanted: Duration? =
      switch condition.kind {
      // A stored value does not take the place of a stream.
      case _ where settings.isLive: nil
      case .always, .never: nil
      case .stale: settings.options.staleAfter ?? .seconds(Int64.max)
      case .olderThan(let limit): limit
      }
    guard isRunning else { return limit = wanted }
    limit = limit.flatMap { limit in wanted.map { min(limit, $0) } }
  }

  var hasUnreadValue: Bool { isAttached && lane != nil && !isRead && !data.context.isValueSet }

  func displayStored(isolation: isolated (any Actor)?) async {
    await reading(isolation: isolation).wait(settings.gate, isolation: isolation)
  }

  func findFresh(for load: LoadRun, isolation: isolated (any Actor)?) async throws {
    _ = try await findFresh(for: data.typed(load), isolation: isolation)
  }

  /// Reads the stored value before the operation is called, or beside it if no stored value could be fresh enough.
  ///
  /// - Returns: True if the stored value is fresh enough for each call. The load has ended then.
  func findFresh(for load: Load<Value>, isolation: isolated (any Actor)?) async throws -> Bool {
    guard hasUnreadValue else { return false }
    let reading = reading(isolation: isolation)
    guard settings.storesFirst || limit != nil else { return false }
    await reading.wait(settings.gate, isolation: isolation)
    guard load.isCurrent else { throw CancellationError() }
    // A call without a condition requests from the server, whose answer replaces a value that cannot be read.
    guard let limit else { return false }
    if let error = reading.error {
      guard !settings.storesFirst else { throw error }
      return false
    }
    guard !data.isStale(after: limit) else { return false }
    data.endFresh(load)
    return true
  }

  /// The running read, if its result is still wanted, or another one.
  private func reading(isolation: isolated (any Actor)?) -> StoreReading {
    let confirmations = data.state.core.record.confirmations
    if let reading, reading.confirmations == confirmations { return reading }
    let reading = StoreReading(confirmations)
    self.reading = reading
    readCount += 1
    // Requested first: a value that is written from now on is written after it.
    let turn = lane?.turn(to: .read)
    // In a task of its own, which several loads share, and which does not end with one of them.
    Task {
      _ = isolation
      _ = await turn?.wait(isolation: isolation)
      do {
        try await read(unlessConfirmedSince: confirmations, isolation: isolation)
      } catch {
        reading.error = error
      }
      readCount -= 1
      if self.reading === reading { self.reading = nil }
      reading.end()
      data.resumeIfSettled()
    }
    return reading
  }

  private func read(unlessConfirmedSince confirmations: UInt32, isolation: isolated (any Actor)?) async throws {
    guard let store = settings.store else { return }
    guard !settings.isUnremoved(key) else { return isRead = true }
    let stored: StoredValue<Value>?
    do {
      stored = try await store.read(key, isolation: isolation)
    } catch {
      record(.readFailed(error))
      throw error
    }
    record(.read(isFound: stored != nil))
    guard isAttached, confirmations == data.state.core.record.confirmations else { return }
    isRead = true
    guard let stored else { return }
    let tags = computeTags(for: stored.value)
    // A value that was written during the read is newer.
    guard isAttached, !data.context.isValueSet, confirmations == data.state.core.record.confirmations else { return }
    show(stored, tags, isOfStore: true)
  }

  /// Displays a stored value, unless the present one is newer.
  func restore(_ stored: StoredValue<Value>) {
    let tags = computeTags(for: stored.value)
    guard isAttached else { return }
    let known = data.state.core.record
    if known.context.isValueSet {
      guard known.isConfirmed else { return }
      let answeredAt = stored.age.flatMap { $0 < .zero ? nil : settings.timeline.now - $0.bounded }
      switch (known.answeredAt, answeredAt) {
      case (let former?, let new?) where new > former: break
      case (let former?, let new?) where new == former && known.context.isProvisional: break
      case (nil, _) where known.context.isProvisional: break
      default: return
      }
    }
    show(stored, tags, isOfStore: false)
  }

  /// Displays a stored value. If it is out of date and was not stored with that mark, it is written again with the mark.
  ///
  /// - Parameters:
  ///   - tags: Nil: they were not computed, so the stored value may be out of date.
  ///   - isOfStore: True if it was read from the store for this entry.
  ///   - isOutdated: True if it is known to be out of date, and the store does not know.
  func show(_ stored: StoredValue<Value>, _ tags: Set<AsyncTag>?, isOfStore: Bool, isOutdated: Bool = false) {
    let isInvalidated =
      stored.isInvalidated || isOutdated || tags.map { settings.isOutdated($0, age: stored.age) } ?? true
      || !isOfStore && isBeforeConfirmation(stored)
    if let tags { settings.board?.setTags(tags, of: self) }
    isRead = true
    tagging.wasInvalidated = stored.isInvalidated
    data.restore(stored.value, age: stored.age, isInvalidated: isInvalidated, isOfStore: isOfStore)
  }

  /// True if it was answered before a change was confirmed, which it may not contain.
  private func isBeforeConfirmation(_ stored: StoredValue<Value>) -> Bool {
    guard let confirmedAt = data.knownChanges?.confirmedAt, let age = stored.age else { return false }
    return settings.timeline.now - age.bounded < confirmedAt
  }

  // MARK: Writing

  /// Stores the answer of a load before it is displayed, if the store is the source of truth.
  func writeFirst(_ value: Value?, of load: Load<Value>, isolation: isolated (any Actor)?) async throws {
    guard isAttached, settings.storesFirst, let lane, let store = settings.store, load.isCurrent else { return }
    let answer = Confirmed(value: value, answeredAt: settings.timeline.now, isInvalidated: false)
    let (confirmations, startCount) = (tagging.startConfirmations, tagging.startCount)
    // A value that it replaces, or that is confirmed while it waits, is stored only if this fails.
    owesWrite = lane.hasWaitingWrite
    loadToWrite = load
    let turn = lane.turn(to: .write)
    let isTurn = await turn.wait(isolation: isolation)
    if loadToWrite === load { loadToWrite = nil }
    guard isTurn else { throw CancellationError() }
    let owesWrite = owesWrite
    defer { leaveLane() }
    do {
      guard load.isCurrent else { throw CancellationError() }
      try await store.write(toStore(answer), for: key, isolation: isolation)
    } catch {
      if load.isCurrent { record(.writeFailed(error)) }
      if owesWrite { storeConfirmed() }
      throw error
    }
    didWrite()
    written = WrittenAnswer(load: load, answer: answer, confirmations: confirmations, startCount: startCount)
    guard !load.isCurrent else { return }
    settleWritten()
    takeOver()
  }

  /// Settles an answer that the source of truth has, though its load has ended without displaying it: before the write had
  /// ended, or after it, such as by an interceptor. It does not replace a value that was confirmed since the load began.
  func settleWritten() {
    guard let written, !written.load.isCurrent else { return }
    self.written = nil
    if case .answered = written.load.ending { return }
    guard isAttached else { return }
    if written.confirmations == data.state.core.record.confirmations {
      leftAnswer = (written.answer, written.startCount)
    } else {
      storeConfirmed()
    }
  }

  /// Displays an answer in the store whose load had ended when it was written, unless another load runs, which may bring a
  /// newer one.
  func takeOver() {
    guard isAttached, !isRunning, let (answer, startCount) = leftAnswer.take() else { return }
    let confirmations = data.state.core.record.confirmations
    let tags = computeTags(for: answer.value)
    guard isAttached, confirmations == data.state.core.record.confirmations else { return }
    // As an answer that is displayed at once: by what was invalidated since its load began.
    let isOutdated = settings.hasInvalidated(tags, since: startCount)
    show(stored(answer), tags, isOfStore: false, isOutdated: isOutdated)
  }

  private func stored(_ confirmed: Confirmed<Value>) -> StoredValue<Value> {
    let age = confirmed.answeredAt.map { settings.timeline.now - $0 }
    return StoredValue(confirmed.value, age: age, isInvalidated: confirmed.isInvalidated)
  }

  /// A stored value that is made of other data may be out of date when it is read, because a change of that data does not mark
  /// it.
  private func toStore(_ confirmed: Confirmed<Value>) -> StoredValue<Value> {
    var stored = stored(confirmed)
    if data.isMadeOfOthers { stored.isInvalidated = true }
    return stored
  }

  /// Stores the present confirmed value.
  func storeConfirmed() {
    guard let lane, let home = settings.home, let confirmed = data.confirmed else { return }
    if let loadToWrite, loadToWrite.isCurrent { return owesWrite = true }
    lane.request(.write) { [self] isTurn in
      guard isTurn else { return }
      toWrite = confirmed
      ActorBound(self as any BoardMember, to: home).callHere { home, member in member.startWriting(isolation: home) }
      settings.noteUse()
    }
  }

  /// Marks the stored value stale, in the turn of this key.
  func doubtStored() {
    guard isAttached, let lane, let home = settings.home else { return }
    lane.request(.mark) { [self] isTurn in
      guard isTurn else { return }
      ActorBound(self as any BoardMember, to: home).callHere { home, member in member.startMarking(isolation: home) }
    }
  }

  /// Marks the stored value. A value that is written in its place is newer.
  func markStored(isolation: isolated (any Actor)?) async {
    defer { leaveLane() }
    do {
      guard let stored = try await settings.store?.read(key, isolation: isolation), !stored.isInvalidated else {
        return
      }
      let marked = StoredValue(stored.value, age: stored.age, isInvalidated: true)
      try await settings.store?.write(marked, for: key, isolation: isolation)
      record(.written)
    } catch {
      settings.setUnremoved(true, key)
      record(.writeFailed(error))
    }
  }

  func write(_ confirmed: Confirmed<Value>, isolation: isolated (any Actor)?) async {
    defer { leaveLane() }
    do {
      try await settings.store?.write(toStore(confirmed), for: key, isolation: isolation)
      didWrite()
    } catch {
      isUnsaved = true
      // The stored value is older than the confirmed one, which may be evicted.
      settings.setUnremoved(true, key)
      record(.writeFailed(error))
    }
  }

  /// Records a use of the store for a journal.
  private func record(_ use: StoreUse) {
    data.hook?.storeDidReturn(use)
  }

  private func didWrite() {
    record(.written)
    isUnsaved = false
    settings.setUnremoved(false, key)
  }

  private func leaveLane() {
    lane?.leave()
    data.resumeIfSettled()
  }

  // MARK: Forgetting

  /// Ends the reads and writes of this key that began before.
  func requestNoMore() {
    wasRequested = false
    isRead = true
    isUnsaved = false
    lane?.dropWaitingWrite()
  }

  /// Removes the stored value, in its turn.
  func removeStored(in turn: StoreTurn, isolation: isolated (any Actor)?) async throws {
    guard let store = settings.store else { return }
    _ = await turn.wait(isolation: isolation)
    defer { leaveLane() }
    do {
      try await store.remove(key, isolation: isolation)
      settings.setUnremoved(false, key)
      record(.removed)
    } catch {
      settings.setUnremoved(true, key)
      record(.removalFailed(error))
      throw error
    }
  }
}
