// SPDX-License-Identifier: MIT
import AsyncState

// The entries of the model, and how a change of one of them, or of several, is made and notified.
extension FamilyModel {
  // MARK: Entries

  func use(_ key: Int) -> Entry {
    let entry = entries[key] ?? Entry(key, number: uses)
    entries[key] = entry
    uses += 1
    entry.lastUse = uses
    return entry
  }

  /// Anyone but the family holds its resource.
  func isHeld(_ entry: Entry) -> Bool { !entry.holders.isEmpty || entry.calls > 0 }

  func isIdle(_ entry: Entry) -> Bool {
    !isHeld(entry) && entry.load == nil && !entry.isWaiting && !entry.lane.isBusy
  }

  func evict(to limit: Int) {
    for entry in entries.values.filter({ $0.load?.hasCaller == false }) where !isHeld(entry) { settle(entry) { _ in } }
    let idle = inOrderOfUse(entries.values.filter(isIdle))
    for entry in idle.dropFirst(min(limit, setup.keepIdle)) {
      entries[entry.key] = nil
      queue.removeAll { $0 == entry.key }
    }
  }

  func inOrderOfUse(_ entries: [Entry]) -> [Entry] { entries.sorted { $0.lastUse > $1.lastUse } }

  func isAttached(_ entry: Entry) -> Bool { entries[entry.key] === entry }

  func called(_ entry: Entry, _ body: (Entry) -> Void) {
    entry.calls += 1
    body(entry)
    entry.calls -= 1
  }

  // MARK: Changes and notifications

  func change(_ entry: Entry, _ apply: (Entry) -> Void) {
    deliver(entry, make(entry, apply))
  }

  /// The change itself, and what follows at once.
  ///
  /// - Returns: Whether anyone observes the entry, who is to be notified.
  func make(_ entry: Entry, _ apply: (Entry) -> Void) -> Bool {
    let (writes, wasInvalidated) = (entry.writes, entry.isInvalidated && !isKnownValid)
    apply(entry)
    if entry.writes != writes {
      entry.left = nil
      entry.tags = Self.tags(entry.key, entry.value)
      if entry.isConfirmed, !skipsStoring { store(entry) }
    } else if entry.isInvalidated, !wasInvalidated, !isKnownOutdated {
      store(entry)
    }
    if !entry.isInvalidated { entry.isMarked = false }
    return !entry.holders.isEmpty
  }

  func deliver(_ entry: Entry, _ isObserved: Bool) {
    guard !entry.isNotifying else { return entry.pending.append(isObserved) }
    entry.isNotifying = true
    if isObserved { notify(entry) }
    while !entry.pending.isEmpty {
      if entry.pending.removeFirst() { notify(entry) }
    }
    entry.isNotifying = false
    endOfRun(entry)
  }

  func notify(_ entry: Entry) {
    guard !entry.holders.isEmpty else { return }
    image.notified[entry.key, default: 0] += 1
    if !inside.isEmpty { act(inside.removeFirst()) }
  }

  /// All changes are made before the first is delivered.
  func group(_ members: [Entry], _ apply: (Entry) -> Void) {
    toDeliver += members.map { ($0, make($0, apply)) }
    guard !isDelivering else { return }
    isDelivering = true
    while !toDeliver.isEmpty {
      let (entry, isObserved) = toDeliver.removeFirst()
      deliver(entry, isObserved)
    }
    isDelivering = false
  }

  // MARK: What becomes of an entry

  func set(_ entry: Entry, _ value: Int) {
    change(entry) { entry in
      self.endLoads(entry)
      self.write(entry, value)
      entry.isInvalidated = false
    }
  }

  func write(_ entry: Entry, _ value: Int?) {
    entry.value = value
    entry.isSet = true
    entry.isProvisional = false
    entry.hasError = false
    entry.hasFailed = false
    entry.answeredAt = now
    entry.isConfirmed = true
    entry.isRestored = false
    entry.writes += 1
  }

  func removeAll(_ entry: Entry) {
    entry.isUntouched = true
    endLoads(entry)
    entry.value = nil
    entry.isSet = false
    entry.isProvisional = false
    entry.hasError = false
    entry.hasFailed = false
    entry.isInvalidated = false
    entry.answeredAt = nil
    entry.isConfirmed = false
    entry.writes += 1
  }

  func endLoads(_ entry: Entry) {
    entry.load = nil
    entry.isWaiting = false
  }

  func cancel(_ entry: Entry) {
    guard entry.load != nil || entry.isWaiting else { return }
    change(entry) { self.endLoads($0) }
  }

  func invalidate(_ entry: Entry) {
    entry.isInvalidated = true
    entry.load?.isOutdated = true
  }

  func isStale(_ entry: Entry, after limit: Int?) -> Bool {
    guard let answeredAt = entry.answeredAt, !entry.isInvalidated, !entry.hasFailed else { return true }
    return limit.map { now - answeredAt >= $0 } ?? false
  }
}
