// SPDX-License-Identifier: MIT
// The common part of a family's entries.

/// The settings that all entries of a family share.
final class FamilySettings<Key: Hashable, Value>: BoardFamily {
  typealias Operation = (Key, LoadReporter<Value>) async throws -> Value?

  /// The way in which the values are got.
  enum Source {
    /// One operation for all keys.
    case values(Operation)
    /// A source for each key, which is made with its entry.
    case sources((Key) -> SourceKind<Value>)

    /// True if entries may follow streams.
    var mayBeLive: Bool { if case .sources = self { true } else { false } }
  }

  let source: Source
  let seed: ((Key) -> Value?)?
  let tags: (Key, Value?) -> Set<AsyncTag>
  /// What the store does not have yet; nil without a store.
  let rows: StoredRows<Key, Value>?
  let board: AsyncTagBoard?
  let options: DataOptions
  private(set) weak var home: (any Actor)?
  /// The entries, as long as the family exists.
  weak var table: FamilyTable<Key, Value>?

  /// True if the family is used on that actor for certain: it was created there, or an entry has been requested there. Before
  /// that its release must not use the actor, because the compiler lets a family of the main actor be created elsewhere.
  private(set) var isAtHome: Bool

  /// Set when the family is released, on any thread: from then on no entry has a family.
  private let released = Flag()

  let uses: UseCounter
  let deliveries: Deliveries
  /// Records the entries; nil without a journal.
  var hook: (any FamilyHook)?
  let search = KeySearch {
    """
    AsyncState: the == or hash(into:) of a key, of type \(Key.self), used the family of the key, which is just looking \
    for the key. Make the key a value that only compares what it holds.
    """
  }
  /// The times of the last invalidations of the board, to compare them with stored values.
  private var invalidations: [(number: UInt64, time: Duration)] = []

  init(
    home: any Actor, isAtHome: Bool, options: LoadOptions, seed: ((Key) -> Value?)?, board: AsyncTagBoard?,
    tags: @escaping (Key, Value?) -> Set<AsyncTag>, store: (any ValueStore<Key, Value>)?, source: Source
  ) {
    self.source = source
    self.seed = seed
    self.tags = tags
    self.board = board
    self.options = DataOptions(options)
    self.home = home
    self.isAtHome = isAtHome
    rows = store.map { [search] in StoredRows($0, Timeline(options.clock), on: home, search) }
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

  var isReleased: Bool { released.isSet }

  func release() { released.set() }

  // MARK: Tags

  func noteInvalidation(_ number: UInt64) {
    let now = timeline.now
    if invalidations.last?.time == now { invalidations.removeLast() }
    invalidations.append((number, now))
    if invalidations.count > 256 { invalidations.removeFirst(128) }
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

  // MARK: Requesting

  /// Makes the source of an entry; nil if there is one operation for all keys, which needs no memory in an entry.
  func makeSource(of key: Key) -> SourceKind<Value>? {
    switch source {
    case .values: return nil
    case .sources(let make):
      stopIfElsewhere()
      return make(key)
    }
  }

  /// Stops where the first source would be made on another actor.
  private func stopIfElsewhere() {
    guard !isAtHome, let home else { return }
    stopElsewhere(than: home) {
      """
      AsyncState: an entry of an AsyncFamily that belongs to \($0) was made on another actor, and its source would be, too. \
      Without `isolation:` a family belongs to the main actor; one of another actor is created with \
      `AsyncFamily(isolation: self) { key in .value { … } }`.
      """
    }
    isAtHome = true
  }

  /// The operation of an entry without a source of its own.
  func operation(for key: Key) -> AsyncResource<Value>.Operation? {
    switch source {
    case .values(let operation): { (reporter: LoadReporter<Value>) in try await operation(key, reporter) }
    case .sources: nil
    }
  }
}
