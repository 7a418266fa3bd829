// SPDX-License-Identifier: MIT
import Synchronization

/// The part of a node that exists while it is observed, directly or through values that are derived from it.
///
/// Its holders are the observers of the node and the connections of the nodes below. It holds its node, and the
/// connections of the node's sources; each of these has it on its list. So changes find their way down, and an observer
/// keeps all that is above alive. When the last holder is released it is dead for ever; a node that is observed again
/// gets a new one.
final class Connection: Link {
  enum Holder: Int64 {
    case observer = 1
    case dependent = 0x1_0000_0000
  }

  /// Observers in the lower half, dependents in the upper. Zero is final.
  private let holders: Atomic<Int64>

  /// What only the owner's actor touches while the connection is alive, and only the releasing thread afterwards.
  struct State: ~Copyable {
    /// Counted; nil when it was dismantled.
    var node: Reference<GraphNode>?
    /// The connections of the node's sources, one hold each.
    var first: Connection?
    var second: Connection?

    var dependents = LinkList<Connection>()
    var observers = LinkList<Observer>()
    /// How many entries of dependents may be obsolete, because these follow another source by now.
    var leaverCount = 0
    /// The last walk that came here: see `removeLeavers()` and `Realm.renewStreams()`.
    var walk = 0

    /// A source may have changed since the value was computed.
    var isDirty = true
    /// On the list of an input: a staged value has reached it, and is not delivered yet.
    var isReached = false
    /// On the list of a round that runs, which is the one to call its observers.
    var isEngaged = false
    /// Another round reached it while it was engaged: the round that has it looks at it once more.
    var isAwaited = false
    /// The observers up to `newsAudience` are to be called with the value of the node's `reportedVersion`.
    var hasNews = false
    /// Some observers began with a newer value than the others have been called with.
    var hasLatecomers = false
    /// Some observers are not called for the present news.
    var hasExcused = false
    /// Some observers are called before anything is brought up to date.
    var hasEarlyObservers = false
    /// Observers up to this order may be called for the change that was marked last; later ones joined after it.
    var audience = 0
    var newsAudience = 0

    // A change links what it reaches, so that it allocates nothing. These lists are not counted: they exist only inside,
    // where no connection is freed.
    var nextInMark: Reference<Connection>?
    var nextReached: Reference<Connection>?
    var nextInRound: Reference<Connection>?
  }

  // Justified: checking the exclusivity of each access takes a third of a write. No access is open while code of the
  // user's runs. Debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var state: State

  private init(_ node: GraphNode, for holder: Holder) {
    holders = Atomic(holder.rawValue)
    state = State(node: Reference(counting: node))
    super.init(realm: node.realm)
  }

  // MARK: Holders

  var isAlive: Bool { holders.load(ordering: .relaxed) != 0 }

  var hasObservers: Bool { holders.load(ordering: .relaxed) & Self.observerMask != 0 }

  var hasOneObserver: Bool { holders.load(ordering: .relaxed) & Self.observerMask == 1 }

  private static let observerMask = Holder.dependent.rawValue - 1

  private func tryHold(_ holder: Holder) -> Bool {
    var count = holders.load(ordering: .relaxed)
    while count != 0 {
      let (done, found) = holders.compareExchange(
        expected: count, desired: count + holder.rawValue, ordering: .acquiringAndReleasing)
      if done { return true }
      count = found
    }
    return false
  }

  /// Any thread.
  ///
  /// - Returns: Whether that was the last holder, so that the caller has to retire the connection.
  func release(_ holder: Holder) -> Bool {
    holders.subtract(holder.rawValue, ordering: .acquiringAndReleasing).newValue == 0
  }

  override func dismantle() -> (first: Link?, second: Link?) {
    assert(!isAlive, "Only what is dead is dismantled.")
    let former = (node: state.node.take(), first: state.first.take(), second: state.second.take())
    forgetRealm()
    // All that is left on the lists is dead, and empty or about to be. A chain of lists is taken apart link by link.
    state.dependents.removeAll()
    state.observers.removeAll()
    let first = former.first.flatMap { $0.release(.dependent) ? $0 : nil }
    let second = former.second.flatMap { $0.release(.dependent) ? $0 : nil }
    // Code of the user's may run here, when everything is in order again.
    if let node = former.node { Disposal.release(node) }
    return (first, second)
  }

  // MARK: Connecting; the owner's actor only

  /// Holds the connection of a node, and makes it, and those of all that the node is derived from, if there is none.
  static func hold(_ node: GraphNode, for holder: Holder) -> Connection {
    var unconnected: [Connection] = []
    func connection(of node: GraphNode, for holder: Holder) -> Connection {
      if let present = node.state.connection?.object, present.tryHold(holder) { return present }
      let new = Connection(node, for: holder)
      let former = node.state.connection
      node.state.connection = Reference(counting: new)
      former?.release()
      if node.state.first != nil { unconnected.append(new) }
      return new
    }
    let connected = connection(of: node, for: holder)
    while let next = unconnected.popLast(), let node = next.state.node?.object {
      if let source = node.state.first?.object {
        next.state.first = connection(of: source, for: .dependent).adding(next)
      }
      if let source = node.state.second?.object {
        let second = connection(of: source, for: .dependent)
        next.state.second = second === next.state.first ? second : second.adding(next)
      }
    }
    return connected
  }

  private func adding(_ dependent: Connection) -> Connection {
    state.dependents.prune { $0.isAlive }
    state.dependents.append(dependent)
    return self
  }

  /// Removes the dependents that follow another source by now, and what is there twice because it has come back: all at
  /// once, because many may leave in one change. Only called inside.
  private func removeLeavers() {
    state.leaverCount = 0
    guard let walk = realm?.beginWalk() else { return }
    state.dependents.keep { dependent in
      guard dependent.isAlive, dependent.state.first === self || dependent.state.second === self else { return false }
      defer { dependent.state.walk = walk }
      return dependent.state.walk != walk
    }
  }

  /// Follows another second source. Only called inside, and while this is alive.
  func follow(_ source: GraphNode) {
    // The new one first: what both have in common stays connected, and computed.
    let former = state.second
    let new = Self.hold(source, for: .dependent)
    // Not at each one: then a change in which half of all leave what the others come to would take quadratic time.
    if new.state.leaverCount * 2 > new.state.dependents.count { new.removeLeavers() }
    state.second = new === state.first ? new : new.adding(self)
    if let former {
      if former !== state.first { former.state.leaverCount += 1 }
      if former.release(.dependent) { Realm.retire(former) }
    }
  }

  func add(_ observer: Observer) {
    // What is being called may be on the list; outside, nothing is.
    if realm?.isInside == false { state.observers.prune { $0.isLive } }
    state.observers.append(observer)
  }

  // MARK: Marking; the owner's actor only, inside

  /// Marks all that depends on this connection as dirty, and adds what of it is observed to the list.
  func mark(into reached: inout ReachedList) {
    // Those whose dependents are still to be marked.
    var next: Reference<Connection>? = Reference(notCounting: self)
    while let connection = next {
      connection.with { connection in
        next = connection.state.nextInMark
        if connection.state.leaverCount > 0 { connection.removeLeavers() }
        var index = 0
        while index < connection.state.dependents.count {
          let dependent = connection.state.dependents[index]
          index += 1
          guard dependent.with({ $0.markSelf(into: &reached) }) else { continue }
          dependent.with { $0.state.nextInMark = next }
          next = dependent
        }
      }
    }
  }

  /// - Returns: Whether the dependents are to be marked, too.
  @inline(__always)
  private func markSelf(into reached: inout ReachedList) -> Bool {
    let count = holders.load(ordering: .relaxed)
    guard count != 0, !state.isDirty else { return false }
    state.isDirty = true
    if count & Self.observerMask != 0 {
      state.audience = state.observers.lastOrder
      reached.append(self)
    }
    return !state.dependents.isEmpty
  }
}

/// The observed connections that a change has reached. It is only used inside, where none of them is freed.
struct ReachedList {
  private(set) var first: Reference<Connection>?
  private var last: Reference<Connection>?
  /// Some of them have early observers.
  private(set) var hasEarlyObservers = false

  mutating func append(_ connection: Connection) {
    guard !connection.state.isReached else { return }
    connection.state.isReached = true
    connection.state.nextReached = nil
    if connection.state.hasEarlyObservers { hasEarlyObservers = true }
    let link = Reference(notCounting: connection)
    if let last { last.with { $0.state.nextReached = link } } else { first = link }
    last = link
  }

  mutating func insertFirst(_ connection: Connection) {
    guard !connection.state.isReached else { return }
    connection.state.isReached = true
    connection.state.nextReached = first
    if connection.state.hasEarlyObservers { hasEarlyObservers = true }
    first = Reference(notCounting: connection)
    if last == nil { last = first }
  }

  mutating func append(_ list: ReachedList) {
    guard let head = list.first else { return }
    if list.hasEarlyObservers { hasEarlyObservers = true }
    if let last { last.with { $0.state.nextReached = head } } else { first = head }
    last = list.last
  }
}
