// How a value is written and reported
//
// An input has two halves, which `Input.write` joins and `AsyncData` takes apart:
//
// - `stage(_:)` makes the value visible to readers at once, and returns false where it is equal to the present one.
// - `deliverNext()` reports one staged value to the observers of the input, and the newest values to all that is derived
//   from it. It is called as often as a value was staged; what is too much does nothing.
// - `close()` says that nothing will be written any more. It may be called on any thread, also from a `deinit`. Values
//   stay readable, and observers stay registered; streams end.
//
// Stage and deliver on the owner's actor. From the first staged value until the last one is delivered the actor is inside
// the realm, so each `stage` that returned true has to be followed by a `deliverNext` before control is given back.

/// What an input has yet to deliver.
struct Delivery {
  /// The connections below that the staged values have reached.
  var reached = ReachedList()
  /// The newest value is not delivered.
  var isUndelivered = false
  /// How many values before the newest are not delivered.
  var waitingCount = 0
  /// Values are being delivered, by a caller that continues until there is none left.
  var isBusy = false
  /// The realm was entered for this input.
  var isInside = false
  /// The first input of the batch that keeps its value for this input in the node; not counted, only compared.
  var batch: Reference<GraphNode>?
  /// The next input of that batch, counted.
  var nextInBatch: Reference<GraphNode>?
  /// That batch is the one who is busy.
  var isOfBatch = false
}

/// A node whose value is written, not derived.
@usableFromInline
final class InputNode<Value>: ValueNode<Value> {
  @usableFromInline
  struct Written {
    /// Staged values that are not the newest any more, with the last observer that each is for; nil when it was taken.
    @usableFromInline var waiting: [(value: Value, audience: Int)?] = []
    var takenCount = 0

    /// What a batch will write.
    @usableFromInline var draft: Value?

    @inlinable
    init() {}
  }

  // Justified: see `ValueNode.values`.
  @exclusivity(unchecked) @usableFromInline var written = Written()

  @inlinable
  init(_ value: Value, isEqual: Equality?, isConstant: Bool = false) {
    super.init(
      input: value, isEqual: isEqual, openness: isConstant ? nil : Openness(),
      advanceDraft: { unsafeDowncast($0, to: InputNode.self).advanceDraft() })
  }

  /// Makes the value visible to readers.
  ///
  /// - Returns: False if it is equal to the present one, so that there is nothing to deliver.
  @inlinable
  func stage(_ value: Value) -> Bool {
    if let isEqual, isEqual(current, value) { return false }
    put(value)
    return true
  }

  @inlinable
  func put(_ value: Value) {
    // Released when everything is in order: it may be an object of the user's.
    let former = values.current
    values.current = value
    switch beginStaging() {
    case .isOver: break
    case .isTold: values.told = former
    case .waits(let audience): if let former { written.waiting.append((former, audience)) }
    }
    endStaging()
    withExtendedLifetime(former) {}
  }

  /// Writes, and reports before it returns, unless this input is being reported at the moment.
  @inlinable
  func write(_ value: Value) {
    if stage(value) { deliver() }
  }

  override func takeWaiting() -> Int {
    guard let next = written.waiting[written.takenCount].take() else { return 0 }
    written.takenCount += 1
    if written.takenCount == written.waiting.count {
      written.waiting.removeAll(keepingCapacity: written.takenCount < 64)
      written.takenCount = 0
    }
    let former = values.told
    values.told = next.value
    withExtendedLifetime(former) {}
    return next.audience
  }

  // MARK: Batches

  /// A value that a batch keeps itself, because another batch that is open has a value for this input.
  @usableFromInline
  final class Draft {
    @usableFromInline var value: Value?

    @inlinable
    init(_ value: Value) {
      self.value = value
    }
  }

  /// The two steps of a batch: compares the draft, and drops it if it is no change; then stages it.
  @inlinable
  func advanceDraft() {
    // Looked at before `==` is called, which may be code of the user's, and open a batch, too.
    let step = state.draftStep
    guard let draft = written.draft else { return }
    if step != .stage, let isEqual, isEqual(current, draft) { return written.draft = nil }
    if step != .compare {
      written.draft = nil
      put(draft)
    }
  }

  override func exchangeDraft(with own: AnyObject) {
    guard let own = own as? Draft else { return }
    let other = written.draft
    written.draft = own.value
    own.value = other
  }

  /// Nothing will be written any more. Any thread.
  func close() {
    openness?.close()
  }
}

extension GraphNode {
  /// What the value that is replaced by a staged one is still needed for.
  @usableFromInline
  enum Former {
    case isOver
    /// Observers are being called with it.
    case isTold
    /// Observers up to this order have yet to be called with it.
    case waits(audience: Int)
  }

  @usableFromInline
  final func beginStaging() -> Former {
    defer { state.version += 1 }
    guard let connection = state.connection else { return .isOver }
    return connection.with { former(for: $0) }
  }

  private final func former(for connection: Connection) -> Former {
    guard connection.hasObservers else { return .isOver }
    if state.delivery.isUndelivered {
      state.delivery.waitingCount += 1
      return .waits(audience: connection.state.audience)
    }
    guard connection.state.isEngaged, state.toldVersion == state.version else { return .isOver }
    state.keepsTold = true
    return .isTold
  }

  /// Marks all that depends on the staged value.
  @usableFromInline
  final func endStaging() {
    shortenWay()
    state.realm.with { $0.beginEpoch() }
    if let connection = state.connection { connection.with { mark($0) } }
  }

  @inline(__always)
  private final func mark(_ connection: Connection) {
    guard connection.isAlive else { return }
    if !state.delivery.isInside {
      state.realm.with { $0.enter() }
      state.delivery.isInside = true
    }
    // Looked at inside: another thread may have released the last holder in between.
    if connection.isAlive {
      connection.state.audience = connection.state.observers.lastOrder
      state.delivery.isUndelivered = true
      if !connection.state.dependents.isEmpty { connection.mark(into: &state.delivery.reached) }
    } else {
      leaveIfDelivered()
    }
  }

  // MARK: Batches

  /// Compares what a batch is to write, or stages it.
  ///
  /// - Parameter own: What the batch keeps itself; nil where this node keeps it.
  final func advanceDraft(_ own: AnyObject?, _ step: DraftStep) {
    if let own { exchangeDraft(with: own) }
    state.draftStep = step
    compute(self)
    if let own { exchangeDraft(with: own) }
  }

  /// The batch has been reported.
  ///
  /// - Returns: The next input of the batch, which the caller has to release.
  final func leaveBatch() -> Reference<GraphNode>? {
    state.delivery.batch = nil
    state.delivery.isOfBatch = false
    return state.delivery.nextInBatch.take()
  }

  /// - Returns: Whether there is something to deliver, and no one who is at it.
  final func beginDelivery() -> Bool {
    guard state.delivery.isUndelivered, !state.delivery.isBusy else { return false }
    guard !state.realm.with({ $0.isPulling }) else {
      realm.postpone(self)
      return false
    }
    state.delivery.isBusy = true
    return true
  }

  // MARK: Delivering

  /// Delivers all that is staged, unless that is being done.
  @usableFromInline
  final func deliver() {
    guard beginDelivery() else { return }
    while state.delivery.isUndelivered { deliverOne() }
    state.delivery.isBusy = false
  }

  /// Delivers the oldest value that was staged and not delivered, if there is one.
  @usableFromInline
  final func deliverNext() {
    guard state.delivery.isUndelivered else { return }
    guard !realm.isPulling else { return realm.postpone(self) }
    deliverOne()
  }

  @inline(__always)
  private final func deliverOne() {
    assert(!realm.isPulling, "What is written during a pull is delivered after it.")
    Round.run(takeReached())
    leaveIfDelivered()
  }

  /// Makes the next staged value the one that is reported.
  ///
  /// - Returns: The connections to be reported now, the input's own first.
  final func takeReached() -> ReachedList {
    var reached = ReachedList()
    swap(&reached, &state.delivery.reached)
    if let connection = state.connection { connection.with { takeNews(of: $0, into: &reached) } }
    return reached
  }

  private final func takeNews(of connection: Connection, into reached: inout ReachedList) {
    if state.delivery.waitingCount == 0 {
      state.delivery.isUndelivered = false
      noteTold()
      connection.state.newsAudience = connection.state.audience
    } else {
      state.delivery.waitingCount -= 1
      state.keepsTold = true
      connection.state.newsAudience = takeWaiting()
    }
    if connection.hasObservers {
      connection.state.hasNews = true
      reached.insertFirst(connection)
    }
  }

  @inline(__always)
  final func leaveIfDelivered() {
    guard !state.delivery.isUndelivered, state.delivery.isInside else { return }
    state.delivery.isInside = false
    if !state.realm.with({ $0.leaveAtOnce() }) { realm.leave() }
  }
}
