// SPDX-License-Identifier: MIT
import Synchronization

// Releasing on any thread
//
// Observers belong to one actor, but their tokens and boxes may be released on any thread, also while that actor calls the
// observers. A release cannot wait, and does not know the actor. So an observation ends in two steps:
//
//   1. *Mark.* The observer's `phase` says that it has ended. This is final.
//   2. *Look.* The gate of the observed node says whether its actor is using the observers. If it is not, the reaction is
//      released at once, on this thread. If it is, the actor releases it after use.
//
// The actor opens the gate before it reads its observers, and checks each one's phase before it uses its reaction.
//
// This is right also where memory is weakly ordered (ARM): opening, closing and looking are all read-modify-write operations
// with acquire and release on one atomic, so all threads see them in one order.
// - A look is before an opening: the mark was made before the look, so it is visible to the actor, which does not touch
//   the reaction.
// - A look is after an opening and before the closing: it hands the observer over, and notes that in the gate. The
//   closing notices, and the actor releases the observers that were handed over.
// - A look is after the closing: all that the actor did with the reaction has happened before it is released.
// The first case holds because a look which changes nothing is a compare-and-exchange, not a load.
//
// A mutex in each gate takes 60 lines less and 5 % more instructions. But on Linux the thread sanitizer does not see that
// `Synchronization.Mutex` orders accesses: it would report races in every program that releases a token elsewhere.

/// One call of `observe`, which a token ends.
final class Observer {
  /// A number higher than that of every observer that was registered before, of any value.
  let order: Int

  /// The objects that are released when the observation ends.
  // Justified: the actor calls it without counting references, which would take as long as the call. It is counted here, until
  // the thread that ends the observation releases it, as described above.
  private let reaction: Uncounted<Reaction>
  private let gate: ObserverGate
  // Justified: see above: marking, looking and the gate's opening are one order. Noticed: `ReleasedElsewhereTests`, and
  // `token`, `input` and `box` of `Tests/Stress` under the thread sanitizer.
  private let phase = Atomic(Phase.live)

  private enum Phase {
    static let live: UInt8 = 0
    static let ended: UInt8 = 1
    /// The owner's actor must release the reaction.
    static let handedOver: UInt8 = 2
    static let released: UInt8 = 3
  }

  /// The count of observers of all graphs, so that those of graphs that become connected later are in order, too.
  // Justified: a counter, which orders nothing else. Noticed: the tests of 1.5.
  private static let nextOrder = Atomic(0)

  init(_ reaction: Reaction, _ gate: ObserverGate) {
    order = Self.nextOrder.add(1, ordering: .relaxed).newValue
    self.reaction = Uncounted(keeping: reaction)
    self.gate = gate
  }

  deinit {
    assert(isOver, "An observation ends before its last reference is released.")
  }

  var isLive: Bool { phase.load(ordering: .relaxed) == Phase.live }

  /// True if nothing is left to be released.
  var isOver: Bool { phase.load(ordering: .relaxed) == Phase.released }

  // MARK: The owner's actor, while the gate is open

  /// The observed node; nil if the observation has ended.
  var node: Uncounted<GraphNode>? {
    isLive ? reaction.visit { Uncounted($0.node) } : nil
  }

  /// Calls the user's closure with the value that the node reports, unless it was called with that.
  @inline(__always)
  func call() {
    if isLive { reaction.visit { $0.callIfNews() } }
  }

  /// - Returns: True if this is an early observer.
  func callEarly(in round: EarlyRound) -> Bool {
    guard isLive, let callEarly = reaction.visit({ $0.callEarly }) else { return false }
    callEarly(round)
    return true
  }

  /// - Returns: True if the caller must release the reaction.
  func takeOver() -> Bool {
    phase.compareExchange(expected: Phase.handedOver, desired: Phase.ended, ordering: .acquiringAndReleasing).exchanged
  }

  // MARK: Any thread

  /// Ends the observation. Does nothing the second time.
  func end() {
    guard phase.compareExchange(expected: Phase.live, desired: Phase.ended, ordering: .acquiringAndReleasing).exchanged
    else {
      return
    }
    gate.removeObserver()
    while !gate.isClosed() {
      phase.store(Phase.handedOver, ordering: .releasing)
      if gate.noteEnd() { return }
      // The actor has left since then, and may have released the reaction before.
      guard
        phase.compareExchange(expected: Phase.handedOver, desired: Phase.ended, ordering: .acquiringAndReleasing)
          .exchanged
      else { return }
    }
    releaseReaction()
  }

  /// Releases the reaction. Called only by the thread that ends the observation. User code may run.
  func releaseReaction() {
    let former = reaction
    phase.store(Phase.released, ordering: .releasing)
    former.release()
  }
}

/// Records whether the owner's actor is using the observers of a node.
final class ObserverGate {
  private enum Use {
    static let closed: UInt8 = 0
    static let open: UInt8 = 1
    /// Open, and some observations have ended since the opening.
    static let openWithEnded: UInt8 = 2
  }

  // Justified: see above; `count` says only whether there may be observers. Noticed: `token` of `Tests/Stress`.
  private let use = Atomic(Use.closed)
  private let count = Atomic(0)
  /// Nested uses. The owner's actor only.
  private var depth = 0

  var hasObservers: Bool { count.load(ordering: .relaxed) > 0 }

  func addObserver() {
    count.add(1, ordering: .relaxed)
  }

  // MARK: The owner's actor

  var isOpen: Bool { depth > 0 }

  func open() {
    depth += 1
    if depth == 1 { _ = use.exchange(Use.open, ordering: .acquiringAndReleasing) }
  }

  /// - Returns: False if observations have ended, so that the gate is still open.
  func close() -> Bool {
    guard depth == 1 else {
      depth -= 1
      return true
    }
    guard use.compareExchange(expected: Use.open, desired: Use.closed, ordering: .acquiringAndReleasing).exchanged
    else {
      _ = use.exchange(Use.open, ordering: .acquiringAndReleasing)
      return false
    }
    depth = 0
    return true
  }

  // MARK: Any thread

  func removeObserver() {
    count.subtract(1, ordering: .relaxed)
  }

  func isClosed() -> Bool {
    use.compareExchange(expected: Use.closed, desired: Use.closed, ordering: .acquiringAndReleasing).exchanged
  }

  /// - Returns: False if the gate is closed.
  func noteEnd() -> Bool {
    var seen = Use.open
    while seen != Use.closed {
      let (done, found) = use.compareExchange(
        expected: seen, desired: Use.openWithEnded, ordering: .acquiringAndReleasing)
      if done { return true }
      seen = found
    }
    return false
  }
}

/// The work of an observer, and the node that it keeps alive.
@usableFromInline
class Reaction {
  @usableFromInline final let node: GraphNode
  /// Calls the user's closure with the value that the node reports. Called with the reaction.
  private let call: (Reaction) -> Void
  /// Called before any value is brought up to date; nil for most.
  fileprivate let callEarly: ((EarlyRound) -> Void)?
  /// The version that the observer has been called with.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  private final var seen: Int

  init(_ node: GraphNode, seen: Int, _ call: @escaping (Reaction) -> Void, callEarly: ((EarlyRound) -> Void)?) {
    self.node = node
    self.call = call
    self.callEarly = callEarly
    self.seen = seen
  }

  @inline(__always)
  fileprivate final func callIfNews() {
    let version = node.state.reportedVersion
    let changes = version &- seen
    guard changes > 0 else { return }
    seen = version
    // After one change the value is another; after several it may be the same again.
    if changes > 1, isLastReported() { return }
    call(self)
  }

  /// True if the node reports a value that is equal to the one that the user's closure was called with.
  fileprivate func isLastReported() -> Bool { false }
}

/// A reaction with the value that the observer has been called with.
@usableFromInline
final class ValueReaction<Value>: Reaction {
  // Justified: see `GraphNode.state`. Noticed: as there.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var last: Value

  init(
    _ node: ValueNode<Value>, _ last: (value: Value, version: Int), _ call: @escaping (Reaction) -> Void,
    callEarly: ((EarlyRound) -> Void)? = nil
  ) {
    self.last = last.value
    super.init(node, seen: last.version, call, callEarly: callEarly)
  }

  fileprivate override func isLastReported() -> Bool {
    let node = ValueNode<Value>.known(node)
    return node.isEqual?(last, node.reported) == true
  }
}

/// Keeps an observation, and the values that it is derived from, alive.
///
/// The observation ends when the token is cancelled or released, also while observers are being notified: the observer is not
/// called any more. A token may be cancelled and released on any thread. On a thread other than the owner's actor's, a call
/// that is in progress ends as if it had been made before. The observer's closure is released at once on the thread that ends
/// the observation, unless the owner's actor is calling observers of the same value; then that actor releases it.
public final class ObservedToken: Sendable {
  // Justified: a token only ends its observer and reads whether it lasts. Both are atomic and safe on any thread: see
  // above. Noticed: `ReleasedElsewhereTests`, and `cancelled-token` of `Tests/Stress` under the thread sanitizer.
  private nonisolated(unsafe) let observer: Observer

  init(_ observer: Observer) {
    unsafe self.observer = observer
  }

  deinit {
    unsafe observer.end()
  }

  /// Ends the observation. Does nothing the second time.
  public func cancel() {
    unsafe observer.end()
  }
}
