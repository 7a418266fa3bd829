/// A node with a value of a known type.
@usableFromInline
class ValueNode<Value>: GraphNode {
  @usableFromInline typealias Equality = (Value, Value) -> Bool

  @usableFromInline
  struct Values {
    /// The value when it was last computed; nil before the first time.
    @usableFromInline var current: Value?

    /// What the observers were or are being called with, if that is another value and may still be needed.
    @usableFromInline var told: Value?

    @inlinable
    init(current: Value?) {
      self.current = current
    }
  }

  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while code of the user's runs. Checked by the test run with exclusivity checking enforced.
  @exclusivity(unchecked) @usableFromInline final var values: Values

  /// When a change is none; nil where each is.
  @usableFromInline final let isEqual: Equality?

  /// An input; without an openness it is a constant.
  @inlinable
  init(input value: Value, isEqual: Equality?, openness: Openness?, advanceDraft: @escaping Compute) {
    values = Values(current: value)
    self.isEqual = isEqual
    super.init(openness: openness, compute: advanceDraft)
  }

  /// A node that is derived from others.
  @inlinable
  init(
    first: GraphNode, second: GraphNode? = nil, choose: Choose? = nil, isEqual: Equality?, compute: @escaping Compute
  ) {
    values = Values(current: nil)
    self.isEqual = isEqual
    super.init(first: first, second: second, choose: choose, compute: compute)
  }

  /// A node as what it is.
  // Justified: closures that are made for one type of node are only called with that. A checked cast takes longer than
  // all else that a node does.
  @inlinable @inline(__always)
  static func known(_ node: GraphNode) -> ValueNode {
    unsafeDowncast(node, to: ValueNode.self)
  }

  /// The value as it was computed last.
  @inlinable @inline(__always)
  final var current: Value {
    guard let value = values.current else { Self.stopWithoutValue() }
    return value
  }

  /// The value of a source, which was brought up to date before.
  @inlinable @inline(__always)
  static func current(of source: Reference<GraphNode>?) -> Value {
    guard let source else { stopWithoutValue() }
    return source.with { known($0).current }
  }

  @usableFromInline
  static func stopWithoutValue() -> Never {
    fatalError(
      "AsyncState: an observed value was read before it was computed, which only a value can do that depends on itself."
    )
  }

  /// The value, computed anew if a source has changed.
  @inlinable
  final func read() -> Value {
    refresh()
    return current
  }

  /// The value is another now.
  @inlinable @inline(__always)
  final func set(_ value: Value) {
    // Released when everything is in order: it may be an object of the user's.
    let former = values.current
    values.current = value
    let isKept = state.version == state.toldVersion && !state.isReportedNext && keepTold()
    state.version += 1
    if isKept {
      values.told = former
    } else {
      withExtendedLifetime(former) {}
    }
  }

  // MARK: Reporting

  /// The value that observers are called with.
  @inlinable @inline(__always)
  final var toldValue: Value {
    if state.keepsTold, let told = values.told { return told }
    return current
  }

  final override func dropTold() {
    let former = values.told
    values.told = nil
    withExtendedLifetime(former) {}
  }

  final override func isEqualToTold() -> Bool {
    guard let isEqual, let told = values.told else { return false }
    return isEqual(told, current)
  }

  /// Keeps a value where the type is not known.
  private final class Kept {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  final override func currentValue() -> AnyObject? { isEqual == nil ? nil : Kept(current) }

  final override func isEqual(to kept: AnyObject) -> Bool {
    guard let isEqual, let kept = kept as? Kept else { return false }
    return isEqual(kept.value, current)
  }

  // MARK: Observing

  /// Calls `body` with the current value, and from then on with each change.
  @inlinable
  final func observe(_ body: @escaping (Value) -> Void) -> Observer {
    let connection = beginObserving()
    while true {
      refresh()
      let version = state.version
      let value = current
      body(value)
      refresh()
      // The first call may have written to what this depends on: then it is called again.
      if state.version == version { break }
      if let isEqual, isEqual(value, current) { break }
    }
    return endObserving(connection, TypedReaction(body))
  }

  @usableFromInline
  final class TypedReaction: Reaction {
    @usableFromInline let body: (Value) -> Void

    @inlinable
    init(_ body: @escaping (Value) -> Void) {
      self.body = body
      super.init(call: { reaction, node in
        unsafeDowncast(reaction, to: TypedReaction.self).body(ValueNode.known(node).toldValue)
      })
    }
  }
}

// MARK: - Deriving

// The closures are made where the types are known, once with `==` and once with what is found out when the node is made
// (see `equality(of:)`). Both behave alike; the first is faster. None of them captures a node: a chain could not be
// released in a loop.

extension ValueNode {
  /// A function of one value.
  @inlinable
  static func map<Source>(_ source: ValueNode<Source>, _ transform: @escaping (Source) -> Value) -> ValueNode {
    let isEqual = equality(of: Value.self)
    return ValueNode(first: source, isEqual: isEqual) { node in
      known(node).change(to: transform(ValueNode<Source>.current(of: node.state.first)), isEqual)
    }
  }

  /// Two values side by side. Each change of one is a change.
  @inlinable
  static func zip<First, Second>(
    _ first: ValueNode<First>, _ second: ValueNode<Second>
  ) -> ValueNode where Value == (First, Second) {
    ValueNode(first: first, second: second, isEqual: nil) { node in
      known(node).set(
        (ValueNode<First>.current(of: node.state.first), ValueNode<Second>.current(of: node.state.second)))
    }
  }

  /// The value of the node that `transform` chooses.
  @inlinable
  static func flatMap<Source>(
    _ source: ValueNode<Source>, _ transform: @escaping (Source) -> ValueNode
  ) -> ValueNode {
    let isEqual = equality(of: Value.self)
    return ValueNode(
      first: source, choose: { transform(ValueNode<Source>.current(of: $0.state.first)) }, isEqual: isEqual
    ) { node in
      known(node).change(to: current(of: node.state.second), isEqual)
    }
  }

  /// The value is this one now, if it is another.
  @inlinable
  final func change(to value: Value, _ isEqual: Equality?) {
    if let isEqual, let former = values.current, isEqual(former, value) { return }
    set(value)
  }
}

extension ValueNode where Value: Equatable {
  /// A function of one value.
  @inlinable
  static func map<Source>(_ source: ValueNode<Source>, _ transform: @escaping (Source) -> Value) -> ValueNode {
    ValueNode(first: source, isEqual: { $0 == $1 }) { node in
      known(node).change(to: transform(ValueNode<Source>.current(of: node.state.first)))
    }
  }

  /// The value of the node that `transform` chooses.
  @inlinable
  static func flatMap<Source>(
    _ source: ValueNode<Source>, _ transform: @escaping (Source) -> ValueNode
  ) -> ValueNode {
    ValueNode(
      first: source, choose: { transform(ValueNode<Source>.current(of: $0.state.first)) }, isEqual: { $0 == $1 }
    ) { node in
      known(node).change(to: current(of: node.state.second))
    }
  }

  /// The value is this one now, if it is another.
  @inlinable
  final func change(to value: Value) {
    if let former = values.current, former == value { return }
    set(value)
  }
}

/// `==` of a type, found at run time; nil if it has none. So code that knows its types and code that does not behave
/// alike.
@usableFromInline
func equality<Value>(of _: Value.Type) -> ((Value, Value) -> Bool)? {
  func equality<Known: Equatable>(of _: Known.Type) -> Any {
    let isEqual: (Known, Known) -> Bool = { $0 == $1 }
    return isEqual
  }
  guard let known = Value.self as? any Equatable.Type else { return nil }
  return equality(of: known) as? (Value, Value) -> Bool
}
