// SPDX-License-Identifier: MIT
// The common part of a family's entries, and its notes about keys that have no entry.

import Synchronization

/// The settings that all entries of a family share.
final class FamilySettings<Key: Hashable, Value>: BoardFamily {
  typealias Operation = (Key, LoadReporter<Value>) async throws -> Value?

  /// The operation that gets the values.
  enum Source {
    case values(Operation)
    case pages((Key) -> any PageSource<Value>)
    case live((Key) async throws -> any LiveElements<Value>)
    case batches(KeyBatches<Key, Value>)
  }

  let source: Source
  let seed: ((Key) -> Value?)?
  let tags: (Key, Value?) -> Set<AsyncTag>
  let store: (any ValueStore<Key, Value>)?
  /// True if the store is the source of truth: an answer is displayed when it has been stored.
  let storesFirst: Bool
  let board: AsyncTagBoard?
  let options: DataOptions
  /// The policy for entries whose operation shares a request with others; nil: that of the options.
  let sharedPolicy: RequestPolicy?
  private(set) weak var home: (any Actor)?
  /// The entries, as long as the family exists.
  weak var table: FamilyTable<Key, Value>?

  /// True if the family is used on that actor for certain: it was created there, or an entry has been requested there. Before
  /// that its release must not use the actor, because the compiler lets a family of the main actor be created elsewhere.
  private(set) var isAtHome: Bool

  /// Set when the family is released, on any thread: from then on no entry has a family.
  // Justified: set once. The work that follows is sent to the actor, which is ordered by that. Noticed: `family` of
  // `Tests/Stress`.
  private let released = Atomic(false)

  /// True until everything is forgotten. From then on a seed, which may be made of what is forgotten after that, is displayed by the
  /// request of its key.
  var displaysSeeds = true

  let uses: UseCounter
  let deliveries: Deliveries
  let gate = StoreGate()
  /// Records the entries; nil without a journal.
  var hook: (any FamilyHook)?
  /// The keys whose stored values were to be removed and are perhaps still there.
  private var unremoved = UnremovedKeys<Key>()
  /// True while user code runs that hashes or compares keys.
  private var isSearching = false
  /// The times of the last invalidations of the board, to compare them with stored values.
  private var invalidations: [(number: UInt64, time: Duration)] = []

  init(
    home: any Actor, isAtHome: Bool, options: LoadOptions, seed: ((Key) -> Value?)?, board: AsyncTagBoard?,
    tags: @escaping (Key, Value?) -> Set<AsyncTag>, store: FamilyStore<Key, Value>?, source: Source
  ) {
    self.source = source
    self.seed = seed
    self.tags = tags
    (self.store, storesFirst) =
      switch store {
      case .cache(let store)?: (store, false)
      case .truth(let store)?: (store, true)
      case nil: (nil, false)
      }
    self.board = board
    self.options = DataOptions(options)
    sharedPolicy = if case .batches = source { RequestPolicy(sharing: options) } else { nil }
    self.home = home
    self.isAtHome = isAtHome
    uses = board?.uses ?? UseCounter()
    deliveries = board?.deliveries ?? Deliveries()
    board?.add(self, options, on: home)
  }

  var timeline: Timeline { options.timeline }

  /// Notes that a caller on that actor uses the family.
  func noteUse(on actor: any Actor) {
    if home === actor { isAtHome = true }
  }

  /// Notes that an entry was requested, which stops the process on another actor.
  func noteUse() { isAtHome = true }

  var isReleased: Bool { released.load(ordering: .relaxed) }

  func release() { released.store(true, ordering: .relaxed) }

  func noteInvalidation(_ number: UInt64) {
    let now = timeline.now
    if invalidations.last?.time == now { invalidations.removeLast() }
    invalidations.append((number, now))
    if invalidations.count > 256 { invalidations.removeFirst(128) }
  }

  /// True if one of the tags was invalidated since then; also if they were not computed.
  func hasInvalidated(_ tags: Set<AsyncTag>?, since startCount: UInt64) -> Bool {
    tags.map { board?.hasInvalidated($0, since: startCount) ?? false } ?? true
  }

  /// True if a value of that age may be older than an invalidation of one of the tags, also if that is not certain.
  func isOutdated(_ tags: Set<AsyncTag>, age: Duration?) -> Bool {
    guard let board, !tags.isEmpty else { return false }
    var since: UInt64 = 0
    if let age, age >= .zero {
      let answeredAt = timeline.now - age.bounded
      // The invalidations before the first one that is not older than the answer. A clock may have been set back.
      since = invalidations.prefix { $0.time < answeredAt }.last?.number ?? 0
    }
    return board.hasInvalidated(tags, since: since)
  }
}

extension FamilySettings {
  // MARK: Requesting

  /// The operation of an entry.
  func operation(for key: Key) -> AsyncResource<Value>.Operation {
    switch source {
    case .values(let operation): { reporter in try await operation(key, reporter) }
    case .pages(let source): { reporter in try await source(key).load(reporter, isolation: #isolation) }
    case .live(let connect): { reporter in try await reporter.firstElement(of: try await connect(key)) }
    case .batches(let batches): { reporter in try await batches.value(for: reporter, isolation: #isolation) }
    }
  }

  /// The source of the further pages of an entry; nil if values are not lists of pages.
  func pages(of key: Key) -> (() -> (any PageSource<Value>)?)? {
    switch source {
    case .values, .live, .batches: nil
    case .pages(let source): { source(key) }
    }
  }

  /// The batches in which keys are requested together; nil if each is requested by itself.
  var batches: KeyBatches<Key, Value>? { if case .batches(let batches) = source { batches } else { nil } }

  /// True if entries follow streams.
  var isLive: Bool { if case .live = source { true } else { false } }

  // MARK: User code

  /// Calls code that hashes and compares keys. If that code used the family, it would find the family half changed.
  @inline(__always)
  func searching<Result>(_ body: () -> Result) -> Result {
    stopIfSearching()
    isSearching = true
    defer { isSearching = false }
    return body()
  }

  /// Stops if the code that hashes and compares keys has led here.
  @inline(__always)
  func stopIfSearching() {
    if isSearching { stopSearch() }
  }

  private func stopSearch() -> Never {
    fatalError(
      """
      AsyncState: the == or hash(into:) of a key, of type \(Key.self), used the family of the key, which is just looking \
      for the key. Make the key a value that only compares what it holds.
      """)
  }

  // MARK: Removals that failed

  /// True if a key reads as not stored, because its removal has failed.
  func isUnremoved(_ key: Key) -> Bool {
    searching { unremoved.contains(key) }
  }

  /// Notes that the stored value of a key was removed or written, or that this has failed.
  func setUnremoved(_ isUnremoved: Bool, _ key: Key) {
    searching { unremoved.set(key, isUnremoved) }
  }

  /// Removes all stored values, in its turn.
  ///
  /// - Parameter turn: The number that the gate has given the removal.
  func removeAllStored(in turn: Int, isolation: isolated (any Actor)?) async throws {
    guard let store else { return }
    await gate.turn(turn, isolation: isolation)
    defer { gate.leave() }
    do {
      try await store.removeAll(isolation: isolation)
      setAllUnremoved(false)
    } catch {
      setAllUnremoved(true)
      throw error
    }
  }

  private func setAllUnremoved(_ isUnremoved: Bool) {
    unremoved = UnremovedKeys(isAll: isUnremoved)
  }
}

/// Keys that read as not stored, because their stored values could not be removed, written, or marked.
private struct UnremovedKeys<Key: Hashable> {
  private let isAll: Bool
  /// The keys for which the opposite of `isAll` holds.
  private var exceptions: Set<Key> = []

  init(isAll: Bool = false) {
    self.isAll = isAll
  }

  func contains(_ key: Key) -> Bool { isAll != exceptions.contains(key) }

  mutating func set(_ key: Key, _ isUnremoved: Bool) {
    if isUnremoved == isAll { exceptions.remove(key) } else { exceptions.insert(key) }
  }
}
