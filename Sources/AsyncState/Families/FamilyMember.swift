// SPDX-License-Identifier: MIT
// One entry of a family: the resource of a key. FamilyMember+Tags.swift has its tags, FamilyMember+Store.swift its store.
//
// The family owns its members. The data refers to its member only weakly, as its keeper, so that nothing keeps a member when
// its family is released; holders of the resource then have plain data.

/// An entry of a family.
final class FamilyMember<Key: Hashable, Value>: EntryRecord, BoardMember, DataKeeper {
  let key: Key
  let settings: FamilySettings<Key, Value>
  /// True if it was removed from the family, or has left a family that was released.
  private var isDetached = false

  /// The state of the data to which the tags and the board correspond.
  var tagging = Tagging()

  // MARK: Groups

  private var staged: [StagedEvent<Value>] = []

  /// The calls that want a load, and for which nothing waits.
  private var prefetches: [Prefetch] = []

  // MARK: The store

  let lane: StoreLane?
  /// The store was read, or what it holds is obsolete.
  var isRead = false
  /// The running read of the store.
  var reading: StoreReading?
  /// The number of running reads, also of those whose result is not wanted any more.
  var readCount = 0
  /// The shortest age limit of the calls that want the load; nil: they want a request in any case.
  var limit: Duration?
  var isUnsaved = false
  /// The load whose answer waits to be written before it is displayed.
  var loadToWrite: Load<Value>?
  /// If that answer is not written, the confirmed value is.
  var owesWrite = false
  /// The value to store by the write that begins.
  var toWrite: Confirmed<Value>?
  /// The answer of a load that the source of truth has.
  var written: WrittenAnswer?
  /// The answer in the store whose load has ended before it was displayed.
  var leftAnswer: (answer: Confirmed<Value>, startCount: UInt64)?

  /// An entry without a value. `prepare()` follows when the family has it.
  init(_ key: Key, _ settings: FamilySettings<Key, Value>, seed: Value?) {
    self.key = key
    self.settings = settings
    let member = WeakReference<FamilyMember>()
    let data = AsyncData<Value>(seed: seed, settings.options)
    lane = settings.store == nil ? nil : StoreLane(settings.gate)
    super.init(
      of: AsyncResource(
        data, settings.home,
        { [settings] in
          { reporter in
            try await Self.run(member, key, settings, reporter, isolation: #isolation)
          }
        }, pages: settings.pages(of: key), policy: settings.sharedPolicy))
    tagging.confirmations = data.state.core.record.confirmations
    member.object = self
    data.setKeeper(self)
    if settings.isLive { data.setLive() }
    settings.board?.add(self)
  }

  /// A member as one of this type.
  // Justified: the table has only members of this type. A checked cast takes longer than a look-up. Noticed: every test
  // of families, because debug builds check the cast.
  @inline(__always)
  static func known(_ member: EntryRecord) -> FamilyMember { unsafe unsafeDowncast(member, to: FamilyMember.self) }

  // Justified: as above, and written only when the member is made.
  var resource: AsyncResource<Value> { unsafe unsafeDowncast(anyResource, to: AsyncResource<Value>.self) }

  var data: AsyncData<Value> { resource.data }

  // MARK: The family

  /// True while the family has it. When it is removed, holders of the resource continue with plain data.
  var isAttached: Bool { !isDetached && !settings.isReleased }

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
    data.cancel()
    return true
  }

  // MARK: Use

  /// Calls `body` with the resource, which is held until it returns.
  @discardableResult
  func use<Result>(_ body: (AsyncResource<Value>) -> Result) -> Result {
    let resource = resource
    return withExtendedLifetime(resource) { body(resource) }
  }

  var gate: LoadGate? { resource.data.gate }

  var requestGroup: RequestGroup {
    settings.batches.map { RequestGroup(batches: ObjectIdentifier($0), size: $0.limit) } ?? .single
  }

  var isDisplayed: Bool { resource.data.state.core.isDisplayed }

  var isRunning: Bool { !resource.data.state.core.order.isEmpty }

  var isInvalidated: Bool { resource.data.context.validity != .valid }

  var isStale: Bool { resource.data.isStale }

  override var isIdle: Bool {
    !isHeld && !isRunning && !resource.data.hasOpenChanges && lane?.isBusy != true
  }

  var isBusy: Bool { readCount > 0 || lane?.isBusy == true }

  /// True if work is in progress for the holders of the entry alone: a stream, or a request that the library has made by
  /// itself.
  var hasWorkForHolders: Bool { data.isLive || data.state.core.order.isOfHolders }

  /// Ends that work if the entry is not held. Releasing it calls nothing, so the family checks.
  func endUnheldWork() {
    data.endUnheldStream()
    let order = data.state.core.order
    order.endIfUnheld()
  }

  var entry: FamilyEntry<Key, Value> {
    let isHeld = isHeld
    return FamilyEntry(
      key: key, snapshot: data.facts, age: data.state.core.record.answeredAt.map { settings.timeline.now - $0 },
      isHeld: isHeld, isUnsaved: isUnsaved, tags: tags)
  }

  private struct Prefetch {
    weak var call: FollowingCall?
    /// True if the calling task gives it up, and no other call.
    let isOfTask: Bool
  }

  func notePrefetch(_ call: FollowingCall, isOfTask: Bool) {
    // For one load one call is enough.
    if !isOfTask { for former in sharedPrefetches where former.load === call.load { former.leave() } }
    prefetches.removeAll { $0.call == nil }
    prefetches.append(Prefetch(call: call, isOfTask: isOfTask))
  }

  private var sharedPrefetches: [FollowingCall] { prefetches.compactMap { $0.isOfTask ? nil : $0.call } }

  func prefetchCount(of load: LoadRun) -> Int {
    prefetches.count { $0.call?.load === load && $0.call?.hasLeft == false }
  }

  func cancelPrefetch() {
    let calls = sharedPrefetches
    prefetches.removeAll { !$0.isOfTask }
    // First the call whose load waits for the end of another one.
    for call in calls.reversed() { call.leave() }
  }

  func startReload() -> LoadRun? {
    guard isAttached, let home = settings.home else { return nil }
    let task = Handle<LoadTask<Value>?>(nil)
    data.following(.invalidation) {
      ActorBound((resource, task), to: home).callHere { home, bound in
        bound.1.object = bound.0.startRequest(when: .always, forHolders: true, isolation: home)
      }
    }
    return task.object?.load
  }

  func startWriting(isolation: isolated any Actor) {
    guard let confirmed = toWrite.take() else { return }
    Task {
      _ = isolation
      await write(confirmed, isolation: isolation)
    }
  }

  func startMarking(isolation: isolated any Actor) {
    Task {
      _ = isolation
      await markStored(isolation: isolation)
    }
  }

  // MARK: The operation

  private static func run(
    _ member: WeakReference<FamilyMember>, _ key: Key, _ settings: FamilySettings<Key, Value>,
    _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    // The load began with the family.
    if member.object?.leaveReleasedFamily() == true { throw CancellationError() }
    settings.batches?.expect(key, for: reporter)
    if let member = member.object, try await member.findFresh(for: reporter.load, isolation: isolation) {
      throw CancellationError()
    }
    let value = try await AsyncResource.answer(of: settings.operation(for: key), reporter, isolation: isolation)
    if let member = member.object { try await member.writeFirst(value, of: reporter.load, isolation: isolation) }
    return value
  }

  var place: FeaturePlace { .family }

  var source: (any StoredSource)? { self }

  var label: String { String(describing: key) }

  func perform(_ verb: DataVerb) -> Bool {
    switch verb {
    case .forget:
      requestNoMore()
      data.setSeed(nil)
    case .reset: data.setSeed(settings.seed?(key))
    case .cancel, .cancelRest, .invalidate: break
    }
    return false
  }

  func requestAgain(afterLoss: Bool) -> Bool {
    guard isAttached else { return false }
    if afterLoss { wasRequested = true }
    if let board = settings.board {
      board.requestAgain(self)
    } else if wasRequested, isHeld, !data.hasRunningLoad {
      _ = startReload()
    }
    return true
  }

  func removeLost() {
    guard isAttached, let lane, let home = settings.home else { return }
    let turn = lane.turn(to: .removal)
    ActorBound((member: self as any BoardMember, turn: turn), to: home).callHere { home, bound in
      bound.member.startRemoving(in: bound.turn, isolation: home)
    }
  }

  func startRemoving(in turn: StoreTurn, isolation: isolated any Actor) {
    Task {
      _ = isolation
      // The member notes a failure: the key then reads as not stored.
      try? await removeStored(in: turn, isolation: isolation)
    }
  }

  // MARK: Groups

  /// Displays the present seed during a request, if there is no value and no answer.
  func displaySeed() {
    guard let make = settings.seed, isNothingKnown, let seed = make(key), isNothingKnown else { return }
    data.setSeed(seed)
    data.apply(.reset, writing: seed)
  }

  /// True if a seed may be displayed. It takes the place of everything, so also no change is undecided.
  private var isNothingKnown: Bool {
    !isRunning && readCount == 0 && data.displayed == nil && !data.context.isSettled && !data.features.isRequestComing
      && !data.hasOpenChanges
  }

  func stage(_ change: GroupChange) {
    switch change {
    case .invalidate(let byBoard):
      staged.append(data.stage(.invalidated))
      if byBoard, isAttached { settings.board?.mark(self) }
    case .forget:
      requestNoMore()
      staged.append(data.stageForgotten())
    }
  }

  func follow() { didBecomeConsistent() }

  func deliver() {
    guard !staged.isEmpty else { return assertionFailure("Each staged change is delivered once.") }
    data.deliver(staged.removeFirst())
  }
}

/// A variable that several closures share.
private final class Handle<Object> {
  var object: Object

  init(_ object: Object) {
    self.object = object
  }
}
