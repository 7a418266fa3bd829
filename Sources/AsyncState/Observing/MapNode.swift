/// A node whose value is a function of one other.
@usableFromInline
final class MapNode<Source, Value>: ValueNode<Value> {
  @usableFromInline let source: ValueNode<Source>
  @usableFromInline let transform: (Source) -> Value
  @usableFromInline let isEqual: ((Value, Value) -> Bool)?

  /// The source's version that the value was computed from.
  @exclusivity(unchecked) @usableFromInline var seenVersion = -1

  @inlinable
  init(_ source: ValueNode<Source>, isEqual: ((Value, Value) -> Bool)?, transform: @escaping (Source) -> Value) {
    self.source = source
    self.transform = transform
    self.isEqual = isEqual
    super.init()
  }

  @inlinable
  override func refresh() {
    guard isDirty else { return }
    isDirty = false
    source.refresh()
    guard source.version != seenVersion else { return }
    seenVersion = source.version
    let value = transform(source.cached!)
    if let isEqual, let cached, isEqual(cached, value) { return }
    cached = value
    version += 1
  }

  @inlinable
  override func forEachSource(_ body: (GraphNode) -> Void) {
    body(source)
  }
}
