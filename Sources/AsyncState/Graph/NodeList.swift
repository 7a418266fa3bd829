/// Nodes that are held, and that can be gone through without counting references.
///
/// Going through an array of objects retains and releases each one, which is a third of the time that marking takes.
/// Nobody can let go of a node on this list while it is gone through, because marking runs no code but the graph's own;
/// so here the references are counted once, when a node comes and when it goes. A node does not go before its list is
/// empty, as each of its dependents holds it.
@usableFromInline
struct NodeList {
  @usableFromInline var nodes: [Unmanaged<GraphNode>] = []

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { nodes.isEmpty }

  @usableFromInline var count: Int { nodes.count }

  @usableFromInline
  mutating func append(_ node: GraphNode) {
    nodes.append(.passRetained(node))
  }

  /// Takes out the first entry of a node, if it has one.
  @usableFromInline
  mutating func remove(_ node: GraphNode) {
    let entry = Unmanaged.passUnretained(node)
    guard let index = nodes.firstIndex(where: { $0.toOpaque() == entry.toOpaque() }) else { return }
    nodes.remove(at: index).release()
  }

  @usableFromInline
  mutating func removeAll() {
    let former = nodes
    nodes = []
    for node in former { node.release() }
  }
}
