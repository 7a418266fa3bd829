/// Writes to several inputs that become one change.
///
/// What `body` writes takes effect when it returns, all at once: no derived value is computed from a part of it, and
/// each observer hears once. Of several writes to one input the last counts.
@inlinable
public func batch(_ body: (inout InputBatch) -> Void) {
  var batch = InputBatch()
  body(&batch)
  batch.commit()
}

/// The writes of one ``batch(_:)``.
public struct InputBatch {
  // One entry an input, in the order of their first writes.
  @usableFromInline var writes: [any PendingWrite] = []

  @usableFromInline
  init() {}

  /// Notes that `input` is to have this value at the end of the batch.
  @inlinable
  public mutating func write<Value>(_ value: Value, to input: Input<Value>) {
    let write = WriteToInput(input: input, value: value)
    if let index = writes.firstIndex(where: { $0.target === input }) {
      writes[index] = write
    } else {
      writes.append(write)
    }
  }

  @usableFromInline
  func commit() {
    // An input that is being told already takes its turn when that has ended, and its own round tells of it.
    let started = writes.filter { $0.stage() && !$0.root.isBusy }.map(\.root)
    guard !started.isEmpty else { return }
    for root in started { root.isBusy = true }
    tellTogether(started)
    // What observers wrote to these inputs meanwhile.
    while let root = started.first(where: \.isUntold) { root.deliverNext() }
    for root in started { root.endDelivery() }
  }

  /// One round over all that the inputs have reached.
  private func tellTogether(_ roots: [any RootNode]) {
    var batch = NodeBatch()
    for root in roots { root.collectReached(into: &batch) }
    Round.run(batch)
  }
}

/// What an input's node is to a batch, whatever the type of its value.
@usableFromInline
protocol RootNode: GraphNode {
  var isBusy: Bool { get set }
  var isUntold: Bool { get }
  func collectReached(into batch: inout NodeBatch)
  func deliverNext()
  func endDelivery()
}

extension InputNode: RootNode {
  @usableFromInline var isUntold: Bool { isNewestUntold }

  @usableFromInline
  func collectReached(into batch: inout NodeBatch) {
    takeNews()
    let nodes = takeReached()
    if let first = nodes.first { batch.append(first) }
    for node in nodes.rest { batch.append(node) }
  }
}

@usableFromInline
protocol PendingWrite {
  var target: AnyObject { get }
  var root: any RootNode { get }
  func stage() -> Bool
}

@usableFromInline
struct WriteToInput<Value>: PendingWrite {
  let input: Input<Value>
  let value: Value

  @usableFromInline
  init(input: Input<Value>, value: Value) {
    self.input = input
    self.value = value
  }

  @usableFromInline var target: AnyObject { input }
  @usableFromInline var root: any RootNode { input.inputNode }

  @usableFromInline
  func stage() -> Bool { input.inputNode.stage(value) }
}
