// How the graph of observed values works.
//
// Links point up while nobody observes: a derived node holds its sources and asks them when it is asked. While somebody
// observes below, links point down as well, strongly: a token holds its node, the node its sources, and each source the
// dependents that are observed. The last token to go takes the downward links with it, so nothing dangles and nothing has
// to be weak. A graph has no global state: what a change needs to know stands in the input that changed.
//
// A change runs in three steps. It *marks* what depends on it as dirty and notes which observed nodes it reached, without
// computing anything. Then a `Round` *pulls* these nodes up to date, each transform at most once. Only then does it
// *tell* the observers. So nobody hears a mixed value, and what nobody observes is not computed.

/// A place in the graph of observed values, whatever the type of its value.
@usableFromInline
class GraphNode {
  /// The derived nodes below that somebody observes, in the order in which they were connected.
  @exclusivity(unchecked) @usableFromInline final var dependents: [GraphNode] = []

  /// Counts the changes of this node's own value.
  @exclusivity(unchecked) @usableFromInline final var version = 0

  /// The live observers, and those that are about to become live.
  @exclusivity(unchecked) @usableFromInline final var observerCount = 0

  /// The order of the newest observer: see `nextOrder()`.
  @exclusivity(unchecked) @usableFromInline final var lastOrder = 0

  /// The highest order that was given to anybody who observes this node or what is derived from it.
  @exclusivity(unchecked) private final var highestOrder = 0

  /// On the list that is being collected.
  @exclusivity(unchecked) private final var isCollected = false

  /// Observers up to this order may hear of the change that was marked last; later ones joined after it.
  @exclusivity(unchecked) @usableFromInline final var audience = 0

  /// The sources know of this node, and mark it when they change.
  @exclusivity(unchecked) @usableFromInline final var isConnected = false

  /// Nothing above can change any more, so there is nothing to be told, and no link downward to be kept.
  @exclusivity(unchecked) @usableFromInline final var isClosed = false

  /// A source may have changed since the value was computed. Means something only while connected.
  @exclusivity(unchecked) @usableFromInline final var isDirty = false

  /// A round that runs has this node on its list, and is the one to tell its observers.
  @exclusivity(unchecked) @usableFromInline final var isEngaged = false

  /// Another round reached this node while it was engaged: the round that has it looks at it once more.
  @exclusivity(unchecked) @usableFromInline final var isAwaited = false

  /// The value has changed and the observers have not heard.
  @exclusivity(unchecked) @usableFromInline final var hasNews = false

  /// Nothing is above, so that the value is never out of date.
  @usableFromInline let isInput: Bool

  @inlinable
  init(isInput: Bool) {
    self.isInput = isInput
    isConnected = isInput
  }

  // MARK: What each kind of node knows

  /// Brings the value up to date. Only called while connected.
  @inlinable
  func refresh() {}

  /// Calls `body` with each node that this one's value is derived from by now.
  @inlinable
  func forEachSource(_ body: (GraphNode) -> Void) {}

  /// Refreshes, and notes whether there is something to tell.
  @inlinable
  func prepareNews() {}

  /// Tells every observer the news, in order.
  @inlinable
  func tellAll() {}

  /// Tells one observer the news.
  @inlinable
  func tell(observer order: Int) {}

  /// The orders of those who are to hear the news.
  @inlinable
  var listeners: [Int] { [] }

  /// Everybody has heard; lets go of what they heard.
  @inlinable
  func forgetNews() {}

  /// Closes the gaps that observers left who went during a round.
  @inlinable
  func tidy() {}

  /// The order of the first observer, live or not.
  @inlinable
  var firstOrder: Int { 0 }

  /// Silences an observer and forgets it.
  @inlinable
  func removeObserver(_ order: Int) {}

  // MARK: Connecting

  @inlinable
  final func addDependent(_ node: GraphNode) {
    if !isClosed { dependents.append(node) }
    keepConnected()
  }

  @inlinable
  final func removeDependent(_ node: GraphNode) {
    if let index = dependents.firstIndex(where: { $0 === node }) { dependents.remove(at: index) }
    releaseConnection()
  }

  /// Makes the sources know of this node.
  @inlinable
  final func keepConnected() {
    guard !isConnected else { return }
    isConnected = true
    isDirty = true
    forEachSource { $0.addDependent(self) }
  }

  /// Makes the sources forget this node, if nobody observes it any more.
  @inlinable
  final func releaseConnection() {
    guard isConnected, observerCount == 0, dependents.isEmpty, !isInput else { return }
    isConnected = false
    forEachSource { $0.removeDependent(self) }
  }

  // MARK: The order of observers

  /// A new order, higher than that of any observer that has an input in common with this node.
  ///
  /// Observers hear in the order in which they registered, across nodes. There is no global counter for that: each node
  /// keeps one, and an observer takes the highest of all above it, plus one, and leaves it in all of them.
  @usableFromInline
  final func nextOrder() -> Int {
    let order = highestOrderAbove + 1
    raiseOrderAbove(to: order)
    return order
  }

  /// What has come together here is in order from now on: whoever registers on any of it comes after all who have.
  @usableFromInline
  final func joinOrders() {
    raiseOrderAbove(to: highestOrderAbove)
  }

  private var highestOrderAbove: Int {
    var highest = 0
    forEachAbove { highest = max(highest, $0.highestOrder) }
    return highest
  }

  private func raiseOrderAbove(to order: Int) {
    forEachAbove { $0.highestOrder = order }
  }

  /// Calls `body` with this node and all that it is derived from, each once, however many ways lead there.
  private func forEachAbove(_ body: (GraphNode) -> Void) {
    var nodes: [GraphNode] = []
    collectAbove(into: &nodes)
    for node in nodes {
      node.isCollected = false
      body(node)
    }
  }

  private func collectAbove(into nodes: inout [GraphNode]) {
    guard !isCollected else { return }
    isCollected = true
    nodes.append(self)
    forEachSource { $0.collectAbove(into: &nodes) }
  }

  // MARK: Marking

  /// Marks all that depends on this node as dirty, and collects what of it is observed. Runs no code of the user's.
  @inlinable
  final func mark(into reached: inout [GraphNode]) {
    for node in dependents where !node.isDirty {
      node.isDirty = true
      if node.observerCount > 0 {
        node.audience = node.lastOrder
        reached.append(node)
      }
      node.mark(into: &reached)
    }
  }
}
