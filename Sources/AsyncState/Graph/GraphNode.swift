// SPDX-License-Identifier: MIT
// The graph of observed values
//
// A node holds its sources and the closure that computes its value from theirs. Sources have lists of the nodes that are
// derived from them, and do not hold these (Downstream.swift): a node lives as long as a handle, an observer or a node below
// holds it.
//
// A change runs in three steps. It *marks* all nodes that are derived from the input as outdated, and collects the observed
// ones, without running user code. A round then *pulls* the collected nodes up to date; each transform runs at most once. Only
// then are the observers called. So no observer sees a mixed value, and a value without observers is not computed.
//
// All of this happens on the actor that owns the values. Handles, tokens and inputs may be released on any thread:
// Observer.swift describes how.
//
// Invariants:
// - a node that is not outdated is on the lists of its sources, and these are not outdated either;
// - an outdated node with observers is on the list of an input, or belongs to a round that checks it again.
//
// Nothing here depends on the type of a value, and nothing recurses: marking, pulling and releasing are loops, so a chain may
// be as deep as memory allows. Work that depends on a type is a closure, made where the type is known.

/// A place in the graph of observed values, whatever the type of its value.
@usableFromInline
class GraphNode {
  /// The place of a node on its way up to date.
  enum Pull: UInt8 {
    case idle, first, second, computing
  }

  struct State {
    var pull = Pull.idle
    /// The sources' versions that the value was computed from.
    var seenFirst = -1
    var seenSecond = -1
    /// The node to return to when a pull has brought this one up to date.
    // Justified: each node on this way is held by the one below, the first by the caller.
    var below: Uncounted<GraphNode>?
    var group: PullGroup

    /// Counts the changes of the value.
    var version = 0
    /// The version that observers are called with: the present one, but for an input that reports an older value.
    var reportedVersion = 0
    /// The version that observers were called with last.
    var deliveredVersion = -1
    /// The deliveries that an input has yet to make.
    var delivery = InputDelivery()
  }

  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while user code runs. Noticed: every test, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  final var state: State

  /// The sources of the value; nil for an input.
  // Justified: counted once, until `deinit` takes it out. A pull visits it without counting.
  final let recipe: Uncounted<Recipe>?

  final let downstream = Downstream()

  /// A node that is derived from others.
  init(
    first: GraphNode, second: GraphNode?, choose: ((GraphNode) -> GraphNode)?,
    compute: @escaping (GraphNode, GraphNode, GraphNode) -> Void
  ) {
    if let second { PullGroup.merge(first.group, second.group) }
    state = State(group: first.group)
    recipe = Uncounted(keeping: Recipe(first: first, second: second, choose: choose, compute: compute))
    downstream.state.isOutdated = true
  }

  /// A node that is written.
  init() {
    state = State(group: PullGroup())
    recipe = nil
  }

  deinit {
    downstream.nodeIsReleased()
    if let recipe { Recipe.release(recipe) }
  }

  /// True if a value that this one is derived from is being requested: that of data.
  final var isBeingRequested: Bool {
    var nodes = [self], seen: Set<ObjectIdentifier> = []
    while let node = nodes.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      if node.isOfRequest { return true }
      node.recipe?.visit { recipe in
        for source in [recipe.first, recipe.second] { source?.visit { nodes.append($0) } }
      }
    }
    return false
  }

  // MARK: Work of the typed node

  /// True if it is the state of something that is being requested.
  var isOfRequest: Bool { false }

  /// Takes the oldest waiting value, to be reported.
  func takeWaiting() {}

  /// Drops the value that was reported and is not needed any more.
  func dropOlder() {}

  /// Does a step of a batch with its draft for this node.
  func advance(_ batch: Int, _ step: BatchStep) {}
}

// MARK: - The sources of a value

/// The sources of a derived value, and the closures that compute it.
///
/// An object of its own, because a closure in a variable is retained for each call, and because a chain of nodes is released
/// through their recipes.
final class Recipe {
  // Justified: counting the objects that a pull visits takes longer than all else that it does. Each is counted once, from the
  // time it is stored until it is taken out, and the recipe's node holds it until then. Noticed: every test, because debug
  // builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  fileprivate(set) var first: Uncounted<GraphNode>?
  /// The second source, or the one that is followed at present; nil if there is only one.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  fileprivate(set) var second: Uncounted<GraphNode>?

  /// Computes the value from those of the sources, and sets it if it is different. Called with the node and its sources; a node
  /// with one source is called with it twice.
  let compute: (GraphNode, GraphNode, GraphNode) -> Void

  /// Returns the second source for the first one; nil if the second source is always the same.
  let choose: ((GraphNode) -> GraphNode)?

  /// True if there is one source, and it is always the same.
  let hasOneSource: Bool

  init(
    first: GraphNode, second: GraphNode?, choose: ((GraphNode) -> GraphNode)?,
    compute: @escaping (GraphNode, GraphNode, GraphNode) -> Void
  ) {
    self.first = Uncounted(keeping: first)
    self.second = second.map { Uncounted(keeping: $0) }
    self.choose = choose
    self.compute = compute
    hasOneSource = second == nil && choose == nil
  }

  deinit {
    first?.release()
    second?.release()
  }

  /// - Returns: The previous second source.
  func follow(_ source: GraphNode) -> GraphNode? {
    let former = second
    second = Uncounted(keeping: source)
    return former?.take()
  }

  /// Releases the recipe of a node that is being released, and those of the sources that are released with it.
  ///
  /// A loop, since one release inside another would take a stack as long as the chain. A recipe is kept while its node
  /// is released. If nothing else has a reference to it then, the node has been released, and the recipe is the next.
  fileprivate static func release(_ recipe: Uncounted<Recipe>) {
    var released = [recipe.take()]
    while var recipe = released.popLast() {
      guard isKnownUniquelyReferenced(&recipe) else { continue }
      for source in [recipe.first.take(), recipe.second.take()] {
        guard let source else { continue }
        if let next = source.visit({ $0.recipe?.object }) { released.append(next) }
        source.release()
      }
    }
  }
}

// MARK: - Lists of the sources

extension GraphNode {
  /// Adds this to the lists of its sources, which mark it when they change.
  @inline(__always)
  final func enlist(_ recipe: Recipe) {
    if downstream.state.first == nil, let first = recipe.first {
      downstream.state.first = enlist(in: first)
    }
    if downstream.state.second == nil, let second = recipe.second {
      downstream.state.second = enlist(in: second)
    }
  }

  private final func enlist(in source: Uncounted<GraphNode>) -> ObjectIdentifier {
    source.visit { source in
      source.downstream.add(downstream)
      return ObjectIdentifier(source.downstream)
    }
  }
}
