/// The observed nodes that a change has reached. Most changes reach one; that one needs no array.
@usableFromInline
struct NodeBatch {
  @usableFromInline var first: GraphNode?
  @usableFromInline var rest: [GraphNode] = []

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ node: GraphNode) {
    if first == nil { first = node } else { rest.append(node) }
  }

  @inlinable
  mutating func insertFirst(_ node: GraphNode) {
    if let former = first { rest.insert(former, at: 0) }
    first = node
  }
}
