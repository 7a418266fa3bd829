import Synchronization

// One entry of a family: the resource of a key, what its tags are, and what has to be stored of it.
//
// The family owns its members. The data know their member only weakly, as their keeper, so that nothing keeps a member
// when its family is released; what holds the resource outside then has plain data.

/// What all entries of a family share.
final class FamilyTerms<Key: Hashable, Value>: BoardFamily {
  typealias Operation = (Key, LoadReporter<Value>) async throws -> Value?

  let operation: Operation
  let tags: (Key, Value?) -> Set<AsyncTag>
  let store: (any ValueStore<Key, Value>)?
  let role: StoreRole
  let board: AsyncTagBoard?
  let retry: RetryPolicy
  let timeout: Duration?
  let staleAfter: Duration?
  let timeline: Timeline
  private(set) weak var home: (any Actor)?

  let uses: UseCounter
  let deliveries: Deliveries
  let gate = StoreGate()
  /// The keys whose stored values were to be removed and are perhaps still there.
  var unremoved = UnremovedKeys<Key>()
  /// When the last invalidations of the board were, so that they can be compared with stored values.
  private var invalidations: [(number: UInt64, time: Duration)] = []

  init(
    home: any Actor, staleAfter: Duration?, clock: any Clock<Duration>, retry: RetryPolicy, timeout: Duration?,
    board: AsyncTagBoard?, tags: @escaping (Key, Value?) -> Set<AsyncTag>, store: (any ValueStore<Key, Value>)?,
    role: StoreRole, operation: @escaping Operation
  ) {
    self.operation = operation
    self.tags = tags
    self.store = store
    self.role = role
    self.board = board
    self.retry = retry
    self.timeout = timeout
    self.staleAfter = staleAfter
    self.home = home
    timeline = Timeline(clock)
    uses = board?.uses ?? UseCounter()
    deliveries = board?.deliveries ?? Deliveries()
    super.init()
    board?.add(self)
  }

  override func noteInvalidation(_ number: UInt64) {
    let now = timeline.now
    if invalidations.last?.time == now { invalidations.removeLast() }
    invalidations.append((number, now))
    if invalidations.count > 256 { invalidations.removeFirst(128) }
  }

  /// Whether a value of that age may be older than an invalidation of one of the tags. What is not certain counts.
  func isOutdated(_ tags: Set<AsyncTag>, age: Duration?) -> Bool {
    guard let board, !tags.isEmpty else { return false }
    var since: UInt64 = 0
    if let age, age >= .zero {
      let answeredAt = timeline.now - age.bounded
      since = invalidations.last { $0.time < answeredAt }?.number ?? 0
    }
    return board.hasInvalidated(tags, since: since)
  }
}

/// Keys that read as not stored, because their removal has failed.
struct UnremovedKeys<Key: Hashable> {
  private var isAll = false
  /// The keys that are not as `isAll` says.
  private var exceptions: Set<Key> = []

  func contains(_ key: Key) -> Bool { isAll != exceptions.contains(key) }

  mutating func set(_ key: Key, _ isUnremoved: Bool) {
    guard contains(key) != isUnremoved else { return }
    // A copy, because the key's code may come here again.
    var copy = exceptions
    if copy.remove(key) == nil { copy.insert(key) }
    exceptions = copy
  }

  mutating func setAll(_ isUnremoved: Bool) {
    isAll = isUnremoved
    exceptions = []
  }
}

/// An entry of a family.
final class FamilyMember<Key: Hashable, Value>: BoardMember, DataKeeper {
  let key: Key
  let terms: FamilyTerms<Key, Value>
  var resource: AsyncResource<Value>
  /// The family has it.
  private(set) var isAttached = true

  // MARK: Loads

  private let place = FamilyOperation.Place()
  /// The number of invalidations when the current load began.
  private var startCount: UInt64 = 0
  /// The tags of the answer that is being written.
  private var answerTags: Set<AsyncTag>?
  /// The answer that is being written is older than an invalidation.
  private var isAnswerOutdated = false
  private var confirmations: UInt32
  var wasInvalidated: Bool
  private var wasRunning = false

  // MARK: Groups

  private var announced: [AsyncDataParts.RawValue] = []
  private var staged: [StagedChange<Value>] = []

  // MARK: The store

  let lane: StoreLane?
  /// What was stored is known, or does not count any more.
  var isRead = false
  /// The value was read from the store, and no answer has confirmed it.
  var isFromStore = false
  /// The shortest age limit of the calls that want the load; nil: they want a request in any case.
  var limit: Duration?
  /// Reads that run beside a load.
  var readCount = 0
  /// Incremented when the key is forgotten.
  var forgetCount = 0
  var isUnsaved = false
  /// The load whose answer waits to be written before it is displayed.
  var loadToWrite: Load<Value>?
  /// If that is not written, what is confirmed already is.
  var owesWrite = false
  /// What the write that begins stores.
  var toWrite: Confirmed<Value>?

  init(_ key: Key, _ terms: FamilyTerms<Key, Value>, _ peeked: StoredValue<Value>?, tags: Set<AsyncTag>) {
    self.key = key
    self.terms = terms
    let member = WeakReference<FamilyMember>()
    let data = AsyncData<Value>(staleAfter: terms.staleAfter, timeline: terms.timeline)
    resource = AsyncResource(data, terms.retry, terms.timeout, terms.home) { [terms] in
      { reporter in
        try await Self.run(member, key, terms, reporter, isolation: #isolation)
      }
    }
    lane = terms.store == nil ? nil : StoreLane(terms.gate)
    if let peeked {
      data.restore(
        peeked.value, age: peeked.age, isInvalidated: peeked.isInvalidated || terms.isOutdated(tags, age: peeked.age))
      isRead = true
      isFromStore = true
    }
    confirmations = data.state.core.record.confirmations
    wasInvalidated = data.facts.isInvalidated
    super.init()
    member.object = self
    data.setKeeper(self)
    if let board = terms.board {
      board.add(self)
      board.setTags(tags, of: self)
    }
  }

  /// The family has it no more. What holds the resource outside continues with plain data.
  func detach() {
    guard isAttached else { return }
    isAttached = false
    terms.board?.remove(self)
  }

  var data: AsyncData<Value> { resource.data }

  // MARK: Use

  override var isHeld: Bool {
    guard isKnownUniquelyReferenced(&resource) else { return true }
    // Others may have released it on other threads.
    atomicMemoryFence(ordering: .acquiring)
    return false
  }

  override var isRunning: Bool { !resource.data.state.core.order.isEmpty }

  var isIdle: Bool { !isHeld && !isRunning && lane?.isBusy != true }

  var isBusy: Bool { readCount > 0 || lane?.isBusy == true }

  var entry: FamilyEntry<Key, Value> {
    let isHeld = isHeld
    let data = data
    return FamilyEntry(
      key: key, snapshot: data.facts, age: data.state.core.record.answeredAt.map { terms.timeline.now - $0 },
      isHeld: isHeld,
      isUnsaved: isUnsaved, tags: tags)
  }

  override func startReload() -> LoadRun? {
    refresh(when: .always)?.load
  }

  @discardableResult
  func refresh(when condition: LoadCondition) -> LoadTask<Value>? {
    guard let home = terms.home else { return nil }
    let task = Handle<LoadTask<Value>?>(nil)
    ActorBound((resource, task), to: home).callHere { home, bound in
      bound.1.object = bound.0.start(.refresh, when: condition, isolation: home)
    }
    return task.object
  }

  override func startWriting(isolation: isolated any Actor) {
    guard let confirmed = toWrite.take() else { return }
    Task {
      _ = isolation
      await write(confirmed, isolation: isolation)
    }
  }

  // MARK: The operation

  private static func run(
    _ member: WeakReference<FamilyMember>, _ key: Key, _ terms: FamilyTerms<Key, Value>,
    _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    if let member = member.object, try await member.findFresh(for: reporter.load, isolation: isolation) {
      throw CancellationError()
    }
    let value = try await call(terms.operation, key, at: member.object?.place, reporter, isolation: isolation)
    if let member = member.object { try await member.writeFirst(value, of: reporter.load, isolation: isolation) }
    return value
  }

  private static func call(
    _ operation: FamilyTerms<Key, Value>.Operation, _ key: Key, at place: FamilyOperation.Place?,
    _ reporter: LoadReporter<Value>, isolation: isolated (any Actor)?
  ) async throws -> Value? {
    guard let place else { return try await operation(key, reporter) }
    let current = FamilyOperation(at: place)
    defer { current.end() }
    return try await FamilyOperation.$current.withValue(current) {
      // Captured, so that the closure is isolated to the actor, too.
      _ = isolation
      return try await operation(key, reporter)
    }
  }

  var nestedWait: NestedWait? {
    guard isAttached, let waiting = FamilyOperation.waitingPlace else { return nil }
    return NestedWait(place: waiting, target: place, label: String(describing: key))
  }

  // MARK: What becomes of the data

  func willBegin() {
    wasRequested = true
    wasRunning = true
    guard isAttached, let board = terms.board else { return }
    startCount = board.count
    board.unmark(self)
  }

  func willSucceed(with value: Value?) -> Bool {
    guard isAttached else { return false }
    let tags = terms.tags(key, value)
    answerTags = tags
    isAnswerOutdated = terms.board?.hasInvalidated(tags, since: startCount) ?? false
    return isAnswerOutdated
  }

  func didSucceed() {
    answerTags = nil
    isAnswerOutdated = false
  }

  func didChange() {
    guard isAttached else { return }
    let record = data.state.core.record
    let isInvalidated = record.context.validity != .valid
    if record.confirmations != confirmations {
      confirmations = record.confirmations
      wasInvalidated = isInvalidated
      let isAnswer = answerTags != nil
      let tags = answerTags.take() ?? terms.tags(key, data.facts.value)
      terms.board?.setTags(tags, of: self)
      if isAnswerOutdated { terms.board?.mark(self) }
      isAnswerOutdated = false
      let isStored = isAnswer && terms.role == .truth && !isInvalidated && !data.hasPatches
      if record.isConfirmed, !isStored { storeConfirmed() }
    } else if isInvalidated != wasInvalidated {
      wasInvalidated = isInvalidated
      if isInvalidated, record.isConfirmed, !record.context.isProvisional || isFromStore { storeConfirmed() }
    }
    if !isInvalidated { terms.board?.unmark(self) }
  }

  func didNotify() {
    guard isAttached else { return }
    let hasEnded = wasRunning && !isRunning
    if hasEnded {
      wasRunning = false
      lastUse = terms.uses.next()
    }
    terms.board?.reloadMayHaveEnded(of: self)
    if hasEnded { terms.board?.runDidEnd(of: self) }
  }

  // MARK: Groups

  override func announce(_ change: GroupChange) {
    switch change {
    case .invalidate: announced.append(data.announceInvalidation())
    case .forget: announced.append(data.announceReset())
    }
  }

  override func stage(_ change: GroupChange) {
    let reported = announced.isEmpty ? 0 : announced.removeFirst()
    switch change {
    case .invalidate(let byBoard):
      staged.append(data.stageInvalidation(reported))
      if byBoard { terms.board?.mark(self) }
    case .forget:
      forget()
      staged.append(data.stageReset(reported))
    }
  }

  override func deliver() {
    guard !staged.isEmpty else { return assertionFailure("Each staged change is delivered once.") }
    data.deliver(staged.removeFirst())
  }
}

/// A weak reference that several closures share.
final class WeakReference<Object: AnyObject> {
  weak var object: Object?
}

/// A variable that several closures share.
private final class Handle<Object> {
  var object: Object

  init(_ object: Object) {
    self.object = object
  }
}
