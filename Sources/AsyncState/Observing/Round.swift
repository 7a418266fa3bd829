/// One round of telling: the observed nodes that a change has reached are brought up to date, then their observers hear.
///
/// Rounds may nest: an observer writes to another input. A node belongs to the outermost round that has reached it; a
/// nested round that reaches it, too, leaves it to that one, which looks again before it ends. So each observer hears
/// the values of its node in order, and no node is told by two rounds at once.
@usableFromInline
enum Round {
  @inlinable
  static func run(_ nodes: inout [GraphNode]) {
    engage(&nodes)
    for node in nodes { node.prepareNews() }
    repeat { tell(nodes) } while lookAgain(nodes)
    for node in nodes {
      node.isEngaged = false
      node.tidy()
    }
  }

  /// Keeps the nodes that belong to no other round.
  @inlinable
  static func engage(_ nodes: inout [GraphNode]) {
    nodes.removeAll { node in
      if node.isEngaged {
        node.isAwaited = true
        return true
      }
      node.isEngaged = true
      return false
    }
  }

  /// - Returns: Whether nested rounds left something to tell.
  @inlinable
  static func lookAgain(_ nodes: [GraphNode]) -> Bool {
    var hasNews = false
    for node in nodes where node.isAwaited {
      node.isAwaited = false
      node.prepareNews()
      if node.hasNews { hasNews = true }
    }
    return hasNews
  }

  @inlinable
  static func tell(_ nodes: [GraphNode]) {
    guard isInOrder(nodes) else { return tellInterleaved(nodes) }
    for node in nodes where node.hasNews { node.tellAll() }
  }

  /// Whether telling node after node tells everybody in the order of registration.
  @inlinable
  static func isInOrder(_ nodes: [GraphNode]) -> Bool {
    var last = 0
    for node in nodes where node.hasNews {
      if node.firstOrder < last { return false }
      last = node.lastOrder
    }
    return true
  }

  @usableFromInline
  static func tellInterleaved(_ nodes: [GraphNode]) {
    let nodes = nodes.filter(\.hasNews)
    let notices = nodes.flatMap { node in node.listeners.map { (order: $0, node: node) } }
    for notice in notices.sorted(by: { $0.order < $1.order }) { notice.node.tell(observer: notice.order) }
    for node in nodes { node.forgetNews() }
  }
}
