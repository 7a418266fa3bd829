/// Writes to several inputs that become one change.
///
/// What `body` writes takes effect when it returns, all at once: no derived value is computed from a part of it, and
/// each observer is called once. Of several writes to one input the last one counts.
@inlinable
public func batch(_ body: (inout InputBatch) -> Void) {
  var batch = InputBatch()
  body(&batch)
  batch.commit()
}

/// The writes of one ``batch(_:)``.
public struct InputBatch: ~Copyable {
  private struct Entry {
    let node: GraphNode
    /// What is to be written; nil where the node keeps that itself.
    var draft: AnyObject?
  }

  // Most batches have few inputs; the first needs no list.
  private var first: Entry?
  private var others: [Entry] = []

  @usableFromInline
  init() {}

  /// Notes that `input` is to have this value at the end of the batch.
  @inlinable
  public mutating func write<Value>(_ value: Value, to input: Input<Value>) {
    let node = input.inputNode
    if reserveDraft(of: node) { node.written.draft = value } else { keep(InputNode<Value>.Draft(value), for: node) }
  }

  /// - Returns: Whether the node has room for this batch's value. Another batch, in whose body this one is, may have it.
  @usableFromInline
  mutating func reserveDraft(of node: GraphNode) -> Bool {
    if node.state.delivery.hasDraft {
      if let first, first.node === node { return first.draft == nil }
      return others.first { $0.node === node }.map { $0.draft == nil } ?? false
    }
    node.state.delivery.hasDraft = true
    add(Entry(node: node))
    return true
  }

  @usableFromInline
  mutating func keep(_ draft: AnyObject, for node: GraphNode) {
    if first?.node === node {
      first?.draft = draft
    } else if let index = others.firstIndex(where: { $0.node === node }) {
      others[index].draft = draft
    } else {
      add(Entry(node: node, draft: draft))
    }
  }

  private mutating func add(_ entry: Entry) {
    if first == nil { first = entry } else { others.append(entry) }
  }

  // MARK: Writing

  @usableFromInline
  consuming func commit() {
    guard let first else { return }
    let others = others
    // Compared first: `==` may be code of the user's, and sees all as it was.
    first.node.advanceDraft(first.draft, isComparing: true)
    for entry in others { entry.node.advanceDraft(entry.draft, isComparing: true) }
    first.node.advanceDraft(first.draft, isComparing: false)
    for entry in others { entry.node.advanceDraft(entry.draft, isComparing: false) }
    if others.isEmpty { first.node.deliver() } else { Self.deliver([first.node] + others.map(\.node)) }
  }

  /// Reports all inputs in one round.
  private static func deliver(_ nodes: [GraphNode]) {
    // An input that is being reported already takes its turn when that has ended.
    let started = nodes.filter { $0.beginDelivery() }
    var reached = ReachedList()
    for node in started { reached.append(node.takeReached()) }
    Round.run(reached)
    // What observers wrote to these inputs meanwhile.
    for node in started { node.leaveIfDelivered() }
    while let node = started.first(where: \.state.delivery.isUndelivered) { node.deliverNext() }
    for node in started { node.state.delivery.isBusy = false }
  }
}
