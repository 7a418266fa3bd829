// SPDX-License-Identifier: MIT
import AsyncState

// The loads of the model, and what its board requests again.
extension FamilyModel {
  // MARK: Loads

  func limit(of condition: LoadCondition) -> Int? {
    switch condition {
    case .always: nil
    case .stale: setup.staleAfter ?? .max
    case .olderThan(.seconds(1)): 1
    default: 2
    }
  }

  /// - Parameter isCaller: It is not what is requested because it is held.
  func request(_ entry: Entry, _ condition: LoadCondition, isCaller: Bool = true) {
    if condition == .never { return lookUp(entry) }
    entry.wasRequested = true
    let wanted = limit(of: condition)
    if entry.load == nil, !entry.isWaiting {
      entry.limit = wanted
    } else {
      entry.limit = entry.limit.flatMap { limit in wanted.map { min(limit, $0) } }
    }
    guard condition == .always || isStale(entry, after: condition == .stale ? setup.staleAfter : wanted) else { return }
    if !entry.isWaiting {
      guard let load = entry.load else {
        begin(entry, hasCaller: isCaller)
        return
      }
      guard load.isOutdated else { return load.hasCaller = load.hasCaller || isCaller }
      (entry.isWaiting, entry.isWaitingForCaller) = (true, false)
    }
    entry.isWaitingForCaller = entry.isWaitingForCaller || isCaller
  }

  /// Nothing is requested: what is stored is displayed.
  func lookUp(_ entry: Entry) {
    guard isUnread(entry) else { return noteLookUp(entry) }
    jobs.append { self.read(entry) { _ in self.noteLookUp(entry) } }
  }

  private func noteLookUp(_ entry: Entry) {
    guard isHeld(entry), entry.load == nil, !entry.isWaiting, !entry.isSet, entry.isUntouched else { return }
    change(entry) { $0.isUntouched = false }
  }

  private func isUnread(_ entry: Entry) -> Bool {
    setup.role != nil && isAttached(entry) && !entry.isRead && !entry.isSet
  }

  @discardableResult
  func begin(_ entry: Entry, hasCaller: Bool) -> Load {
    let load = Load(start: history.count, writes: entry.writes, hasCaller: hasCaller)
    entry.wasRequested = true
    entry.hasRun = true
    entry.isMarked = false
    change(entry) {
      self.endLoads($0)
      $0.isUntouched = false
      $0.load = load
    }
    if entry.load === load { jobs.append { self.run(load, entry) } }
    return load
  }

  /// The operation's task runs.
  func run(_ load: Load, _ entry: Entry) {
    guard entry.load === load else { return }
    guard isUnread(entry) else { return operate(load, entry) }
    if setup.role == .truth || entry.limit != nil {
      read(entry) { isRead in
        if !isRead, self.setup.role == .truth, entry.limit != nil { return self.fail(load, entry) }
        guard entry.load === load else { return }
        if isRead, let limit = entry.limit, !self.isStale(entry, after: limit) {
          self.settle(entry) { _ in }
        } else {
          self.operate(load, entry)
        }
      }
    } else {
      // Beside the operation.
      read(entry) { _ in }
      operate(load, entry)
    }
  }

  func operate(_ load: Load, _ entry: Entry) {
    image.requests[entry.key, default: 0] += 1
    operations.append(entry.key) { value in
      guard let value else { return self.fail(load, entry) }
      guard self.setup.role == .truth, self.isAttached(entry), entry.load === load else {
        return self.succeed(load, entry, value)
      }
      let answeredAt = self.now
      entry.owesWrite = entry.lane.waiting.contains { $0.use == .write }
      entry.waitingAnswer = load
      self.useStore(entry, .write) { isTurn in
        entry.waitingAnswer = nil
        guard isTurn else { return }
        let owesWrite = entry.owesWrite
        let end = { (isWritten: Bool) in
          if !isWritten, owesWrite { self.store(entry) }
          if isWritten { self.didWrite(entry) }
          if isWritten, self.isAttached(entry), entry.load !== load {
            if entry.writes == load.writes {
              entry.left = Stored(value: value, answeredAt: answeredAt, isInvalidated: false)
              self.takeOver(entry)
            } else {
              self.store(entry)
            }
          }
          self.leave(entry)
        }
        guard entry.load === load else { return end(false) }
        self.image.writes[entry.key, default: 0] += 1
        self.writes.append(entry.key) { succeeds in
          if succeeds {
            self.stored[entry.key] = Stored(value: value, answeredAt: answeredAt, isInvalidated: false)
          }
          end(succeeds)
          if succeeds { self.succeed(load, entry, value) } else { self.fail(load, entry) }
        }
      }
    }
  }

  func succeed(_ load: Load, _ entry: Entry, _ value: Int) {
    guard entry.load === load else { return }
    let tags = Self.tags(entry.key, value)
    let isLate = history[load.start...].contains { tags.contains($0.tag) }
    settle(entry) { entry in
      self.write(entry, value)
      entry.isInvalidated = load.isOutdated || isLate
      self.skipsStoring = self.setup.role == .truth && !entry.isInvalidated
      if isLate { entry.isMarked = true }
    }
  }

  func fail(_ load: Load, _ entry: Entry) {
    guard entry.load === load else { return }
    settle(entry) {
      $0.hasError = true
      $0.hasFailed = true
    }
  }

  /// The load is over; the one that waits for it begins.
  func settle(_ entry: Entry, _ apply: (Entry) -> Void) {
    let isObserved = make(entry) {
      $0.load = nil
      apply($0)
    }
    skipsStoring = false
    deliver(entry, isObserved)
    guard entry.load == nil, entry.isWaiting else { return }
    entry.isWaiting = false
    begin(entry, hasCaller: entry.isWaitingForCaller)
  }

  /// Called when all have been notified.
  func endOfRun(_ entry: Entry) {
    reloads.removeAll { $0.entry === entry && $0.load !== entry.load }
    if entry.hasRun, entry.load == nil, !entry.isWaiting {
      entry.hasRun = false
      uses += 1
      entry.lastUse = uses
      reload([])
      takeOver(entry)
      if entry.isMarked { reload([entry]) }
    }
    reload([])
  }

  // MARK: The board

  func invalidate(_ tag: AsyncTag) {
    history.append((tag, now))
    let hit = entries.values.filter { $0.tags.contains(tag) }.sorted { $0.number < $1.number }
    group(hit) {
      self.invalidate($0)
      $0.isMarked = true
    }
    reload(hit.filter(\.isMarked))
  }

  /// It is too old, and no load runs that could change that.
  func mayRefresh(_ entry: Entry) -> Bool {
    let isFree = entry.load == nil && !entry.isWaiting
    return entry.wasRequested && isFree && isHeld(entry) && isStale(entry, after: setup.staleAfter)
  }

  /// Requests again what is marked and held, as many as may run at a time.
  func reload(_ candidates: [Entry]) {
    guard isOpen else { return }
    for entry in inOrderOfUse(candidates) where !queue.contains(entry.key) { queue.append(entry.key) }
    guard !isReloading else { return }
    isReloading = true
    while isOpen, reloads.count < setup.width, !queue.isEmpty {
      guard let entry = entries[queue.removeFirst()], entry.isMarked, entry.wasRequested, entry.load == nil,
        !entry.isWaiting, isHeld(entry)
      else { continue }
      // A reload that waits for its turn is no other call.
      entry.limit = nil
      reloads.removeAll { $0.entry === entry }
      called(entry) { entry in
        let load = begin(entry, hasCaller: false)
        if entry.load === load { reloads.append((entry, load)) }
      }
    }
    isReloading = false
  }
}
