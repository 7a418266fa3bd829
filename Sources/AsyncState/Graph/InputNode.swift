// SPDX-License-Identifier: MIT
// Writing and reporting a value
//
// An input has two halves, which `Input.write` joins and `AsyncData` takes apart:
//
// - `stage(_:)` makes the value visible to readers at once, and returns false where it is equal to the present one.
// - `deliverNext()` reports one staged value to the observers of the input, and the newest values to everything that is derived
//   from it. It is called once for each staged value; further calls do nothing.

/// The deliveries that an input has yet to make.
struct InputDelivery {
  /// The observed nodes below that the staged values have reached.
  var reached = ReachedNodes()
  /// True if the newest value is not delivered.
  var isUndelivered = false
  /// True while values are being delivered, by a caller that continues until none is left.
  var isRunning = false
  /// True from the beginning of a report to its end: early observers are called before the others have the value.
  var isReporting = false
  /// The number of values before the newest that are not delivered, and are kept for the observers.
  var waitingCount = 0
  /// An empty list with the room of the last batch that began with this input.
  var batchRoom: [GraphNode] = []
  /// True if its delivery waits for the end of the pull that wrote it.
  var isPostponed = false
  /// Records each write; nil without a journal.
  var hook: (any InputHook)?
}

/// A value that says whether it is being requested.
protocol RequestState {
  var isBeingRequested: Bool { get }
}

/// A node whose value is written, not derived.
@usableFromInline
final class InputNode<Value>: ValueNode<Value> {
  /// Staged values that are not the newest any more.
  private var waiting = WaitingLine<Value>()

  // Justified: see `ValueNode.current`.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var drafts = Drafts<Value>()

  /// Does a step of a batch with its draft. A closure, because the client's compiler specialises it.
  private let advance: (InputNode, Int, BatchStep) -> Void

  @inlinable
  convenience init(_ value: Value, isEqual: ((Value, Value) -> Bool)?) {
    self.init(value, isEqual: isEqual) { node, batch, step in
      guard let draft = step == .compare ? node.drafts[batch] : node.drafts.take(batch) else { return }
      switch step {
      case .compare: if node.isEqual?(node.present, draft) == true { node.dropDraft(of: batch) }
      case .stage: node.drafts.add(node.exchange(draft), of: batch)
      // Released here, outside of the access: user code may run.
      case .release: withExtendedLifetime(draft) {}
      case .write: _ = node.stage(draft)
      }
    }
  }

  @usableFromInline
  init(_ value: Value, isEqual: ((Value, Value) -> Bool)?, advance: @escaping (InputNode, Int, BatchStep) -> Void) {
    self.advance = advance
    super.init(written: value, isEqual: isEqual)
  }

  override var isOfRequest: Bool { (current as? any RequestState)?.isBeingRequested == true }

  /// Makes the value visible to readers.
  ///
  /// - Returns: False if it is equal to the present one, so that there is nothing to deliver.
  @inlinable
  func stage(_ value: Value) -> Bool {
    // A closure that is bound to a name is retained for the call.
    if isEqual?(present, value) == true { return false }
    // Released only here, when everything is consistent: it may be an object of the user's.
    withExtendedLifetime(exchange(value)) {}
    return true
  }

  /// - Returns: The previous value.
  @inlinable @inline(__always)
  func exchange(_ value: Value) -> Value {
    let use = noteStaged()
    var exchanged: Value? = value
    swap(&exchanged, &current)
    // An input has a value from the beginning.
    guard let former = exchanged else { return value }
    if use != .isOver { keep(former, for: use) }
    return former
  }

  @usableFromInline
  func keep(_ former: Value, for use: FormerUse) {
    switch use {
    case .isOver: break
    case .isReported: older = former
    case .waits: waiting.append(former)
    case .isComputing: keepUntilPullEnds(former)
    }
  }

  override func takeWaiting() {
    let former = older
    older = waiting.takeFirst()
    withExtendedLifetime(former) {}
  }

  // MARK: Batches

  override func advance(_ batch: Int, _ step: BatchStep) {
    advance(self, batch, step)
  }

  /// Notes a value that a batch will write.
  ///
  /// - Returns: True if it is the first value of that batch.
  @inlinable
  func setDraft(_ value: Value, of batch: Int) -> Bool {
    let former = drafts.take(batch)
    drafts.add(value, of: batch)
    return former == nil
  }

  @inlinable
  func dropDraft(of batch: Int) {
    let former = drafts.take(batch)
    withExtendedLifetime(former) {}
  }
}

/// The reasons for which a replaced value is still needed.
@usableFromInline
enum FormerUse {
  case isOver
  /// Observers are being called with it.
  case isReported
  /// Observers have yet to be called with it.
  case waits
  /// Values are being computed, and its release may run user code.
  case isComputing
}

extension GraphNode {
  /// Notes that the value is about to change, and marks everything that is derived from it.
  @usableFromInline
  final func noteStaged() -> FormerUse {
    let use = formerUse
    if use == .waits { state.delivery.waitingCount += 1 }
    // The reported version stays while an older value is reported, and if this one waits.
    let isReportedNext = use != .isReported && use != .waits && state.reportedVersion == state.version
    state.version &+= 1
    if isReportedNext { state.reportedVersion = state.version }
    state.delivery.isUndelivered = true
    if !downstream.state.dependents.isEmpty { downstream.markDependents(into: &state.delivery.reached) }
    return use
  }

  private final var formerUse: FormerUse {
    if downstream.hasObservers, state.delivery.isUndelivered { return .waits }
    if state.delivery.isReporting, downstream.hasObservers, state.reportedVersion == state.version {
      return .isReported
    }
    return isPulling ? .isComputing : .isOver
  }

  // MARK: Delivering

  /// Delivers all staged values, unless another caller does so.
  @usableFromInline
  final func deliver() {
    guard beginDelivery() else { return callEarlyObservers() }
    deliverAll()
    state.delivery.isRunning = false
  }

  @inline(__always)
  final func deliverAll() {
    while state.delivery.isUndelivered { deliverOne() }
  }

  /// - Returns: True if there is something to deliver, and no other caller delivers it.
  final func beginDelivery() -> Bool {
    state.delivery.hook?.inputWasWritten(version: state.version, waitingCount: state.delivery.waitingCount)
    guard !state.delivery.isRunning, isDue() else { return false }
    state.delivery.isRunning = true
    return true
  }

  /// - Returns: True if there is something to deliver at once.
  private final func isDue() -> Bool {
    guard state.delivery.isUndelivered else { return false }
    guard isPulling else { return true }
    if !state.delivery.isPostponed { group.postpone(self) }
    state.delivery.isPostponed = true
    return false
  }

  /// Delivers the oldest value that was staged and not delivered, if there is one.
  @usableFromInline
  final func deliverNext() {
    if isDue() { deliverOne() }
  }

  @inline(__always)
  final func deliverOne() {
    if let hook = state.delivery.hook { return deliverOne(recordedBy: hook) }
    deliverUnrecorded()
  }

  @inline(never)
  private final func deliverOne(recordedBy hook: any InputHook) {
    hook.notifying(waitingCount: state.delivery.waitingCount) { deliverUnrecorded() }
  }

  @inline(__always)
  private final func deliverUnrecorded() {
    var reached = ReachedNodes()
    beginReport(into: &reached)
    Round.run(&reached)
    endReport()
    if reached.hasRoom { reuseRoom(of: &reached) }
  }

  @inline(never)
  private final func reuseRoom(of reached: inout ReachedNodes) {
    guard state.delivery.reached.first == nil else { return }
    reached.removeAll()
    swap(&reached, &state.delivery.reached)
  }

  /// Makes the oldest staged value the one that is reported, and adds the nodes that have something to report.
  @inline(__always)
  final func beginReport(into reached: inout ReachedNodes) {
    state.delivery.isReporting = true
    if reached.first == nil { swap(&reached, &state.delivery.reached) } else { reached.add(takeReached()) }
    if state.delivery.waitingCount == 0 {
      state.delivery.isUndelivered = false
    } else {
      takeWaiting()
      state.reportedVersion = state.version - state.delivery.waitingCount
      state.delivery.waitingCount -= 1
    }
    if downstream.hasObservers { reached.add(downstream) }
  }

  private final func takeReached() -> ReachedNodes {
    var reached = ReachedNodes()
    swap(&reached, &state.delivery.reached)
    return reached
  }

  @inline(__always)
  final func endReport() {
    state.delivery.isReporting = false
    guard state.reportedVersion != state.version else { return }
    state.reportedVersion = state.version
    dropOlder()
  }
}
