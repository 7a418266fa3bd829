import AsyncState

/// Sections 10 to 12 of the contract as plain code. Everything is done at once, and everything is looked for by going
/// through everything: no idle references, no index of tags, no memory of invalidations that overflows.
@ModelActor
final class FamilyModel {
  /// A load, from its beginning.
  final class Load {
    /// How many invalidations there had been when it began.
    let start: Int
    /// The data were invalidated since.
    var isOutdated = false

    init(start: Int) {
      self.start = start
    }
  }

  final class Entry {
    let key: Int
    /// Its place among all entries that were ever made.
    let number: Int
    var value: Int?
    var isSet = false
    var hasError = false
    var isProvisional = false
    var isInvalidated = false
    var answeredAt: Int?
    var hasFailed = false
    /// The value is an answer or a stored one, not a yielded one.
    var isConfirmed = false
    /// How often the value was confirmed or removed.
    var writes = 0
    var load: Load?
    var isWaiting = false
    var wasRequested = false
    /// Invalidated by the board, and no load has begun since.
    var isMarked = false
    var lastUse = 0
    var tags: Set<AsyncTag>
    /// The calls that are under way on its resource, and on its data.
    var calls = 0
    var dataCalls = 0
    var isNotifying = false
    /// The changes that are delivered later: whether anyone observed when they were made.
    var pending: [Bool] = []
    var holders: Set<Int> = []
    // The store
    var isRead = false
    var limit: Int?
    var forgets = 0
    var isUnsaved = false
    var lane = Lane()
    var waitingAnswer: Load?
    var owesWrite = false
    /// The value was read from the store.
    var isFromStore = false
    /// A load has begun since the last one was noticed to be over.
    var hasRun = false

    init(_ key: Int, number: Int) {
      self.key = key
      self.number = number
      tags = FamilyModel.tags(key, nil)
    }
  }

  /// What uses the store for one key, in order.
  struct Lane {
    enum Use { case read, write, removal }
    struct Waiting {
      let use: Use
      /// The removals of everything that were requested before.
      let epoch: Int
      let begin: (Bool) -> Void
    }
    var runs: Int?
    var waiting: [Waiting] = []
    var isBusy: Bool { runs != nil || !waiting.isEmpty }
  }

  struct Stored {
    var value: Int?
    var answeredAt: Int?
    var isInvalidated: Bool
  }

  nonisolated static func tags(_ key: Int, _ value: Int?) -> Set<AsyncTag> {
    var tags: Set<AsyncTag> = [AsyncTag("remainder", key % 2)]
    if let value { tags.insert(AsyncTag("value", value % 3)) }
    return tags
  }

  let setup: FamilySetup
  private(set) var now = 0
  private var entries: [Int: Entry] = [:]
  private var uses = 0
  private var isOpen = true
  /// All invalidations by tag, each with its time.
  private var history: [(tag: AsyncTag, time: Int)] = []
  private var queue: [Int] = []
  private var reloads: [(entry: Entry, load: Load)] = []
  private var isReloading = false
  private var toDeliver: [(Entry, Bool)] = []
  private var isDelivering = false
  /// What happens when the actor is free.
  private var jobs: [() -> Void] = []
  private var inside: [FamilyAction] = []

  // The store
  private var stored: [Int: Stored] = [:]
  /// Keys whose removal failed.
  private var unremoved: Set<Int> = []
  private var requestedRemovals = 0
  private var completedRemovals = 0
  /// What waits for a removal of everything, in order.
  private var held: [Entry] = []
  private var waitingRemovals: [Int: () -> Void] = [:]

  // Calls that wait to be told how they end.
  private var operations = WaitingAnswers<Int?>()
  private var reads = WaitingAnswers<Bool>()
  private var writes = WaitingAnswers<Bool>()
  private var removals = WaitingAnswers<Bool>()
  private(set) var image = FamilyImage()

  init(_ setup: FamilySetup) {
    self.setup = setup
  }

  // MARK: Commands

  func perform(_ command: FamilyCommand) {
    inside = []
    switch command {
    case .act(let action, let inside):
      self.inside = inside
      act(action)
    case .drop(let key, let screen): entries[key]?.holders.remove(screen)
    case .trim(let count):
      evict(to: count ?? setup.keepIdle)
    case .forget(let key): jobs.append { self.forget(key) }
    case .forgetAll: jobs.append { self.forgetAll() }
    case .answer(let index, let value, let inside):
      self.inside = inside
      operations.take(index)?(value)
    case .read(let index, let succeeds): reads.take(index)?(succeeds)
    case .write(let index, let succeeds): writes.take(index)?(succeeds)
    case .remove(let index, let succeeds): removals.take(index)?(succeeds)
    case .tick: now += 1
    }
    while !jobs.isEmpty { jobs.removeFirst()() }
    evict(to: setup.keepIdle)
    look()
  }

  private func act(_ action: FamilyAction) {
    evict(to: setup.keepIdle)
    switch action {
    case .start(let key, let condition): called(use(key)) { request($0, condition) }
    case .prefetch(let key): called(use(key)) { request($0, .stale) }
    case .hold(let key, let screen): use(key).holders.insert(screen)
    case .set(let key, let value): called(use(key)) { set($0, value) }
    case .reset(let key): called(use(key)) { entry in change(entry) { self.removeAll($0) } }
    case .cancel(let key): called(use(key)) { cancel($0) }
    case .invalidateKey(let key): called(use(key)) { entry in change(entry) { self.invalidate($0) } }
    case .invalidateWhere(let remainder):
      group(inOrderOfUse(entries.values.filter { $0.key % 2 == remainder })) { self.invalidate($0) }
    case .invalidateTag(let tag): invalidate(tag)
    case .open(let value):
      let wasOpen = isOpen
      isOpen = value
      if !value { queue = [] }
      if value, !wasOpen { reload(entries.values.filter(\.isMarked)) }
    case .refreshStale:
      for entry in inOrderOfUse(Array(entries.values)) where entry.wasRequested && isInUse(entry) {
        called(entry) { request($0, .stale) }
      }
    case .restore(let key, let value, let age): restore(use(key), value, age: age)
    }
  }

  // MARK: Entries

  private func use(_ key: Int) -> Entry {
    let entry = entries[key] ?? Entry(key, number: uses)
    entries[key] = entry
    uses += 1
    entry.lastUse = uses
    return entry
  }

  private func isHeld(_ entry: Entry) -> Bool { isInUse(entry) }

  /// Anyone but the family holds its resource.
  private func isInUse(_ entry: Entry) -> Bool { !entry.holders.isEmpty || entry.calls > 0 }

  private func isIdle(_ entry: Entry) -> Bool {
    !isHeld(entry) && entry.load == nil && !entry.isWaiting && !entry.lane.isBusy
  }

  private func evict(to limit: Int) {
    let idle = inOrderOfUse(entries.values.filter(isIdle))
    for entry in idle.dropFirst(min(limit, setup.keepIdle)) {
      entries[entry.key] = nil
      queue.removeAll { $0 == entry.key }
    }
  }

  private func inOrderOfUse(_ entries: [Entry]) -> [Entry] { entries.sorted { $0.lastUse > $1.lastUse } }

  private func isAttached(_ entry: Entry) -> Bool { entries[entry.key] === entry }

  private func called(_ entry: Entry, _ body: (Entry) -> Void) {
    entry.calls += 1
    body(entry)
    entry.calls -= 1
  }

  private func dataCalled(_ entry: Entry, _ body: (Entry) -> Void) {
    entry.dataCalls += 1
    body(entry)
    entry.dataCalls -= 1
  }

  // MARK: Changes and notifications

  private func change(_ entry: Entry, _ apply: (Entry) -> Void) {
    deliver(entry, make(entry, apply))
  }

  /// The change itself, and what follows at once.
  ///
  /// - Returns: Whether anyone observes the entry, who is to be notified.
  private func make(_ entry: Entry, _ apply: (Entry) -> Void) -> Bool {
    let (writes, wasInvalidated) = (entry.writes, entry.isInvalidated)
    apply(entry)
    if entry.writes != writes {
      entry.tags = Self.tags(entry.key, entry.value)
      if entry.isConfirmed, !skipsStoring { store(entry) }
    } else if entry.isInvalidated, !wasInvalidated, !isKnownOutdated, !entry.isProvisional || entry.isFromStore {
      store(entry)
    }
    if !entry.isInvalidated { entry.isMarked = false }
    return !entry.holders.isEmpty
  }

  /// The answer of a load is in the store already.
  private var skipsStoring = false
  /// What is displayed was stored as invalidated.
  private var isKnownOutdated = false

  private func deliver(_ entry: Entry, _ isObserved: Bool) {
    guard !entry.isNotifying else { return entry.pending.append(isObserved) }
    entry.isNotifying = true
    entry.dataCalls += 1
    if isObserved { notify(entry) }
    while !entry.pending.isEmpty {
      if entry.pending.removeFirst() { notify(entry) }
    }
    entry.isNotifying = false
    endOfRun(entry)
    entry.dataCalls -= 1
  }

  private func notify(_ entry: Entry) {
    guard !entry.holders.isEmpty else { return }
    image.notified[entry.key, default: 0] += 1
    if !inside.isEmpty { act(inside.removeFirst()) }
  }

  /// All changes are made before the first is delivered.
  private func group(_ members: [Entry], _ apply: (Entry) -> Void) {
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

  private func set(_ entry: Entry, _ value: Int) {
    change(entry) { entry in
      self.endLoads(entry)
      self.write(entry, value)
      entry.isInvalidated = false
    }
  }

  private func write(_ entry: Entry, _ value: Int?) {
    entry.value = value
    entry.isSet = true
    entry.isProvisional = false
    entry.hasError = false
    entry.hasFailed = false
    entry.answeredAt = now
    entry.isConfirmed = true
    entry.writes += 1
  }

  private func removeAll(_ entry: Entry) {
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

  private func endLoads(_ entry: Entry) {
    entry.load = nil
    entry.isWaiting = false
  }

  private func cancel(_ entry: Entry) {
    guard entry.load != nil || entry.isWaiting else { return }
    change(entry) { self.endLoads($0) }
  }

  private func invalidate(_ entry: Entry) {
    entry.isInvalidated = true
    entry.load?.isOutdated = true
  }

  private func isStale(_ entry: Entry, after limit: Int?) -> Bool {
    guard let answeredAt = entry.answeredAt, !entry.isInvalidated, !entry.hasFailed else { return true }
    return limit.map { now - answeredAt >= $0 } ?? false
  }

  // MARK: Loads

  private func limit(of condition: LoadCondition) -> Int? {
    switch condition {
    case .always: nil
    case .stale: setup.staleAfter ?? .max
    case .olderThan(.seconds(1)): 1
    default: 2
    }
  }

  private func request(_ entry: Entry, _ condition: LoadCondition) {
    let wanted = limit(of: condition)
    if entry.load == nil, !entry.isWaiting {
      entry.limit = wanted
    } else {
      entry.limit = entry.limit.flatMap { limit in wanted.map { min(limit, $0) } }
    }
    guard condition == .always || isStale(entry, after: condition == .stale ? setup.staleAfter : wanted) else { return }
    if entry.isWaiting { return }
    if let load = entry.load {
      if load.isOutdated { entry.isWaiting = true }
      return
    }
    begin(entry)
  }

  @discardableResult
  private func begin(_ entry: Entry) -> Load {
    let load = Load(start: history.count)
    entry.wasRequested = true
    entry.hasRun = true
    entry.isMarked = false
    change(entry) {
      self.endLoads($0)
      $0.load = load
    }
    if entry.load === load { jobs.append { self.run(load, entry) } }
    return load
  }

  /// The operation's task runs.
  private func run(_ load: Load, _ entry: Entry) {
    guard entry.load === load else { return }
    guard setup.role != nil, isAttached(entry), !entry.isRead, !entry.isSet else { return operate(load, entry) }
    if setup.role == .truth || entry.limit != nil {
      read(entry) { isRead in
        if !isRead, self.setup.role == .truth { return self.fail(load, entry) }
        guard entry.load === load else { return }
        if isRead, let limit = entry.limit, !self.isStale(entry, after: limit) {
          self.dataCalled(entry) { self.settle($0) { _ in } }
        } else {
          self.operate(load, entry)
        }
      }
    } else {
      // Beside the operation.
      jobs.append { self.read(entry) { _ in } }
      operate(load, entry)
    }
  }

  private func operate(_ load: Load, _ entry: Entry) {
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

  private func succeed(_ load: Load, _ entry: Entry, _ value: Int) {
    guard entry.load === load else { return }
    let tags = Self.tags(entry.key, value)
    let isLate = history[load.start...].contains { tags.contains($0.tag) }
    dataCalled(entry) { entry in
      settle(entry) { entry in
        self.write(entry, value)
        entry.isInvalidated = load.isOutdated || isLate
        self.skipsStoring = self.setup.role == .truth && !entry.isInvalidated
        if isLate { entry.isMarked = true }
      }
    }
  }

  private func fail(_ load: Load, _ entry: Entry) {
    guard entry.load === load else { return }
    dataCalled(entry) { entry in
      settle(entry) {
        $0.hasError = true
        $0.hasFailed = true
      }
    }
  }

  /// The load is over; the one that waits for it begins.
  private func settle(_ entry: Entry, _ apply: (Entry) -> Void) {
    let isObserved = make(entry) {
      $0.load = nil
      apply($0)
    }
    skipsStoring = false
    deliver(entry, isObserved)
    guard entry.load == nil, entry.isWaiting else { return }
    entry.isWaiting = false
    begin(entry)
  }

  /// Called when all have been notified.
  private func endOfRun(_ entry: Entry) {
    reloads.removeAll { $0.entry === entry && $0.load !== entry.load }
    if entry.hasRun, entry.load == nil, !entry.isWaiting {
      entry.hasRun = false
      uses += 1
      entry.lastUse = uses
      reload([])
      if entry.isMarked { reload([entry]) }
    }
    reload([])
  }

  // MARK: The board

  private func invalidate(_ tag: AsyncTag) {
    history.append((tag, now))
    let hit = entries.values.filter { $0.tags.contains(tag) }.sorted { $0.number < $1.number }
    group(hit) {
      self.invalidate($0)
      $0.isMarked = true
    }
    reload(hit.filter(\.isMarked))
  }

  /// Requests again what is marked and held, as many as may run at a time.
  private func reload(_ candidates: [Entry]) {
    guard isOpen else { return }
    for entry in inOrderOfUse(candidates) where !queue.contains(entry.key) { queue.append(entry.key) }
    guard !isReloading else { return }
    isReloading = true
    while isOpen, reloads.count < setup.width, !queue.isEmpty {
      guard let entry = entries[queue.removeFirst()], entry.isMarked, entry.wasRequested, entry.load == nil,
        !entry.isWaiting, isInUse(entry)
      else { continue }
      // A reload that waits for its turn is no other call.
      entry.limit = nil
      reloads.removeAll { $0.entry === entry }
      called(entry) { entry in
        let load = begin(entry)
        if entry.load === load { reloads.append((entry, load)) }
      }
    }
    isReloading = false
  }

  // MARK: The store

  private func restore(_ entry: Entry, _ value: Int, age: Int?) {
    let answeredAt = age.flatMap { $0 < 0 ? nil : now - $0 }
    if entry.isSet {
      switch (entry.answeredAt, answeredAt) {
      case (let former?, let new?) where new > former: break
      case (let former?, let new?) where new == former && entry.isProvisional: break
      case (nil, _) where entry.isProvisional: break
      default: return
      }
    }
    entry.isFromStore = false
    dataCalled(entry) { display($0, Stored(value: value, answeredAt: answeredAt, isInvalidated: false)) }
  }

  private func display(_ entry: Entry, _ stored: Stored) {
    let tags = Self.tags(entry.key, stored.value)
    let isOutdated = history.contains {
      tags.contains($0.tag) && (stored.answeredAt == nil || $0.time >= stored.answeredAt!)
    }
    entry.isRead = true
    isKnownOutdated = stored.isInvalidated
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
    deliver(entry, isObserved)
  }

  private func read(_ entry: Entry, then end: @escaping (Bool) -> Void) {
    let (forgets, writes) = (entry.forgets, entry.writes)
    useStore(entry, .read) { _ in
      if self.unremoved.contains(entry.key) {
        entry.isRead = true
        return end(true)
      }
      self.image.reads[entry.key, default: 0] += 1
      self.reads.append(entry.key) { succeeds in
        guard succeeds else { return end(false) }
        if self.isAttached(entry), forgets == entry.forgets {
          entry.isRead = true
          if let stored = self.stored[entry.key], !entry.isSet, writes == entry.writes {
            entry.isFromStore = true
            self.dataCalled(entry) { self.display($0, stored) }
          }
        }
        end(true)
      }
    }
  }

  private func store(_ entry: Entry) {
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
          }
          self.leave(entry)
        }
      }
    }
  }

  private func didWrite(_ entry: Entry) {
    entry.isUnsaved = false
    unremoved.remove(entry.key)
  }

  private func useStore(_ entry: Entry, _ use: Lane.Use, _ begin: @escaping (Bool) -> Void) {
    if use != .read { dropWaitingWrite(entry) }
    entry.lane.waiting.append(Lane.Waiting(use: use, epoch: requestedRemovals, begin: begin))
    advance(entry)
  }

  private func dropWaitingWrite(_ entry: Entry) {
    guard let index = entry.lane.waiting.firstIndex(where: { $0.use == .write }) else { return }
    entry.lane.waiting.remove(at: index).begin(false)
  }

  private func advance(_ entry: Entry) {
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

  private func leave(_ entry: Entry) {
    entry.lane.runs = nil
    advance(entry)
    removeAllIfPossible()
  }

  private func forget(_ entry: Entry) {
    entry.forgets += 1
    entry.isRead = true
    entry.isUnsaved = false
    dropWaitingWrite(entry)
    removeAll(entry)
  }

  private func forget(_ key: Int) {
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

  private func forgetAll() {
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

  private func removeAllIfPossible() {
    let number = completedRemovals + 1
    let isBlocked = entries.values.contains { entry in
      entry.lane.runs.map { $0 < number } == true
        || entry.lane.waiting.contains { $0.use != .read && $0.epoch < number }
    }
    if !isBlocked { waitingRemovals.removeValue(forKey: number)?() }
  }

  // MARK: What can be seen

  private func look() {
    image.entries = entries.mapValues { entry in
      var facts = Facts(
        entry.value, isValueSet: entry.isSet, error: entry.hasError ? "\(Failure())" : nil,
        isProvisional: entry.isProvisional, isInvalidated: entry.isInvalidated)
      if entry.load != nil { facts.mode = .refresh }
      return FamilyImage.Entry(
        facts: facts.description, age: entry.answeredAt.map { now - $0 }, isHeld: isHeld(entry),
        isUnsaved: entry.isUnsaved, tags: entry.tags)
    }
    image.order = inOrderOfUse(Array(entries.values)).map(\.key)
    image.stored = stored.mapValues { stored in
      let age = stored.answeredAt.map { Duration.seconds(now - $0) }
      return "\(StoredValue(stored.value, age: age, isInvalidated: stored.isInvalidated))"
    }
  }
}

/// Calls that wait to be told how they end.
private struct WaitingAnswers<Answer> {
  private var waiting: [(key: Int, body: (Answer) -> Void)] = []

  mutating func append(_ key: Int, _ body: @escaping (Answer) -> Void) { waiting.append((key, body)) }

  /// Takes out one of them, in order of the keys.
  mutating func take(_ index: Int) -> ((Answer) -> Void)? {
    guard !waiting.isEmpty else { return nil }
    let order = waiting.indices.sorted { (waiting[$0].key, $0) < (waiting[$1].key, $1) }
    return waiting.remove(at: order[index % order.count]).body
  }
}
