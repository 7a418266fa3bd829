// SPDX-License-Identifier: MIT
import Synchronization

/// Writes to several inputs that become one change.
///
/// The writes of `body` take effect when it returns, all at once: no derived value is computed from a part of it, and
/// each observer is called once. Of several writes to one input the last one counts. A batch in the body of another one
/// takes effect at its own end.
///
/// - Complexity: O(*n*) for *n* writes and values that depend on the written ones.
public func batch(_ body: (inout WriteBatch) -> Void) {
  var batch = WriteBatch()
  body(&batch)
  batch.commit()
}

/// The writes of one ``batch(_:)``.
public struct WriteBatch: ~Copyable {
  /// The identity of the batch for its inputs: each keeps the value to write.
  @usableFromInline let number = nextNumber.add(1, ordering: .relaxed).newValue

  // Justified: a counter, which orders nothing else. Noticed: `BatchTests`.
  private static let nextNumber = Atomic(0)

  // Most batches write one input: no list for that.
  private var first: GraphNode?
  /// All inputs, if there are several.
  private var inputs: [GraphNode] = []

  fileprivate init() {}

  /// Notes the value that `input` will have at the end of the batch.
  @inlinable
  public mutating func write<Value>(_ value: Value, to input: Input<Value>) {
    if input.inputNode.setDraft(value, of: number) { add(input.inputNode) }
  }

  @usableFromInline
  mutating func add(_ input: GraphNode) {
    guard let first else { return first = input }
    if inputs.isEmpty {
      swap(&inputs, &first.state.delivery.batchRoom)
      inputs.reserveCapacity(16)
      inputs.append(first)
    }
    inputs.append(input)
  }

  fileprivate consuming func commit() {
    stageInputs()
    deliverInputs()
  }

  private func stageInputs() {
    guard let first else { return }
    if inputs.isEmpty { return first.advance(number, .write) }
    // Compared first, because `==` may be user code, which must see all values as they were. Released last, because that may
    // run user code, too, which must see all values as they will be.
    for step in [BatchStep.compare, .stage, .release] { forEachInput { $0.advance(number, step) } }
  }

  private consuming func deliverInputs() {
    guard let first else { return }
    if inputs.isEmpty { return first.deliver() }
    deliverAll()
    inputs.removeAll(keepingCapacity: true)
    first.state.delivery.batchRoom = inputs
  }

  private mutating func deliverAll() {
    // An input that is being reported already is delivered after that report.
    var others: [GraphNode] = []
    inputs.removeAll { input in
      if input.beginDelivery() { return false }
      others.append(input)
      return true
    }
    if !others.isEmpty { for input in inputs + others { input.callEarlyObservers() } }
    deliver()
  }

  /// Reports all inputs in one round, and then the values that observers write to them in it.
  private func deliver() {
    var reached = ReachedNodes()
    var hook: (any InputHook)?
    forEachInput {
      $0.beginReport(into: &reached)
      if hook == nil { hook = $0.state.delivery.hook }
    }
    if let hook { hook.notifying(waitingCount: 0) { Round.run(&reached) } } else { Round.run(&reached) }
    forEachInput { $0.endReport() }
    while inputs.contains(where: { $0.state.delivery.isUndelivered }) { forEachInput { $0.deliverAll() } }
    forEachInput { $0.state.delivery.isRunning = false }
  }

  @inline(__always)
  private func forEachInput(_ body: (GraphNode) -> Void) {
    // Justified: the list holds them. Counting each in each of the loops takes as long as all else that a batch does.
    for place in inputs.indices { Uncounted(inputs[place]).visit(body) }
  }
}
