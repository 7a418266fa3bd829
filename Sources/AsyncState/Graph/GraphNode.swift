// How the graph of observed values works.
//
// Links point up while nobody observes: a derived node holds its sources and asks them when it is asked. While somebody
// observes below, links point down as well, strongly: a token holds its node, the node its sources, and each source the
// dependents that are observed. The last token to go takes the downward links with it, so nothing dangles and nothing
// has to be weak. A graph has no global state: what a change needs to know stands in the input that changed.
//
// A change runs in three steps. It *marks* what depends on it as dirty and notes which observed nodes it reached,
// without computing anything. Then a round *pulls* these nodes up to date, each transform at most once. Only then does
// it *tell* the observers. So nobody hears a mixed value, and what nobody observes is not computed.
//
// Nothing here is generic, and no method is overridden: a method of a generic class that is reached through its vtable
// is not specialised, and costs some hundred nanoseconds for finding out its types. What depends on a type is two
// closures, made where the type is known.

/// A place in the graph of observed values, whatever the type of its value.
@usableFromInline
class GraphNode {
  @usableFromInline typealias Body = (GraphNode) -> Void

  /// What the value is derived from: nothing, one, or two. The second of a choice is the node that it follows by now.
  @exclusivity(unchecked) @usableFromInline final var first: GraphNode?
  @exclusivity(unchecked) @usableFromInline final var second: GraphNode?

  /// The sources' versions that the value was computed from.
  @exclusivity(unchecked) @usableFromInline final var seenFirst = -1
  @exclusivity(unchecked) @usableFromInline final var seenSecond = -1

  /// Computes the value anew, if a source has changed.
  @usableFromInline final let update: Body

  /// Tells every observer the news, in order.
  @usableFromInline final let tell: Body

  /// The derived nodes below that somebody observes, in the order in which they were connected.
  @exclusivity(unchecked) @usableFromInline final var dependents = NodeList()

  /// Counts the changes of this node's own value.
  @exclusivity(unchecked) @usableFromInline final var version = 0

  /// The version that the observers have heard of.
  @exclusivity(unchecked) @usableFromInline final var toldVersion = 0

  /// The live observers, and those that are about to become live.
  @exclusivity(unchecked) @usableFromInline final var observerCount = 0

  /// The orders of the oldest and the newest on the list of observers: see `nextOrder()`.
  @exclusivity(unchecked) @usableFromInline final var firstOrder = 0
  @exclusivity(unchecked) @usableFromInline final var lastOrder = 0

  /// The highest order that was given to anybody who observes this node or what is derived from it.
  @exclusivity(unchecked) private final var highestOrder = 0

  /// Observers up to this order may hear of the change that was marked last; later ones joined after it.
  @exclusivity(unchecked) @usableFromInline final var audience = 0

  /// Observers up to this order hear the news.
  @exclusivity(unchecked) @usableFromInline final var newsAudience = 0

  /// The sources know of this node, and mark it when they change. An input has none, and always is.
  @exclusivity(unchecked) @usableFromInline final var isConnected: Bool

  /// This input cannot be written any more, so there is nothing to be told, and no link downward to be kept.
  @exclusivity(unchecked) @usableFromInline final var isClosed = false

  /// A source may have changed since the value was computed. Means something only while connected.
  @exclusivity(unchecked) @usableFromInline final var isDirty = false

  /// A round that runs has this node on its list, and is the one to tell its observers.
  @exclusivity(unchecked) @usableFromInline final var isEngaged = false

  /// Another round reached this node while it was engaged: the round that has it looks at it once more.
  @exclusivity(unchecked) @usableFromInline final var isAwaited = false

  /// The value has changed and the observers have not heard.
  @exclusivity(unchecked) @usableFromInline final var hasNews = false

  /// Observers have left while they could not be let go of.
  @exclusivity(unchecked) @usableFromInline final var hasLeavers = false

  /// On the list that is being collected.
  @exclusivity(unchecked) private final var isCollected = false

  /// A node that is derived from `first` and `second`; or, from nothing, an input.
  @inlinable
  init(first: GraphNode?, second: GraphNode?, update: @escaping Body, tell: @escaping Body) {
    self.first = first
    self.second = second
    self.update = update
    self.tell = tell
    isConnected = first == nil
  }

  // MARK: What only who knows the type can do, and what is done seldom

  /// Silences an observer and forgets it.
  @usableFromInline
  func removeObserver(_ order: Int) {}

  /// Tells one observer the news.
  @usableFromInline
  func tellObserver(_ order: Int) {}

  /// The orders of those who are to hear the news.
  @usableFromInline
  var listeners: [Int] { [] }

  /// Everybody has heard; lets go of what they heard.
  @usableFromInline
  func forgetNews() {}

  /// Lets go of the observers who left during the round.
  @usableFromInline
  func letGoOfLeavers() {}

  /// Takes out all observers. Whoever holds the result last lets go of what their closures hold.
  func takeObservers() -> [AnyObject] { [] }

  // MARK: Pulling

  /// Brings the value up to date. Only called while connected.
  @inlinable
  final func refresh() {
    guard isDirty else { return }
    isDirty = false
    update(self)
  }

  /// Refreshes, and notes whether there is something to tell.
  @inlinable
  final func prepareNews() {
    // What an input has to tell is set when its turn comes.
    guard observerCount > 0, first != nil else { return }
    refresh()
    guard version != toldVersion else { return }
    toldVersion = version
    newsAudience = audience
    hasNews = true
  }

  // MARK: Connecting

  @usableFromInline
  final func addDependent(_ node: GraphNode) {
    if !isClosed { dependents.append(node) }
    keepConnected()
  }

  @usableFromInline
  final func removeDependent(_ node: GraphNode) {
    dependents.remove(node)
    releaseConnection()
  }

  /// Makes the sources know of this node.
  @inlinable
  final func keepConnected() {
    if !isConnected { connect() }
  }

  @usableFromInline
  final func connect() {
    isConnected = true
    isDirty = true
    first?.addDependent(self)
    second?.addDependent(self)
  }

  /// Makes the sources forget this node, if nobody observes it any more.
  @usableFromInline
  final func releaseConnection() {
    guard isConnected, observerCount == 0, dependents.isEmpty, first != nil else { return }
    isConnected = false
    first?.removeDependent(self)
    second?.removeDependent(self)
  }

  /// Follows another second source.
  @usableFromInline
  final func choose(_ next: GraphNode) {
    guard next !== second else { return }
    let former = second
    second = next
    seenSecond = -1
    // The new one first: what both have in common stays connected, and computed.
    next.addDependent(self)
    former?.removeDependent(self)
    // Whoever registers anywhere here from now on comes after all who are connected by now.
    level(nodesAbove)
  }

  // MARK: The order of observers

  /// A new order, higher than that of any observer that has an input in common with this node; nil if nothing can
  /// change any more that this node depends on.
  ///
  /// Observers hear in the order in which they registered, across nodes. There is no global counter for that: each node
  /// keeps one, and an observer takes the highest of all above it, plus one, and leaves it in all of them.
  @usableFromInline
  final func nextOrder() -> Int? {
    let above = nodesAbove
    guard above.contains(where: { $0.isOpenInput }) else { return nil }
    return level(above, raisedBy: 1)
  }

  /// Leaves the highest order of all these nodes, plus `step`, in each of them.
  @discardableResult
  private func level(_ nodes: [GraphNode], raisedBy step: Int = 0) -> Int {
    let order = nodes.reduce(0) { max($0, $1.highestOrder) } + step
    for node in nodes { node.highestOrder = order }
    return order
  }

  // MARK: Closing

  /// Can still be written.
  private var isOpenInput: Bool { first == nil && !isClosed }

  /// No change can come any more: lets go of the links downward, and of all below that depends on nothing else. Values
  /// stay readable.
  @usableFromInline
  final func closeForGood() {
    isClosed = true
    // Closures of the user's go with these; by then everything here is in order.
    var former: [AnyObject] = []
    for node in nodesBelow where !node.nodesAbove.contains(where: { $0.isOpenInput }) {
      node.observerCount = 0
      node.dependents.removeAll()
      former += node.takeObservers()
    }
    withExtendedLifetime(former) {}
  }

  // MARK: Collecting

  /// This node and all that it is derived from, each once, however many ways lead there.
  private var nodesAbove: [GraphNode] {
    var nodes: [GraphNode] = []
    collectAbove(into: &nodes)
    for node in nodes { node.isCollected = false }
    return nodes
  }

  /// This node and all that is derived from it and observed, each once.
  private var nodesBelow: [GraphNode] {
    var nodes: [GraphNode] = []
    collectBelow(into: &nodes)
    for node in nodes { node.isCollected = false }
    return nodes
  }

  private func collectAbove(into nodes: inout [GraphNode]) {
    guard !isCollected else { return }
    isCollected = true
    nodes.append(self)
    first?.collectAbove(into: &nodes)
    second?.collectAbove(into: &nodes)
  }

  private func collectBelow(into nodes: inout [GraphNode]) {
    guard !isCollected else { return }
    isCollected = true
    nodes.append(self)
    for node in dependents.nodes { node._withUnsafeGuaranteedRef { $0.collectBelow(into: &nodes) } }
  }

  // MARK: Marking

  /// Marks all that depends on this node as dirty, and collects what of it is observed. Runs no code of the user's.
  @usableFromInline
  final func mark(into reached: inout NodeBatch) {
    var index = 0
    while index < dependents.nodes.count {
      dependents.nodes[index]._withUnsafeGuaranteedRef { $0.markSelf(into: &reached) }
      index += 1
    }
  }

  @inline(__always)
  private final func markSelf(into reached: inout NodeBatch) {
    guard !isDirty else { return }
    isDirty = true
    if observerCount > 0 {
      audience = lastOrder
      reached.append(self)
    }
    if !dependents.isEmpty { mark(into: &reached) }
  }
}
