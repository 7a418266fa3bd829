// SPDX-License-Identifier: MIT
import Synchronization

/// The nodes that are derived from a node, and its observers.
///
/// An object of its own, because a node is not kept alive by its sources: these hold this instead. The node itself is reached
/// through its observers, which hold it.
final class Downstream {
  struct State {
    /// The nodes that are derived from this one. Some nodes may have been released, or follow another source since then.
    var dependents: [Downstream] = []
    /// The sources that have this on their lists.
    var first: ObjectIdentifier?
    var second: ObjectIdentifier?

    /// A source may have changed since the value was computed.
    var isOutdated = false
    /// The next on the list of marked nodes whose dependents are still to be marked.
    // Justified: the lists of the sources hold the marked nodes, and do not change during the marking.
    var nextMarked: Uncounted<Downstream>?

    /// In the order of registration. Some may have ended.
    var observers: [Observer] = []
    /// True if observers were added while others were called, when places must stay where they are.
    var hasNewObservers = false
    /// True if some observers are called before any value is brought up to date.
    var hasEarlyObservers = false

    /// True while this is on the list of an input: a staged value has reached it, and is not delivered yet.
    var isReached = false
    /// The node, while it belongs to a round that runs.
    // Justified: its observers hold it, and none of these is released before the round ends.
    var node: Uncounted<GraphNode>?
    /// Another round has reached it: the round that it belongs to checks it once more.
    var isAwaited = false
  }

  // Justified: see `GraphNode.state`.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var state = State()

  let gate = ObserverGate()

  // Justified: set once, when the node is released. A reader that is too early finds an observer that the node's gate keeps.
  // Noticed: `graph` of `Tests/Stress`.
  private let isNodeReleased = Atomic(false)

  deinit {
    // A loop, since one release inside another would take a stack as long as the chain.
    var released = state.dependents
    state.dependents = []
    while var next = released.popLast() {
      guard isKnownUniquelyReferenced(&next) else { continue }
      released += next.state.dependents
      next.state.dependents = []
    }
  }

  @inline(__always)
  var hasObservers: Bool { gate.hasObservers }

  /// Any thread.
  func nodeIsReleased() {
    isNodeReleased.store(true, ordering: .relaxed)
  }

  // MARK: Marking

  /// Marks everything that is derived from this as outdated, and adds the observed nodes of it to the list. No user code runs.
  func markDependents(into reached: inout ReachedNodes) {
    var marked: Uncounted<Downstream>?
    markNext(&marked, &reached)
    while let next = marked {
      next.visit {
        marked = $0.state.nextMarked
        $0.markNext(&marked, &reached)
      }
    }
  }

  /// Marks the nodes that are directly derived from this.
  ///
  /// - Parameter marked: Marked nodes whose dependents are still to be marked: a list through the nodes.
  @inline(__always)
  private func markNext(_ marked: inout Uncounted<Downstream>?, _ reached: inout ReachedNodes) {
    for place in state.dependents.indices {
      let dependent = Uncounted(state.dependents[place])
      dependent.visit {
        guard !$0.state.isOutdated else { return }
        $0.state.isOutdated = true
        if $0.hasObservers { reached.add($0) }
        if $0.state.dependents.isEmpty { return }
        $0.state.nextMarked = marked
        marked = dependent
      }
    }
  }

  // MARK: Dependents

  /// Adds a node that is marked when this changes.
  func add(_ dependent: Downstream) {
    if state.dependents.count == state.dependents.capacity { prune() }
    state.dependents.append(dependent)
  }

  /// Removes entries if many were released, follow another source, or are there twice because they follow this one again.
  @inline(never)
  private func prune() {
    guard state.dependents.count >= 8 else { return }
    var seen: Set<ObjectIdentifier> = []
    var kept = state.dependents.filter { follows($0) && seen.insert(ObjectIdentifier($0)).inserted }
    kept.reserveCapacity(2 * kept.count)
    state.dependents = kept
  }

  func follows(_ dependent: Downstream) -> Bool {
    let own = ObjectIdentifier(self)
    return !dependent.isNodeReleased.load(ordering: .relaxed)
      && (dependent.state.first == own || dependent.state.second == own)
  }

  // MARK: Observers

  func add(_ observer: Observer) {
    // While the observers are called, places must stay where they are.
    state.hasNewObservers = gate.isOpen
    state.observers.append(observer) { [isOpen = gate.isOpen] in !isOpen && $0.isOver }
  }

  /// Closes the observers after their use. Observations that have ended since the opening are released.
  func close() {
    if gate.close() {
      if state.hasNewObservers, !gate.isOpen { removeEndedObservers() }
    } else {
      closeAfterEnds()
    }
  }

  @inline(never)
  private func closeAfterEnds() {
    var ended: [Observer] = []
    repeat {
      for observer in state.observers where observer.takeOver() { ended.append(observer) }
    } while !gate.close()
    for observer in ended { observer.releaseReaction() }
    removeEndedObservers()
  }

  @inline(never)
  private func removeEndedObservers() {
    state.hasNewObservers = false
    state.observers.removeAll { $0.isOver }
  }
}

/// The observed nodes that a change has reached, each once.
struct ReachedNodes {
  /// The first of them. Most changes reach no other: they take no list.
  private(set) var first: Downstream?
  private(set) var others: [Downstream] = []

  var hasRoom: Bool { others.capacity > 0 }

  mutating func add(_ node: Downstream) {
    guard !node.state.isReached else { return }
    node.state.isReached = true
    if first == nil { first = node } else { others.append(node) }
  }

  mutating func add(_ nodes: consuming ReachedNodes) {
    guard let added = nodes.first else { return }
    others.append(added)
    others += nodes.others
  }

  /// Calls `body` with all of them in a list, and keeps the rest of that list as `others`.
  mutating func withList(_ body: (inout [Downstream]) -> Void) {
    if let first { others.insert(first, at: 0) }
    first = nil
    body(&others)
  }

  /// Removes and returns the first one.
  mutating func takeFirst() -> Downstream? { first.take() }

  /// Removes all, and keeps the room.
  mutating func removeAll() {
    first = nil
    others.removeAll(keepingCapacity: true)
  }
}
