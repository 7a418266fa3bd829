// SPDX-License-Identifier: MIT
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
  /// Where a node is on its way up to date.
  enum Pull: UInt8 {
    case idle, first, second, computing
  }

  struct State {
    /// What the value is derived from: nothing, one, or two. The second of a choice is the node that it follows by now.
    /// Both are counted.
    var first: Reference<GraphNode>?
    var second: Reference<GraphNode>?
    /// The closures of a derived value. Counted.
    var recipe: Reference<Recipe>?
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
    var version = 0
    /// The version that the observers have been called with, or are being called with.
    var reportedVersion = -1
    /// The value of `reportedVersion` is kept, because the present one is another.
    var keepsReported = false
    /// The change that is being computed will be reported at once.
    var isReportedNext = false
    /// What the value that was replaced last is needed for.
    var former = Former.isOver

    /// What an input has yet to deliver.
    var delivery = Delivery()
  }

  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while code of the user's runs. Debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  final var state: State

  /// Whether there is one source, and it is always the same.
  final let hasOneSource: Bool

  final var realm: Realm { state.realm.object }

  /// Whether this can still be written; nil where it never can.
  final let openness: Openness?

  /// A node that is derived from `first` and `second` as the recipe says.
  init(first: GraphNode, second: GraphNode?, recipe: Recipe) {
    let realm = first.realm
    if let second { Realm.merge(realm, second.realm) }
    state = State(
      first: Reference(counting: first), second: second.map(Reference.init(counting:)),
      recipe: Reference(counting: recipe), realm: Reference(counting: realm.root))
    hasOneSource = second == nil && recipe.choose == nil
    openness = nil
  }

  /// A node that is not derived: an input, or without an openness a constant.
  init(openness: Openness?) {
    state = State(realm: Reference(counting: Realm()))
    hasOneSource = false
    self.openness = openness
  }

  deinit {
    state.connection?.release()
    state.realm.release()
    if let recipe = state.recipe { Disposal.release(recipe) }
    if let second = state.second { Disposal.release(second) }
    if let first = state.first { Disposal.release(first) }
  }

  /// The closures that a derived value is computed with, in an object of their own: a closure in a variable is retained
  /// for each call, and the node has to decide when they are released.
  final class Recipe {
    /// Computes the value from those of the sources and sets it, if it is another. Called with the node and its sources;
    /// a node with one source is called with it twice.
    let compute: (GraphNode, GraphNode, GraphNode) -> Void

    /// Gives the second source, from the first one; nil where the second source is always the same.
    let choose: ((GraphNode) -> GraphNode)?

    init(compute: @escaping (GraphNode, GraphNode, GraphNode) -> Void, choose: ((GraphNode) -> GraphNode)?) {
      self.compute = compute
      self.choose = choose
    }
  }

  // MARK: What only the typed node can do, and what is seldom needed

  /// Makes a staged value that is not the newest the one that is reported.
  ///
  /// - Parameters:
  ///   - index: Its place among those that wait.
  ///   - isLast: No other waits, so that they can be forgotten.
  func reportWaiting(at index: Int, isLast: Bool) {}

  /// Does a step of a batch with what it is to write.
  func advanceDraft(_ step: DraftStep) {}

  /// Exchanges what a batch is to write with what another place keeps.
  func exchangeDraft(with other: GraphNode) {}

  /// The value of the version `reported` is not needed any more.
  func dropReported() {}

  /// The values that were replaced during a pull are not needed any more.
  func dropReplaced() {}

  /// Whether the value is equal to that of the version `reported`. False where values cannot be compared.
  func isEqualToReported() -> Bool { false }

  /// Whether the value is equal to one that `currentValue()` gave.
  func isEqual(to value: AnyObject) -> Bool { false }

  func currentValue() -> AnyObject? { nil }

  // MARK: Versions

  /// What a value that was replaced is still needed for.
  enum Former {
    case isOver
    /// Observers were called with it, or are being called.
    case isReported
    /// Observers have yet to be called with it.
    case waits
  }

  /// The value has become another. What the former one is needed for is noted.
  ///
  /// - Parameter keepsReplaced: The former value is also kept while a pull runs.
  /// - Returns: Whether the former value is to be kept.
  @usableFromInline
  final func noteChange(keepsReplaced: Bool) -> Bool {
    guard state.first != nil else { return noteStaged(keepsReplaced: keepsReplaced) }
    let isReported = state.version == state.reportedVersion && !state.isReportedNext && isConnected
    if isReported { state.keepsReported = true }
    state.former = isReported ? .isReported : .isOver
    state.version &+= 1
    return isReported || keepsReplaced
  }

  /// The observers have been called, or are called next, with the present value.
  final func noteReported() {
    state.reportedVersion = state.version
    guard state.keepsReported else { return }
    state.keepsReported = false
    dropReported()
  }

  final var isConnected: Bool { state.connection?.with { $0.isAlive } == true }

  // MARK: Observing

  final func beginObserving() -> Connection {
    Connection.hold(self, for: .observer)
  }

  /// The first call was made, with the present value.
  final func endObserving(_ connection: Connection, _ call: @escaping (GraphNode, Bool) -> Void) -> Observer {
    let observer = Observer(Observer.Reaction(call: call), of: connection, in: realm)
    if connection.hasOneObserver {
      noteReported()
    } else if state.first != nil, state.reportedVersion != state.version, let firstValue = currentValue() {
      observer.held.firstValue = firstValue
      connection.state.hasLatecomers = true
    }
    connection.add(observer)
    return observer
  }

  // MARK: The way to the root

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
}
