/// One round of telling: the observed nodes that a change has reached are brought up to date, then their observers
/// hear.
///
/// Rounds may nest: an observer writes to another input. A node belongs to the outermost round that has reached it; a
/// nested round that reaches it, too, leaves it to that one, which looks again before it ends. So each observer hears
/// the values of its node in order, and no node is told by two rounds at once.
@usableFromInline
enum Round {
  @inlinable
  static func run(_ batch: NodeBatch) {
    guard let first = batch.first else { return }
    if batch.rest.isEmpty { runOne(first) } else { runMany([first] + batch.rest) }
  }

  // MARK: One node

  @inlinable
  static func runOne(_ node: GraphNode) {
    guard !node.isEngaged else { return node.isAwaited = true }
    node.isEngaged = true
    node.prepareNews()
    repeat {
      if node.hasNews { node.tell(node) }
    } while lookAgain(node)
    node.isEngaged = false
    if node.hasLeavers { node.letGoOfLeavers() }
  }

  /// - Returns: Whether a nested round left something to tell.
  @inlinable
  static func lookAgain(_ node: GraphNode) -> Bool {
    guard node.isAwaited else { return false }
    node.isAwaited = false
    node.prepareNews()
    return node.hasNews
  }

  // MARK: Many nodes

  @usableFromInline
  static func runMany(_ reached: [GraphNode]) {
    let nodes = reached.filter(engage)
    for node in nodes { node.prepareNews() }
    repeat { tell(nodes) } while lookAgain(nodes)
    for node in nodes {
      node.isEngaged = false
      if node.hasLeavers { node.letGoOfLeavers() }
    }
  }

  /// - Returns: Whether the node belongs to this round, and to no other.
  private static func engage(_ node: GraphNode) -> Bool {
    if node.isEngaged {
      node.isAwaited = true
      return false
    }
    node.isEngaged = true
    return true
  }

  private static func lookAgain(_ nodes: [GraphNode]) -> Bool {
    var hasNews = false
    for node in nodes where lookAgain(node) { hasNews = true }
    return hasNews
  }

  private static func tell(_ nodes: [GraphNode]) {
    guard isInOrder(nodes) else { return tellInterleaved(nodes) }
    for node in nodes where node.hasNews { node.tell(node) }
  }

  /// Whether telling node after node tells everybody in the order of registration.
  private static func isInOrder(_ nodes: [GraphNode]) -> Bool {
    var last = 0
    for node in nodes where node.hasNews {
      if node.firstOrder < last { return false }
      last = node.lastOrder
    }
    return true
  }

  private static func tellInterleaved(_ nodes: [GraphNode]) {
    let nodes = nodes.filter(\.hasNews)
    let notices = nodes.flatMap { node in node.listeners.map { (order: $0, node: node) } }
    for notice in notices.sorted(by: { $0.order < $1.order }) { notice.node.tellObserver(notice.order) }
    for node in nodes { node.forgetNews() }
  }
}
