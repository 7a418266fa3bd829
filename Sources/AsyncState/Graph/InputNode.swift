// SPDX-License-Identifier: MIT
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
  /// For each value before the newest that is not delivered, the last observer that it is for.
  var audiences: [Int] = []
  /// How many of these were taken.
  var takenCount = 0
  var turn = DeliveryTurn.free
  /// The turn between deliveries.
  var rest = DeliveryTurn.free
  /// The realm was entered for this input.
  var isInside = false
  /// Waits until the pull ends that wrote it.
  var isPostponed = false
  /// The first input of the batch that keeps its value for this input in the node; not counted, only compared.
  var batch: Reference<GraphNode>?
  /// The next input of that batch, counted.
  var nextInBatch: Reference<GraphNode>?
  /// That batch is the one who is busy.
  var isOfBatch = false
}

/// Whether an input or data may deliver a change at once.
enum DeliveryTurn: UInt8 {
  case free
  /// A journal records the changes, which takes a way of its own: so the usual one need not look for a journal.
  case recorded
  /// Values are being delivered, by a caller that continues until there is none left.
  case busy
}

/// A node whose value is written, not derived.
@usableFromInline
final class InputNode<Value>: ValueNode<Value> {
  /// What a batch will write; after that, what it has replaced.
  // Justified: see `ValueNode.current`.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var draft: Value?

  /// Staged values that are not the newest any more; nil when one was taken.
  private var waiting: [Value?] = []

  /// Does a step of a batch with the draft.
  private let advance: (InputNode, DraftStep) -> Void

  @inlinable
  convenience init(_ value: Value, isEqual: ((Value, Value) -> Bool)?, isConstant: Bool = false) {
    self.init(value, isEqual: isEqual, isConstant: isConstant) { node, step in
      // Held here: a value that leaves its place is released when the step is done.
      guard let draft = node.draft else { return }
      switch step {
      case .compare: if let isEqual = node.isEqual, isEqual(node.present, draft) { node.draft = nil }
      case .stage:
        node.draft = node.current
        node.set(draft)
      case .release: node.draft = nil
      case .write:
        node.draft = nil
        _ = node.stage(draft)
      }
    }
  }

  @usableFromInline
  init(
    _ value: Value, isEqual: ((Value, Value) -> Bool)?, isConstant: Bool,
    advance: @escaping (InputNode, DraftStep) -> Void
  ) {
    self.advance = advance
    super.init(value, isEqual: isEqual, openness: isConstant ? nil : Openness())
  }

  /// Makes the value visible to readers.
  ///
  /// - Returns: False if it is equal to the present one, so that there is nothing to deliver.
  @inlinable
  func stage(_ value: Value) -> Bool {
    // A closure that is bound to a name is retained for the call.
    if isEqual?(present, value) == true { return false }
    set(value)
    return true
  }

  override func keepWaiting(_ former: Value) {
    waiting.append(former)
  }

  override func reportWaiting(at index: Int, isLast: Bool) {
    let former = reported
    reported = waiting[index].take()
    if isLast { waiting.removeAll(keepingCapacity: index < 64) }
    withExtendedLifetime(former) {}
  }

  // MARK: Batches

  override func advanceDraft(_ step: DraftStep) {
    advance(self, step)
  }

  override func exchangeDraft(with other: GraphNode) {
    guard let other = other as? InputNode else { return }
    swap(&draft, &other.draft)
  }

  /// Nothing will be written any more. Any thread.
  func close() {
    openness?.close()
  }
}

extension GraphNode {
  /// Notes what the replaced value is still needed for, and marks all that depends on the staged value.
  ///
  /// - Returns: Whether the former value is to be kept.
  @inline(never)
  final func noteStaged(keepsReplaced: Bool) -> Bool {
    state.former = .isOver
    shortenWay()
    state.realm.with { $0.beginEpoch() }
    if let connection = state.connection { connection.with { mark($0) } }
    state.version &+= 1
    return state.former != .isOver || keepsReplaced && state.realm.with { $0.isPulling }
  }

  @inline(__always)
  private final func mark(_ connection: Connection) {
    guard connection.isAlive else { return }
    if !state.delivery.isInside {
      state.realm.with { $0.enter() }
      state.delivery.isInside = true
    }
    // Looked at inside: another thread may have released the last holder in between. The delivery leaves then.
    guard connection.isAlive else { return }
    if connection.hasObservers {
      noteFormer(for: connection)
      connection.state.audience = connection.state.observers.lastOrder
    }
    state.delivery.isUndelivered = true
    if !connection.state.dependents.isEmpty { connection.mark(into: &state.delivery.reached) }
  }

  private final func noteFormer(for connection: Connection) {
    if state.delivery.isUndelivered {
      state.delivery.audiences.append(connection.state.audience)
      state.former = .waits
    } else if connection.state.isEngaged, state.reportedVersion == state.version {
      state.keepsReported = true
      state.former = .isReported
    }
  }

  // MARK: Batches

  /// Does a step of a batch that keeps the draft for this in another place.
  final func advanceDraft(from place: GraphNode, _ step: DraftStep) {
    exchangeDraft(with: place)
    advanceDraft(step)
    exchangeDraft(with: place)
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
    guard state.delivery.turn == .free, isDue() else { return false }
    state.delivery.turn = .busy
    return true
  }

  /// The delivery is over.
  final func endDelivery() {
    state.delivery.turn = state.delivery.rest
  }

  /// - Returns: Whether there is something to deliver at once.
  final func isDue() -> Bool {
    guard state.delivery.isUndelivered else {
      leaveIfDelivered()
      return false
    }
    guard !state.realm.with({ $0.isPulling }) else {
      realm.postpone(self)
      return false
    }
    return true
  }

  // MARK: Delivering

  /// Delivers all that is staged, unless that is being done.
  @usableFromInline
  final func deliver() {
    guard beginDelivery() else {
      deliverRecorded()
      return callEarlyObservers()
    }
    while state.delivery.isUndelivered { deliverOne() }
    endDelivery()
  }

  /// Delivers the oldest value that was staged and not delivered, if there is one.
  @usableFromInline
  final func deliverNext() {
    if isDue() { deliverOne() }
  }

  @inline(__always)
  final func deliverOne() {
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
    if connection.hasObservers {
      connection.state.hasNews = true
      reached.insertFirst(connection)
    }
    // Last, what may release a value of the user's.
    if state.delivery.audiences.isEmpty {
      state.delivery.isUndelivered = false
      connection.state.newsAudience = connection.state.audience
      noteReported()
    } else {
      takeWaiting(for: connection)
    }
  }

  private final func takeWaiting(for connection: Connection) {
    let index = state.delivery.takenCount
    let isLast = index + 1 == state.delivery.audiences.count
    connection.state.newsAudience = state.delivery.audiences[index]
    state.keepsReported = true
    if isLast {
      state.delivery.audiences.removeAll(keepingCapacity: index < 64)
      state.delivery.takenCount = 0
    } else {
      state.delivery.takenCount = index + 1
    }
    reportWaiting(at: index, isLast: isLast)
  }

  @inline(__always)
  final func leaveIfDelivered() {
    guard !state.delivery.isUndelivered, state.delivery.isInside else { return }
    state.delivery.isInside = false
    if !state.realm.with({ $0.leaveAtOnce() }) { realm.leave() }
  }
}
