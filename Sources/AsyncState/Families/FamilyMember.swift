// SPDX-License-Identifier: MIT
// One entry of a family: the resource of a key. Its tags are those of any entry of a board; here is what a store adds.
//
// The family owns its members. The data refers to its member only weakly, as its keeper, so that nothing keeps a member when
// its family is released; holders of the resource then have plain data.

/// An entry of a family.
final class FamilyMember<Key: Hashable, Value>: BoardEntry, DataKeeper {
  let key: Key
  let settings: FamilySettings<Key, Value>
  private let ownData: AsyncData<Value>
  /// True if it follows a stream.
  private let isLive: Bool
  /// True if it was removed from the family, or has left a family that was released.
  private var isDetached = false
  /// True if each call that wants the load accepts a value of the store that is not stale.
  private var acceptsStored = false
  private var reading = Reading.none

  /// The reading of the store.
  private enum Reading {
    /// It was not read, or in vain.
    case none
    case running(StoreReading)
    /// It was read, or what it has is obsolete.
    case over
  }

  /// An entry without a value. `prepare()` follows when the family has it.
  ///
  /// - Parameter source: The source that was made for it; nil if the family has one operation for all keys.
  init(_ key: Key, _ settings: FamilySettings<Key, Value>, seed: Value?, _ source: SourceKind<Value>?) {
    self.key = key
    self.settings = settings
    isLive = source?.isLive == true
    ownData = AsyncData<Value>(seed: seed, settings.options)
    super.init(
      AsyncResource(
        ownData, settings.home, Self.operations(of: key, settings, source), pages: Self.pages(source)),
      on: settings.board, isStored: settings.rows != nil)
    ownData.setKeeper(self)
    if let source { resource.use(source) }
    beginFollowing()
    board?.add(self)
  }

  /// A member as one of this type.
  // Justified: the table has only members of this type. A checked cast takes longer than a look-up. Noticed: every test
  // of families, because debug builds check the cast.
  @inline(__always)
  static func known(_ member: BoardEntry) -> FamilyMember { unsafe unsafeDowncast(member, to: FamilyMember.self) }

  // Justified: as above, and written only when the member is made.
  var resource: AsyncResource<Value> { unsafe unsafeDowncast(anyResource, to: AsyncResource<Value>.self) }

  override var data: (any EntryData)? { ownData }

  override var home: (any Actor)? { settings.home }

  /// True while the family has it. When it is removed, holders of the resource continue with plain data.
  override var isAttached: Bool { !isDetached && !settings.isReleased }

  /// Prepares a new entry of the family. A value that the store returns at once is displayed.
  func prepare() {
    let peeked = settings.rows.flatMap { $0.unwritten(key) ?? $0.store.peek(key) }
    let tags = computeTags { settings.tags(key, peeked?.value) }
    // A value that this code has written is newer.
    guard isAttached, !ownData.facts.isValueSet else { return }
    if let peeked { show(peeked.marked(if: lacksMark), tags) } else if let tags { board?.setTags(tags, of: self) }
  }

  /// Notes that the family has removed it.
  func detach() { isDetached = true }

  /// Ends the requests of a family that was released, once: from then on the resource works alone. The family calls this as
  /// soon as its actor is free; each use of the entry before that calls it, too.
  ///
  /// - Returns: True if this call has done it.
  @discardableResult
  func leaveReleasedFamily() -> Bool {
    guard !isDetached, settings.isReleased else { return false }
    isDetached = true
    ownData.cancel()
    return true
  }

  /// Calls `body` with the resource, which is held until it returns.
  @discardableResult
  func use<Result>(_ body: (AsyncResource<Value>) -> Result) -> Result {
    let resource = resource
    return withExtendedLifetime(resource) { body(resource) }
  }

  var entry: FamilyEntry<Key, Value> {
    let isHeld = isHeld
    return FamilyEntry(
      key: key, snapshot: ownData.facts, isHeld: isHeld, isUnsaved: settings.rows?.isUnsaved(key) == true, tags: tags)
  }

  // MARK: Requests

  // Not in the initialiser: the compiler crashes on closures there in release builds (Swift 6.3.1).
  private static func operations(
    of key: Key, _ settings: FamilySettings<Key, Value>, _ source: SourceKind<Value>?
  ) -> () -> AsyncResource<Value>.Operation? {
    // The operation of pages is made for each load.
    if let pages = source?.pages { return { Self.operation(pages.operation) } }
    if let operation = source?.operation { return { Self.operation(operation) } }
    return { settings.operation(for: key).map { Self.operation($0) } }
  }

  private static func pages(_ source: SourceKind<Value>?) -> (() -> (any PageSource<Value>)?)? {
    source?.pages.map { pages in { pages } }
  }

  /// The operation of an entry, together with its store.
  private static func operation(
    _ operation: @escaping AsyncResource<Value>.Operation
  ) -> AsyncResource<Value>.Operation {
    { (reporter: LoadReporter<Value>) in try await run(operation, reporter, isolation: #isolation) }
  }

  private static func run(
    _ operation: AsyncResource<Value>.Operation, _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    // The load began with the family.
    if of(reporter)?.leaveReleasedFamily() == true { throw CancellationError() }
    if let member = of(reporter) { try await member.findFresh(for: reporter.load, isolation: isolation) }
    guard reporter.load.isCurrent else { throw CancellationError() }
    return try await AsyncResource.answer(of: operation, reporter, isolation: isolation)
  }

  /// The member of a load, as long as there is one.
  // Justified: as above.
  private static func of(_ reporter: LoadReporter<Value>) -> FamilyMember? {
    reporter.load.data?.keeper.map { unsafe unsafeDowncast($0, to: FamilyMember.self) }
  }

  override func request(superseding former: LoadRun?, isolation: isolated any Actor) -> LoadRun? {
    var load: LoadRun?
    ownData.following(.invalidation) {
      load = resource.request(superseding: former, isolation: isolation)
    }
    return load
  }

  func requestAgain(afterLoss: Bool) -> Bool {
    guard isAttached else { return false }
    if afterLoss { wasRequested = true }
    if let board {
      board.request([self])
    } else if wasRequested, isInUse {
      _ = startRequest(superseding: ownData.state.core.order.whole)
    }
    return true
  }

  // MARK: Events of the data

  var place: FeaturePlace { .family }

  var source: (any StoredSource)? { self }

  func perform(_ verb: DataVerb) -> Bool {
    switch verb {
    case .forget:
      beginForgetting()
      ownData.setSeed(nil)
      removeLost()
    case .reset: ownData.setSeed(settings.seed?(key))
    case .cancel, .cancelRest, .invalidate: break
    }
    return false
  }

  /// Ends what has begun before for this key.
  func beginForgetting() {
    wasRequested = false
    reading = .over
  }

  func willRequest(when condition: LoadCondition) {
    leaveReleasedFamily()
    settings.noteUse()
    // Also where the value is found fresh: it is in use, and requested when it is stale.
    wasRequested = true
    // A stored value does not take the place of a stream.
    acceptsStored = !isLive && condition == .stale && (acceptsStored || !hasRequests)
    // A caller that wants a request does not wait for the store.
    if !acceptsStored, hasRequests, case .running(let reading) = reading { reading.resumeAll() }
  }

  func willBegin(_ load: LoadRun) {
    leaveReleasedFamily()
    noteBegin(of: load)
  }

  func willAnswer(_ load: LoadRun) -> Bool { noteAnswer(of: load) }

  func didAnswer() { noteAnswerWritten() }

  func didBecomeConsistent() { follow() }

  func didNotify() {
    let hasEnded = noteNotified()
    guard hasEnded, isAttached else { return }
    acceptsStored = false
    lastUse = settings.uses.next()
    endUnheldStream()
  }

  /// Ends the stream of a live value that nothing but the family holds: a release calls nothing.
  func endUnheldStream() {
    if isLive, !isHeld { ownData.endUnheldStream() }
  }

  var isBusy: Bool { if case .running = reading { true } else { isAttached && settings.rows?.isBusy(key) == true } }

  private var hasRequests: Bool { ownData.hasRequests }

  override func makeTags(of load: LoadRun?) -> Set<AsyncTag> {
    settings.tags(key, load.map { ownData.typed($0).answer } ?? ownData.confirmed?.value)
  }

  // MARK: Reading the store

  /// True if the store may have a value that was not read yet.
  private var hasUnreadValue: Bool {
    guard isAttached, settings.rows != nil, !ownData.context.isValueSet else { return false }
    return if case .over = reading { false } else { true }
  }

  /// Reads the stored value before the operation is called, or beside it if a request is wanted in any case. If each
  /// call accepts it, the load ends.
  func findFresh(for load: LoadRun, isolation: isolated (any Actor)?) async throws {
    guard hasUnreadValue else { return }
    let reading = read(isolation: isolation)
    guard acceptsStored else { return }
    await reading.wait(isolation: isolation)
    guard load.isCurrent else { throw CancellationError() }
    guard acceptsStored, !ownData.isOutOfDate else { return }
    ownData.endFresh(ownData.typed(load))
  }

  /// True if what is stored is out of date, and the store does not know it yet.
  private var lacksMark: Bool { settings.rows?.lacksMark(key) == true }

  private var removals: UInt8 { ownData.state.core.record.removals }

  /// True if nothing is newer than the result of this read.
  private func accepts(_ reading: StoreReading) -> Bool {
    isAttached && reading.removals == removals && !ownData.context.isValueSet
  }

  /// The running read, if its result is still wanted, or another one.
  private func read(isolation: isolated (any Actor)?) -> StoreReading {
    if case .running(let reading) = reading, reading.removals == removals { return reading }
    let reading = StoreReading(removals, isMarked: lacksMark)
    self.reading = .running(reading)
    // In a task of its own, which several loads share, and which does not end with one of them.
    Task {
      _ = isolation
      let isRead = await readStore(in: reading, isolation: isolation)
      if case .running(let other) = self.reading, other === reading { self.reading = isRead ? .over : .none }
      reading.end()
      ownData.resumeIfSettled()
    }
    return reading
  }

  /// - Returns: True if the store need not be read again: the read has not failed, and was not from before a reset.
  private func readStore(in reading: StoreReading, isolation: isolated (any Actor)?) async -> Bool {
    guard let rows = settings.rows else { return true }
    var stored: StoredValue<Value>?
    if let unwritten = rows.unwritten(key) {
      stored = unwritten
    } else {
      do {
        stored = try await rows.store.read(key, isolation: isolation)
        ownData.hook?.storeDidReturn(.read(isFound: stored != nil))
      } catch {
        ownData.hook?.storeDidReturn(.readFailed(error))
        return false
      }
    }
    if let stored, accepts(reading) {
      let tags = computeTags { settings.tags(key, stored.value) }
      if accepts(reading) { show(stored.marked(if: reading.isMarked), tags) }
    }
    return reading.removals == removals
  }

  /// Displays a value that was answered elsewhere, unless the present one is newer.
  func restore(_ stored: StoredValue<Value>) {
    let tags = computeTags { settings.tags(key, stored.value) }
    let record = ownData.state.core.record
    if record.context.isValueSet {
      let answeredAt = stored.age.flatMap { $0 < .zero ? nil : settings.timeline.now - $0.bounded }
      switch (record.answeredAt, answeredAt) {
      case (let former?, let new?) where new > former: break
      case (let former?, let new?) where new == former && record.context.isProvisional: break
      case (nil, _) where record.context.isProvisional: break
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
  private func show(_ stored: StoredValue<Value>, _ tags: Set<AsyncTag>?, isOfStore: Bool = true) {
    let isInvalidated =
      stored.isInvalidated || tags.map { settings.isOutdated($0, age: stored.age) } ?? true
      || !isOfStore && isBeforeConfirmation(stored)
    reading = .over
    noteValue(with: tags, isInvalidated: stored.isInvalidated)
    ownData.restore(stored.value, age: stored.age, isInvalidated: isInvalidated, isOfStore: isOfStore)
  }

  /// True if it was answered before a change was confirmed, which it may not contain.
  private func isBeforeConfirmation(_ stored: StoredValue<Value>) -> Bool {
    guard let confirmedAt = ownData.knownChanges?.confirmedAt, let age = stored.age else { return false }
    return settings.timeline.now - age.bounded < confirmedAt
  }

  // MARK: Following it

  override func didChange(isOtherValue: Bool) {
    guard let rows = settings.rows else { return }
    if let confirmed = ownData.confirmed {
      // A value that is made of other data may be out of date when it is read: a change of that data does not mark it.
      rows.set(.value(ownData.madeOf != nil ? confirmed.invalidated : confirmed), for: key)
    } else if ownData.isInvalidated, isOtherValue || hasUnreadValue {
      doubtStored()
    }
  }

  func doubtStored() {
    guard isAttached else { return }
    settings.rows?.mark(key)
    // It may return what was stored before.
    if case .running(let reading) = reading { reading.isMarked = true }
  }

  func removeLost() {
    if isAttached { settings.rows?.set(.nothing, for: key) }
  }
}

/// A read of a store, which several loads share.
private final class StoreReading {
  /// The number of removals when the read began: its result is ignored if everything was removed since.
  let removals: UInt8
  /// True if what it returns is out of date.
  var isMarked: Bool
  private var hasEnded = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ removals: UInt8, isMarked: Bool) {
    self.removals = removals
    self.isMarked = isMarked
  }

  /// Suspends until it has ended, or a request is wanted in any case.
  func wait(isolation: isolated (any Actor)?) async {
    guard !hasEnded else { return }
    await withCheckedContinuation {
      // In a task that prefers an executor, others have a turn on the way here.
      if hasEnded { $0.resume() } else { waiting.append($0) }
    }
  }

  /// Resumes those that wait, which check what they have waited for.
  func resumeAll() {
    let resumed = waiting
    waiting = []
    for continuation in resumed { continuation.resume() }
  }

  func end() {
    hasEnded = true
    resumeAll()
  }
}
