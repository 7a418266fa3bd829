/// A node that follows one node after another: whichever its source's value stands for.
@usableFromInline
final class FlatMapNode<Source, Value>: ValueNode<Value> {
  @usableFromInline let source: ValueNode<Source>
  @usableFromInline let choose: (Source) -> ValueNode<Value>
  @usableFromInline let isEqual: ((Value, Value) -> Bool)?

  /// The node that is followed now; nil before the first time.
  @exclusivity(unchecked) @usableFromInline var inner: ValueNode<Value>?

  @exclusivity(unchecked) @usableFromInline var seenVersion = -1
  @exclusivity(unchecked) @usableFromInline var seenInnerVersion = -1

  @inlinable
  init(
    _ source: ValueNode<Source>, isEqual: ((Value, Value) -> Bool)?, choose: @escaping (Source) -> ValueNode<Value>
  ) {
    self.source = source
    self.isEqual = isEqual
    self.choose = choose
    super.init()
  }

  @inlinable
  override func refresh() {
    guard isDirty else { return }
    isDirty = false
    // The choice comes first: a node that is being left is not asked any more.
    source.refresh()
    if source.version != seenVersion {
      seenVersion = source.version
      follow(choose(source.cached!))
    }
    guard let inner else { return }
    inner.refresh()
    guard inner.version != seenInnerVersion else { return }
    seenInnerVersion = inner.version
    let value = inner.cached!
    if let isEqual, let cached, isEqual(cached, value) { return }
    cached = value
    version += 1
  }

  @inlinable
  func follow(_ next: ValueNode<Value>) {
    guard next !== inner else { return }
    let former = inner
    inner = next
    seenInnerVersion = -1
    // The new one first: what both have in common stays connected, and computed.
    next.addDependent(self)
    former?.removeDependent(self)
    // Whoever registers anywhere here from now on comes after all who are connected by now.
    joinOrders()
  }

  @inlinable
  override func forEachSource(_ body: (GraphNode) -> Void) {
    body(source)
    if let inner { body(inner) }
  }
}
