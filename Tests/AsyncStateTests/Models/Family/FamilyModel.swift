// SPDX-License-Identifier: MIT
import AsyncState

/// Sections 10 to 12 of the contract as plain code. Everything is done at once, and everything is looked for by going
/// through everything: no idle references, no index of tags, no memory of invalidations that overflows.
@ModelActor
final class FamilyModel {
  /// A load, from its beginning.
  final class Load {
    /// How many invalidations there had been when it began.
    let start: Int
    /// How often the value had been confirmed or removed by then.
    let writes: Int
    /// The data was invalidated since.
    var isOutdated = false
    /// A caller wants it, and not only what holds the entry.
    var hasCaller: Bool

    init(start: Int, writes: Int, hasCaller: Bool) {
      self.start = start
      self.writes = writes
      self.hasCaller = hasCaller
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
    /// A caller wants what waits.
    var isWaitingForCaller = false
    var wasRequested = false
    /// Invalidated by the board, and no load has begun since.
    var isMarked = false
    var lastUse = 0
    var tags: Set<AsyncTag>
    /// The calls that are under way on its resource.
    var calls = 0
    var isNotifying = false
    /// The changes that are delivered later: whether anyone observed when they were made.
    var pending: [Bool] = []
    var holders: Set<Int> = []
    // The store
    var isRead = false
    var limit: Int?
    var reading: Reading?
    var isUnsaved = false
    var lane = Lane()
    var waitingAnswer: Load?
    var owesWrite = false
    /// What was stored for a load that had ended.
    var left: Stored?
    /// The value was restored by hand.
    var isRestored = false
    /// Nothing was requested, looked up or written since it was made or reset.
    var isUntouched = true
    /// A load has begun since the last one was noticed to be over.
    var hasRun = false

    init(_ key: Int, number: Int) {
      self.key = key
      self.number = number
      tags = FamilyModel.tags(key, nil)
    }
  }

  /// A read of the store, which several loads share.
  final class Reading {
    let writes: Int
    var ends: [(Bool) -> Void]

    init(writes: Int, end: @escaping (Bool) -> Void) {
      self.writes = writes
      ends = [end]
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
  var now = 0
  var entries: [Int: Entry] = [:]
  var uses = 0
  var isOpen = true
  /// All invalidations by tag, each with its time.
  var history: [(tag: AsyncTag, time: Int)] = []
  var queue: [Int] = []
  var reloads: [(entry: Entry, load: Load)] = []
  var isReloading = false
  var toDeliver: [(Entry, Bool)] = []
  var isDelivering = false
  /// What happens when the actor is free.
  var jobs: [() -> Void] = []
  var inside: [FamilyAction] = []

  // The store
  var stored: [Int: Stored] = [:]
  /// Keys whose removal failed.
  var unremoved: Set<Int> = []
  var requestedRemovals = 0
  var completedRemovals = 0
  /// What waits for a removal of everything, in order.
  var held: [Entry] = []
  var waitingRemovals: [Int: () -> Void] = [:]

  // Calls that wait for the command that ends them.
  var operations = WaitingAnswers<Int?>()
  var reads = WaitingAnswers<Bool>()
  var writes = WaitingAnswers<Bool>()
  var removals = WaitingAnswers<Bool>()
  var image = FamilyImage()

  /// The answer of a load is in the store already.
  var skipsStoring = false
  /// What is displayed was stored as invalidated.
  var isKnownOutdated = false
  /// What is displayed was not stored as invalidated.
  var isKnownValid = false

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
    case .read(let index, let succeeds):
      for body in reads.takeAll(index) {
        body(succeeds)
        runJobs()
      }
    case .write(let index, let succeeds): writes.take(index)?(succeeds)
    case .remove(let index, let succeeds): removals.take(index)?(succeeds)
    case .tick: now += 1
    }
    runJobs()
    evict(to: setup.keepIdle)
    look()
  }

  private func runJobs() {
    while !jobs.isEmpty { jobs.removeFirst()() }
  }

  func act(_ action: FamilyAction) {
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
      if value, !wasOpen {
        for entry in entries.values where entry.isInvalidated || mayRefresh(entry) { entry.isMarked = true }
        reload(entries.values.filter(\.isMarked))
      }
    case .refreshStale:
      for entry in inOrderOfUse(Array(entries.values)) where entry.wasRequested && isHeld(entry) {
        called(entry) { request($0, .stale, isCaller: false) }
      }
    case .restore(let key, let value, let age): restore(use(key), value, age: age)
    }
  }

  // MARK: What can be seen

  func look() {
    image.entries = entries.mapValues { entry in
      var parts = SnapshotParts(
        entry.value, isValueSet: entry.isSet, error: entry.hasError ? "\(Failure())" : nil,
        isProvisional: entry.isProvisional, isInvalidated: entry.isInvalidated)
      if entry.load != nil { parts.mode = .refresh }
      return FamilyImage.Entry(
        parts: parts.description, age: entry.answeredAt.map { now - $0 }, isHeld: isHeld(entry),
        isUnsaved: entry.isUnsaved, tags: entry.tags)
    }
    image.order = inOrderOfUse(Array(entries.values)).map(\.key)
    image.stored = stored.mapValues { stored in
      let age = stored.answeredAt.map { Duration.seconds(now - $0) }
      return "\(StoredValue(stored.value, age: age, isInvalidated: stored.isInvalidated))"
    }
  }
}

// MARK: - At rest

extension FamilyModel {
  /// What ends a call that waits, well; nil at rest.
  var ending: FamilyCommand? {
    if !writes.isEmpty { return .write(0, succeeds: true) }
    if !removals.isEmpty { return .remove(0, succeeds: true) }
    if !reads.isEmpty { return .read(0, succeeds: true) }
    return operations.isEmpty ? nil : .answer(0, 5, inside: [])
  }

  /// What must not be at rest: memory and store do not agree, or something is not requested though the board was opened.
  var differenceAtRest: String? {
    for entry in inOrderOfUse(Array(entries.values)) {
      if isHeld(entry), entry.wasRequested, entry.isInvalidated { return "\(entry.key) is not requested at rest" }
      guard setup.role != nil, entry.isConfirmed, !entry.isUnsaved, !unremoved.contains(entry.key),
        !entry.isRestored || entry.isInvalidated
      else { continue }
      let stored = stored[entry.key]
      if stored == nil || stored?.value != entry.value || stored?.isInvalidated != entry.isInvalidated {
        return "\(entry.key) is \(entry.value as Any) in memory and \(stored as Any) in the store"
      }
    }
    return nil
  }
}

/// Calls that wait for the command that ends them.
struct WaitingAnswers<Answer> {
  private var waiting: [(key: Int, body: (Answer) -> Void)] = []

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ key: Int, _ body: @escaping (Answer) -> Void) { waiting.append((key, body)) }

  /// Takes out one of them, in order of the keys.
  mutating func take(_ index: Int) -> ((Answer) -> Void)? {
    place(index).map { waiting.remove(at: $0).body }
  }

  /// Takes out all that have the same key as this one.
  mutating func takeAll(_ index: Int) -> [(Answer) -> Void] {
    guard let key = place(index).map({ waiting[$0].key }) else { return [] }
    defer { waiting.removeAll { $0.key == key } }
    return waiting.filter { $0.key == key }.map(\.body)
  }

  private func place(_ index: Int) -> Int? {
    guard !waiting.isEmpty else { return nil }
    return waiting.indices.sorted { (waiting[$0].key, $0) < (waiting[$1].key, $1) }[index % waiting.count]
  }
}
