/// Nodes that are held, and that can be gone through without counting references.
///
/// Going through an array of objects retains and releases each one, which is a third of the time that marking takes.
/// Nobody can let go of a node on this list while it is gone through, because marking runs no code but the graph's own; so
/// here the references are counted once, when a node comes and when it goes.
@usableFromInline
struct NodeList: ~Copyable {
  @usableFromInline var nodes: [Unmanaged<GraphNode>] = []

  @inlinable
  init() {}

  deinit {
    for node in nodes { node.release() }
  }

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

  @inlinable
  func forEach(_ body: (GraphNode) -> Void) {
    for node in nodes { node._withUnsafeGuaranteedRef(body) }
  }
}
