/// An observed value that is written: where a graph of observed values begins.
///
/// When an input is let go nobody can write it any more. Its value and everything derived from it stay readable;
/// streams of ``Observed/values`` that depend on nothing else end.
public final class Input<Value>: Observed<Value> {
  /// An input of which every write is a change.
  @inlinable
  public init(_ value: Value) {
    super.init(InputNode(value, isEqual: nil))
  }

  /// An input to which writing an equal value is no change.
  @inlinable
  public init(_ value: Value) where Value: Equatable {
    super.init(InputNode(value, isEqual: { $0 == $1 }))
  }

  /// An input to which writing a value that `isEqual` holds for equal to the one that stands is no change.
  @inlinable
  public init(_ value: Value, isEqual: @escaping (Value, Value) -> Bool) {
    super.init(InputNode(value, isEqual: isEqual))
  }

  deinit {
    inputNode.close()
  }

  /// Sets the value. Whoever observes it, or what is derived from it, has heard when this returns, unless this very
  /// value is being told at the moment: then they hear it next.
  @inlinable
  public func write(_ value: Value) {
    inputNode.write(value)
  }

  /// Changes the value in place, as one write.
  ///
  /// - Returns: What `body` returns.
  @inlinable
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    var value = node.cached.unsafelyUnwrapped
    let result = body(&value)
    write(value)
    return result
  }

  // An input makes its node itself, in each of its initialisers.
  @inlinable
  final var inputNode: InputNode<Value> { unsafeDowncast(node, to: InputNode<Value>.self) }
}
