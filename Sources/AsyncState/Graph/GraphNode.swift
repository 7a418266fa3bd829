import Synchronization

// How the graph of observed values works
//
// A node holds its sources and the closure that computes its value from theirs. That is all while nothing observes: a
// node is read, and reads its sources. While a node is observed, it and all that it is derived from have a connection
// each, which leads downward (Connection.swift).
//
// A change runs in three steps. It *marks* the connections below as dirty and links those that have observers, without
// running code of the user's. A round then *pulls* their nodes up to date; each transform runs at most once. Only then
// are the observers called. So no observer sees a mixed value, and what is not observed is not computed.
//
// Who may do what:
//
// | thread                    | what                                                                                |
// |---------------------------|-------------------------------------------------------------------------------------|
// | the owner's actor         | all reading, writing, deriving and observing                                        |
// | any thread                | releasing handles, tokens and inputs (Realm.swift, Openness.swift)                  |
//
// Invariants, on the owner's actor:
// - a connection that is clean has clean connections above it;
// - a dirty connection with observers is on the list of an input, or engaged in a round that looks at it again;
// - a value is current if its node's connection is clean, or if it was computed in the present epoch.
//
// Nothing here depends on the type of a value, and nothing recurses: marking, pulling, connecting and releasing are
// loops, so a chain may be as deep as memory allows. What depends on a type is a closure, made where the type is known.

/// A place in the graph of observed values, whatever the type of its value.
@usableFromInline
class GraphNode {
  @usableFromInline typealias Compute = (GraphNode) -> Void
  @usableFromInline typealias Choose = (GraphNode) -> GraphNode

  /// Where a node is on its way up to date.
  enum Pull: UInt8 {
    case idle, first, second, computing
  }

  @usableFromInline
  struct State {
    /// What the value is derived from: nothing, one, or two. The second of a choice is the node that it follows by now.
    /// Both are counted.
    @usableFromInline var first: Reference<GraphNode>?
    @usableFromInline var second: Reference<GraphNode>?
    /// The realm, or one that was merged into it: see `shortenWay()`. Counted.
    var realm: Reference<Realm>
    /// The latest connection, counted; it may be dead.
    var connection: Reference<Connection>?

    /// The sources' versions that the value was computed from.
    var seenFirst = -1
    var seenSecond = -1
    /// The epoch in which the value was last known to be current.
    var checkedIn = 0

    var pull = Pull.idle
    /// The way back of a pull, not counted: each node of it is held by the one below, the first by the caller.
    var below: Reference<GraphNode>?
    /// The last walk that came here: see `openInputsAbove()`.
    var walk = 0

    /// Counts the changes of this node's own value.
    @usableFromInline var version = 0
    /// The version that the observers have been called with, or are being called with.
    @usableFromInline var toldVersion = -1
    /// The value of `toldVersion` is kept, because the present one is another.
    @usableFromInline var keepsTold = false
    /// The change that is being computed will be reported at once.
    @usableFromInline var isReportedNext = false

    /// What is to be done with an input's draft.
    @usableFromInline var draftStep = DraftStep.compare

    /// What an input has yet to deliver.
    var delivery = Delivery()
  }

  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while code of the user's runs. Checked by the test run with exclusivity checking enforced.
  @exclusivity(unchecked) @usableFromInline final var state: State

  /// Computes the value from the sources' and sets it, if it is another. In an input it advances the draft of a batch.
  final let compute: Compute

  /// Gives the second source, from the first one's value; nil where the second source is always the same.
  private final let choose: Choose?

  /// Whether there is one source, and it is always the same.
  private final let hasOneSource: Bool

  final var realm: Realm { state.realm.object }

  /// Whether this can still be written; nil where it never can.
  final let openness: Openness?

  /// A node that is derived from `first` and `second`; or, from nothing, an input.
  @usableFromInline
  init(
    first: GraphNode? = nil, second: GraphNode? = nil, choose: Choose? = nil, openness: Openness? = nil,
    compute: @escaping Compute
  ) {
    let realm = first?.realm ?? Realm()
    if let second { Realm.merge(realm, second.realm) }
    state = State(
      first: first.map(Reference.init(counting:)), second: second.map(Reference.init(counting:)),
      realm: Reference(counting: realm.root))
    hasOneSource = first != nil && second == nil && choose == nil
    self.choose = choose
    self.compute = compute
    self.openness = openness
  }

  deinit {
    // A chain of nodes without another owner is released one by one, not one inside the other.
    state.connection?.release()
    state.realm.release()
    var next = state.first.take()?.taken()
    var others: [GraphNode] = []
    if let second = state.second.take() { others.append(second.taken()) }
    while true {
      while let node = Self.takeIfUnique(&next) {
        if let second = node.state.second.take() { others.append(second.taken()) }
        next = node.state.first.take()?.taken()
      }
      guard let other = others.popLast() else { return }
      next = other
    }
  }

  /// Takes a node without another owner; releases it otherwise.
  private static func takeIfUnique(_ node: inout GraphNode?) -> GraphNode? {
    guard isKnownUniquelyReferenced(&node) else {
      node = nil
      return nil
    }
    // Others who held the node may have changed it before they released it, on other threads.
    atomicMemoryFence(ordering: .acquiring)
    return node.take()
  }

  // MARK: What only the typed node can do, and what is seldom needed

  /// Makes the oldest of the staged values that are not the newest the one that is reported.
  ///
  /// - Returns: The last observer that it is for.
  func takeWaiting() -> Int { 0 }

  /// Exchanges what a batch is to write with what another batch keeps.
  func exchangeDraft(with own: AnyObject) {}

  /// The value of the version `told` is not needed any more.
  func dropTold() {}

  /// Whether the value is equal to that of the version `told`. False where values cannot be compared.
  func isEqualToTold() -> Bool { false }

  /// Whether the value is equal to one that `currentValue()` gave.
  func isEqual(to value: AnyObject) -> Bool { false }

  func currentValue() -> AnyObject? { nil }

  // MARK: Versions

  /// The value becomes another, and is not reported at once.
  ///
  /// - Returns: Whether the former one is kept: observers are being called with it, or were called with it and may be
  ///   called next when this one is another yet.
  @usableFromInline
  final func keepTold() -> Bool {
    guard isConnected else { return false }
    state.keepsTold = true
    return true
  }

  /// The observers have been called, or are called next, with the present value.
  final func noteTold() {
    state.toldVersion = state.version
    guard state.keepsTold else { return }
    state.keepsTold = false
    dropTold()
  }

  final var isConnected: Bool { state.connection?.with { $0.isAlive } == true }

  // MARK: Pulling

  /// A connected value is current while it is clean, any other in the epoch in which it was looked at.
  @inline(__always)
  private final func isCurrent(for last: GraphNode) -> Bool {
    if state.first == nil { return true }
    guard state.pull == .idle else { return false }
    if isConnected { return state.connection?.with { !$0.state.isDirty } == true }
    return state.checkedIn == last.state.realm.with { $0.epoch }
  }

  /// Brings the value up to date.
  @usableFromInline
  final func refresh() {
    if !isCurrent(for: self) { pullAll() }
  }

  /// Walks up to where values are current, and computes on the way back. Each source is read once.
  private final func pullAll() {
    shortenWay()
    state.realm.with { $0.beginPull() }
    beginPull(from: nil)
    var node = Reference(notCounting: self)
    while true {
      // Every node here is in this realm, and from here the way to its root is the shortest.
      if let source = node.with({ $0.nextSource(for: self) }) {
        source.with { $0.beginPull(from: node) }
        node = source
      } else {
        guard let below = node.with({ $0.endPull(for: self) }) else { break }
        node = below
      }
    }
    if !state.realm.with({ $0.endPullAtOnce() }) { realm.endPull() }
  }

  /// Brings the value up to date, in order to call the observers with it.
  final func pullAndReport() {
    state.isReportedNext = true
    pullAll()
    state.isReportedNext = false
  }

  /// After realms were merged, a node follows the whole path to the root once. The owner's actor only; links keep the
  /// realm that they were made in, because other threads read that.
  @inline(__always)
  final func shortenWay() {
    if state.realm.with({ $0.isMerged }) { goToRoot() }
  }

  @inline(never)
  private final func goToRoot() {
    let former = state.realm
    state.realm = Reference(counting: realm.root)
    former.release()
  }

  @inline(__always)
  private final func beginPull(from below: Reference<GraphNode>?) {
    guard state.pull == .idle else {
      fatalError(
        """
        AsyncState: an observed value depends on itself, so it has no value. A closure of `map` or `flatMap` reads or \
        chooses a value that is derived from its own result. Break the circle: derive both values from an Input.
        """)
    }
    state.pull = .first
    state.below = below
    // Before anything is computed: what a transform writes marks the connection again.
    if isConnected { state.connection?.with { $0.state.isDirty = false } }
  }

  /// - Returns: A source that has to be brought up to date before the value can be computed, if there is one left.
  @inline(__always)
  private final func nextSource(for last: GraphNode) -> Reference<GraphNode>? {
    guard hasOneSource else { return nextOfTwoSources(for: last) }
    guard state.pull == .first else { return nil }
    state.pull = .computing
    guard let first = state.first, !first.with({ $0.isCurrent(for: last) }) else { return nil }
    return first
  }

  private final func nextOfTwoSources(for last: GraphNode) -> Reference<GraphNode>? {
    if state.pull == .first {
      state.pull = .second
      if let first = state.first, !first.with({ $0.isCurrent(for: last) }) { return first }
    }
    if state.pull == .second {
      state.pull = .computing
      if let choose, let first = state.first?.with({ $0.state.version }), first != state.seenFirst {
        // Before the call: what the closure itself writes to the first source is news, and makes it choose again.
        state.seenFirst = first
        follow(choose(self))
      }
      if let second = state.second, !second.with({ $0.isCurrent(for: last) }) { return second }
    }
    return nil
  }

  /// All sources are up to date.
  ///
  /// - Returns: The node below, to go on with.
  @inline(__always)
  private final func endPull(for last: GraphNode) -> Reference<GraphNode>? {
    if noteVersions() { compute(self) }
    state.checkedIn = last.state.realm.with { $0.epoch }
    state.pull = .idle
    return state.below
  }

  /// - Returns: Whether the sources have other versions than those that the value was computed from.
  @inline(__always)
  private final func noteVersions() -> Bool {
    // With a choice, the first version was noted when the choice was made.
    let first = choose == nil ? state.first?.with { $0.state.version } ?? 0 : state.seenFirst
    let second = hasOneSource ? state.seenSecond : state.second?.with { $0.state.version } ?? 0
    guard first != state.seenFirst || second != state.seenSecond else { return false }
    state.seenFirst = first
    state.seenSecond = second
    return true
  }

  /// The choice of a second source was made.
  private final func follow(_ source: GraphNode) {
    if let second = state.second, second.refers(to: source) { return }
    Realm.merge(realm, source.realm)
    if let former = state.second { realm.keepUntilPullEnds(former) }
    state.second = Reference(counting: source)
    state.seenSecond = -1
    guard let connection = state.connection?.object else { return }
    // Another thread may release the last holder at any time: looked at inside.
    realm.enterUntilPullEnds()
    guard connection.isAlive else { return }
    connection.follow(source)
    realm.noteChoice()
  }

  // MARK: Observing

  @usableFromInline
  final func beginObserving() -> Connection {
    Connection.hold(self, for: .observer)
  }

  /// The first call was made, with the present value.
  @usableFromInline
  final func endObserving(_ connection: Connection, _ reaction: Reaction) -> Observer {
    let observer = Observer(reaction, of: connection, in: realm)
    if connection.hasOneObserver {
      noteTold()
    } else if state.first != nil, state.toldVersion != state.version, let heard = currentValue() {
      observer.held.heard = heard
      connection.state.hasLatecomers = true
    }
    connection.add(observer)
    return observer
  }
}
