// SPDX-License-Identifier: MIT
import AsyncState

// What the model reads, writes and removes, and in which order.
extension FamilyModel {
  // MARK: The store

  func restore(_ entry: Entry, _ value: Int, age: Int?) {
    let answeredAt = age.flatMap { $0 < 0 ? nil : now - $0 }
    if entry.isSet {
      switch (entry.answeredAt, answeredAt) {
      case (let former?, let new?) where new > former: break
      case (let former?, let new?) where new == former && entry.isProvisional: break
      case (nil, _) where entry.isProvisional: break
      default: return
      }
    }
    display(entry, Stored(value: value, answeredAt: answeredAt, isInvalidated: false), isRestored: true)
  }

  func display(_ entry: Entry, _ stored: Stored, isRestored: Bool = false) {
    let tags = Self.tags(entry.key, stored.value)
    let isOutdated = history.contains {
      tags.contains($0.tag) && (stored.answeredAt == nil || $0.time >= stored.answeredAt!)
    }
    entry.isRead = true
    isKnownOutdated = stored.isInvalidated
    isKnownValid = !stored.isInvalidated
    entry.isRestored = isRestored
    let isObserved = make(entry) {
      $0.value = stored.value
      $0.isSet = true
      $0.isProvisional = true
      $0.isConfirmed = true
      $0.answeredAt = stored.answeredAt
      if stored.isInvalidated || isOutdated { $0.isInvalidated = true }
      $0.tags = tags
    }
    isKnownOutdated = false
    isKnownValid = false
    deliver(entry, isObserved)
  }

  /// What was stored for a load that had ended is displayed, unless another load runs.
  func takeOver(_ entry: Entry) {
    guard isAttached(entry), entry.load == nil, !entry.isWaiting, let left = entry.left else { return }
    entry.left = nil
    display(entry, left)
  }

  func read(_ entry: Entry, then end: @escaping (Bool) -> Void) {
    if let reading = entry.reading, reading.writes == entry.writes { return reading.ends.append(end) }
    let reading = Reading(writes: entry.writes, end: end)
    entry.reading = reading
    let finish = { (isRead: Bool) in
      if entry.reading === reading { entry.reading = nil }
      for end in reading.ends { end(isRead) }
    }
    useStore(entry, .read) { _ in
      if self.unremoved.contains(entry.key) {
        entry.isRead = true
        return finish(true)
      }
      self.image.reads[entry.key, default: 0] += 1
      self.reads.append(entry.key) { succeeds in
        guard succeeds else { return finish(false) }
        if self.isAttached(entry), reading.writes == entry.writes {
          entry.isRead = true
          if let stored = self.stored[entry.key], !entry.isSet { self.display(entry, stored) }
        }
        finish(true)
      }
    }
  }

  func store(_ entry: Entry) {
    guard setup.role != nil, isAttached(entry), entry.isConfirmed else { return }
    // The answer of a load that waits to be stored is not replaced.
    if let answer = entry.waitingAnswer, answer === entry.load { return entry.owesWrite = true }
    let value = Stored(value: entry.value, answeredAt: entry.answeredAt, isInvalidated: entry.isInvalidated)
    useStore(entry, .write) { isTurn in
      guard isTurn else { return }
      self.jobs.append {
        self.image.writes[entry.key, default: 0] += 1
        self.writes.append(entry.key) { succeeds in
          if succeeds {
            self.stored[entry.key] = value
            self.didWrite(entry)
          } else {
            entry.isUnsaved = true
            self.unremoved.insert(entry.key)
          }
          self.leave(entry)
        }
      }
    }
  }

  func didWrite(_ entry: Entry) {
    entry.isUnsaved = false
    unremoved.remove(entry.key)
  }

  func useStore(_ entry: Entry, _ use: Lane.Use, _ begin: @escaping (Bool) -> Void) {
    if use != .read { dropWaitingWrite(entry) }
    entry.lane.waiting.append(Lane.Waiting(use: use, epoch: requestedRemovals, begin: begin))
    advance(entry)
  }

  func dropWaitingWrite(_ entry: Entry) {
    guard let index = entry.lane.waiting.firstIndex(where: { $0.use == .write }) else { return }
    entry.lane.waiting.remove(at: index).begin(false)
  }

  func advance(_ entry: Entry) {
    while entry.lane.runs == nil, let next = entry.lane.waiting.first {
      guard completedRemovals >= next.epoch else {
        if !held.contains(where: { $0 === entry }) { held.append(entry) }
        return
      }
      entry.lane.waiting.removeFirst()
      if next.use != .read { entry.lane.runs = next.epoch }
      next.begin(true)
    }
  }

  func leave(_ entry: Entry) {
    entry.lane.runs = nil
    advance(entry)
    removeAllIfPossible()
  }

  func forget(_ entry: Entry) {
    entry.wasRequested = false
    entry.isRead = true
    entry.isUnsaved = false
    dropWaitingWrite(entry)
    removeAll(entry)
    entry.isUntouched = false
  }

  func forget(_ key: Int) {
    guard setup.role != nil || entries[key] != nil else { return }
    let entry = setup.role == nil ? entries[key]! : use(key)
    if setup.role != nil {
      useStore(entry, .removal) { _ in
        self.image.removals[key, default: 0] += 1
        self.removals.append(key) { succeeds in
          if succeeds {
            self.stored[key] = nil
            self.unremoved.remove(key)
          } else {
            self.unremoved.insert(key)
          }
          self.leave(entry)
        }
      }
    }
    group([entry]) { self.forget($0) }
  }

  func forgetAll() {
    let number = requestedRemovals + 1
    if setup.role != nil { requestedRemovals = number }
    group(inOrderOfUse(Array(entries.values))) { self.forget($0) }
    guard setup.role != nil else { return }
    waitingRemovals[number] = {
      self.image.removals[-1, default: 0] += 1
      self.removals.append(-1) { succeeds in
        if succeeds {
          self.stored = [:]
          self.unremoved = []
        } else {
          self.unremoved = Set(0..<FamilyCommand.keyCount)
        }
        self.completedRemovals = number
        let held = self.held
        self.held = []
        for entry in held { self.advance(entry) }
        self.removeAllIfPossible()
      }
    }
    removeAllIfPossible()
  }

  func removeAllIfPossible() {
    let number = completedRemovals + 1
    let isBlocked = entries.values.contains { entry in
      entry.lane.runs.map { $0 < number } == true
        || entry.lane.waiting.contains { $0.use != .read && $0.epoch < number }
    }
    if !isBlocked { waitingRemovals.removeValue(forKey: number)?() }
  }
}
