// SPDX-License-Identifier: MIT
/// An observed value that is written: where a graph of observed values begins.
///
/// ```swift
/// let query = Input("")
/// let hits = query.map { index.count(matching: $0) }
/// let token = hits.observe { label.text = "\($0) found" }
/// query.write("swift")
/// ```
///
/// After an input is released nothing can be written any more. Its value and all derived values stay readable.
public final class Input<Value>: Observed<Value> {
  @usableFromInline let inputNode: InputNode<Value>

  @usableFromInline
  init(_ node: InputNode<Value>) {
    inputNode = node
    super.init(node)
  }

  /// An input. Writing an equal value is no change, where the type is `Equatable`.
  public convenience init(_ value: Value) {
    self.init(InputNode(value, isEqual: equality(of: Value.self)))
  }

  /// An input. Writing an equal value is no change.
  @inlinable
  public convenience init(_ value: Value) where Value: Equatable {
    self.init(InputNode(value, isEqual: { $0 == $1 }))
  }

  /// An input. Writing a value for which `isEqual` is true is no change.
  public convenience init(_ value: Value, isEqual: @escaping (Value, Value) -> Bool) {
    self.init(InputNode(value, isEqual: isEqual))
  }

  /// The same value, for code that may not write it: the result cannot be cast to an `Input`.
  ///
  /// It does not keep the input alive.
  public var observed: Observed<Value> { Observed(node) }

  /// Sets the value.
  ///
  /// Observers of this value and of all that is derived from it have been called when this returns. While this very
  /// value is being reported, they are called with the new one afterwards.
  ///
  /// - Complexity: O(*n*) for *n* observed values that depend on this one, and their observers; constant without any.
  @inlinable
  public func write(_ value: Value) {
    if inputNode.stage(value) { inputNode.deliver() }
  }

  /// Changes the value in place, as one write.
  ///
  /// - Returns: The result of `body`.
  @inlinable
  @discardableResult
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    var value = inputNode.present
    let result = body(&value)
    write(value)
    return result
  }
}

extension Input {
  /// Attaches a hook in the place of another.
  ///
  /// - Parameter makeHook: Called with the version of the present value.
  package func attach(_ makeHook: (Int) -> any InputHook) {
    let node: GraphNode = inputNode
    node.state.delivery.hook?.retire()
    node.state.delivery.hook = makeHook(node.state.version)
  }
}
