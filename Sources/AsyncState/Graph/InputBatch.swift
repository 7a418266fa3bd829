// SPDX-License-Identifier: MIT
/// Writes to several inputs that become one change.
///
/// What `body` writes takes effect when it returns, all at once: no derived value is computed from a part of it, and
/// each observer is called once. Of several writes to one input the last one counts. A batch in the body of another one
/// takes effect at its own end.
///
/// - Complexity: O(*n*) for *n* writes and values that depend on what is written.
public func batch(_ body: (inout InputBatch) -> Void) {
  var batch = InputBatch()
  body(&batch)
  batch.commit()
}

/// The writes of one ``batch(_:)``.
public struct InputBatch: ~Copyable {
  /// What is to be written to an input that belongs to another batch, in whose body this one is.
  private struct Entry {
    let node: GraphNode
    /// A node that is in no graph and has only a draft.
    let place: GraphNode
  }

  // The inputs that keep what is to be written themselves, linked by `nextInBatch`, so that a batch allocates nothing.
  // Each is counted and belongs to this batch, as its `batch` says, until everything has been reported.
  private var first: Reference<GraphNode>?
  private var last: Reference<GraphNode>?
  private var others: [Entry] = []
  /// Where each of these is among the others; nil while there are none.
  private var indices: [ObjectIdentifier: Int]?

  fileprivate init() {}

  /// Notes that `input` is to have this value at the end of the batch.
  @inlinable
  public mutating func write<Value>(_ value: Value, to input: Input<Value>) {
    var draft: Value? = value
    withPlace(for: input.inputNode) { swap(&$0.draft, &draft) }
  }

  /// Calls `body` with the node that keeps the draft for an input: its own, if no other batch has that.
  @usableFromInline
  mutating func withPlace<Value>(for node: InputNode<Value>, _ body: (InputNode<Value>) -> Void) {
    if reserve(node) { body(node) } else { body(otherPlace(for: node)) }
  }

  private mutating func reserve(_ node: GraphNode) -> Bool {
    if let batch = node.state.delivery.batch { return first?.refers(to: batch) == true }
    guard indices?[ObjectIdentifier(node)] == nil else { return false }
    let link = Reference(counting: node)
    if let last { last.with { $0.state.delivery.nextInBatch = link } } else { first = link }
    last = link
    node.state.delivery.batch = first
    return true
  }

  private mutating func otherPlace<Value>(for node: InputNode<Value>) -> InputNode<Value> {
    var indices = self.indices.take() ?? [:]
    defer { self.indices = indices }
    let index = indices[ObjectIdentifier(node)]
    if let index, let place = others[index].place as? InputNode<Value> { return place }
    let place = InputNode(node.present, isEqual: nil, isConstant: true)
    indices[ObjectIdentifier(node)] = others.count
    others.append(Entry(node: node, place: place))
    return place
  }

  // MARK: Writing

  fileprivate mutating func commit() {
    // Compared first: `==` may be code of the user's, and sees all as it was. Released last: that may run code of the
    // user's, too, and sees all as it will be.
    guard let first, others.isEmpty, first.with({ $0.state.delivery.nextInBatch == nil }) else { return commitMany() }
    first.with {
      $0.advanceDraft(.write)
      $0.state.delivery.batch = nil
      $0.deliver()
    }
    first.release()
  }

  private mutating func commitMany() {
    for step in [DraftStep.compare, .stage, .release] {
      for entry in others { entry.node.advanceDraft(from: entry.place, step) }
      forEachLinked { $0.advanceDraft(step) }
    }
    deliver()
    releaseLinked()
  }

  /// Reports all inputs in one round.
  private mutating func deliver() {
    // An input that is being reported already takes its turn when that has ended.
    let all = others
    others.removeAll { !$0.node.beginDeliveryOfBatch() }
    forEachLinked { $0.state.delivery.isOfBatch = $0.beginDeliveryOfBatch() }
    if all.count > others.count { for entry in all { entry.node.callEarlyObservers() } }
    forEachLinked { if !$0.state.delivery.isOfBatch { $0.callEarlyObservers() } }
    var hook: (any InputHook)?
    var reached = ReachedList()
    forEachBegun {
      hook = hook ?? $0.inputHook
      reached.append($0.takeReached())
    }
    if let hook { hook.notifying(waitingCount: 0) { Round.run(reached) } } else { Round.run(reached) }
    var isDone = true
    forEachBegun {
      $0.leaveIfDelivered()
      if $0.state.delivery.isUndelivered { isDone = false }
    }
    // What observers wrote to these inputs meanwhile.
    while !isDone {
      isDone = true
      forEachBegun {
        while $0.state.delivery.isUndelivered {
          isDone = false
          $0.deliverNextOfBatch()
        }
      }
    }
    forEachBegun { $0.endDelivery() }
  }

  private func forEachBegun(_ body: (GraphNode) -> Void) {
    for entry in others { body(entry.node) }
    forEachLinked { if $0.state.delivery.isOfBatch { body($0) } }
  }

  private func forEachLinked(_ body: (GraphNode) -> Void) {
    var next = first
    while let link = next {
      link.with {
        body($0)
        next = $0.state.delivery.nextInBatch
      }
    }
  }

  private func releaseLinked() {
    guard let first else { return }
    // One by one, as code of the user's may run. The first one last: by it the others are known as this batch's.
    while let second = first.with({ $0.state.delivery.nextInBatch }) {
      let third = second.with { $0.leaveBatch() }
      first.with { $0.state.delivery.nextInBatch = third }
      second.release()
    }
    _ = first.with { $0.leaveBatch() }
    first.release()
  }
}

/// What is done with a value that a batch is to write.
@usableFromInline
enum DraftStep {
  /// It is dropped where it is no change.
  case compare
  /// It becomes the value of the input, which is kept in its place.
  case stage
  /// What was replaced is released.
  case release
  /// All of this, where nothing else is written.
  case write
}
