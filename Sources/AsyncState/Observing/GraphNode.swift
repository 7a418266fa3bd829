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

  @inlinable
  init() {}

  // MARK: What each kind of node knows

  /// Brings the value up to date. Only called while connected.
  @inlinable
  func refresh() {}

  /// Tells the sources that this node exists.
  @inlinable
  func connect() {}

  /// Tells the sources that nobody observes this node any more.
  @inlinable
  func disconnect() {}

  /// The highest order that any observer connected with this node's sources has.
  @inlinable
  var highestOrder: Int { 0 }

  /// Makes every order given out from here on higher than `order`.
  @inlinable
  func raiseOrder(to order: Int) {}

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

  @inlinable
  final func keepConnected() {
    guard !isConnected else { return }
    isConnected = true
    isDirty = true
    connect()
  }

  @inlinable
  final func releaseConnection() {
    guard isConnected, observerCount == 0, dependents.isEmpty else { return }
    disconnect()
  }

  /// Observers hear in the order in which they registered, across all nodes that had an input in common by then. There is
  /// no global counter for that: each input keeps one, and an observer takes the highest of those above it, plus one, and
  /// leaves it in all of them.
  @inlinable
  final func nextOrder() -> Int {
    let order = highestOrder + 1
    raiseOrder(to: order)
    return order
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
