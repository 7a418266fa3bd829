// The three ways to derive a value from others. Each is a closure that is made where the types are known, once with and
// once without a comparison: handed in as a closure of its own, the comparison would be a call.

extension ValueNode {
  /// A function of one value. Every computation is a change.
  @inlinable
  static func map<Source>(_ source: ValueNode<Source>, _ transform: @escaping (Source) -> Value) -> ValueNode {
    ValueNode(first: source) { node in
      guard node.follows(source) else { return }
      known(node).set(transform(source.cached.unsafelyUnwrapped))
    }
  }

  /// Two values side by side.
  @inlinable
  static func zip<First, Second>(
    _ first: ValueNode<First>, _ second: ValueNode<Second>
  ) -> ValueNode where Value == (First, Second) {
    ValueNode(first: first, second: second) { node in
      let isBehindFirst = node.follows(first)
      let isBehindSecond = node.followsSecond(second)
      guard isBehindFirst || isBehindSecond else { return }
      known(node).set((first.cached.unsafelyUnwrapped, second.cached.unsafelyUnwrapped))
    }
  }

  /// Whichever node `choose` gives for one value. Every change of the chosen node, and every choice, is a change.
  @inlinable
  static func flatMap<Source>(
    _ source: ValueNode<Source>, _ choose: @escaping (Source) -> ValueNode
  ) -> ValueNode {
    ValueNode(first: source) { node in
      if node.follows(source) { node.choose(choose(source.cached.unsafelyUnwrapped)) }
      let chosen = known(node.second.unsafelyUnwrapped)
      guard node.followsSecond(chosen) else { return }
      known(node).set(chosen.cached.unsafelyUnwrapped)
    }
  }
}

extension ValueNode where Value: Equatable {
  /// A function of one value. Another result is a change.
  @inlinable
  static func map<Source>(_ source: ValueNode<Source>, _ transform: @escaping (Source) -> Value) -> ValueNode {
    ValueNode(first: source) { node in
      guard node.follows(source) else { return }
      known(node).change(to: transform(source.cached.unsafelyUnwrapped))
    }
  }

  /// Whichever node `choose` gives for one value. Another value is a change.
  @inlinable
  static func flatMap<Source>(
    _ source: ValueNode<Source>, _ choose: @escaping (Source) -> ValueNode
  ) -> ValueNode {
    ValueNode(first: source) { node in
      if node.follows(source) { node.choose(choose(source.cached.unsafelyUnwrapped)) }
      let chosen = known(node.second.unsafelyUnwrapped)
      guard node.followsSecond(chosen) else { return }
      known(node).change(to: chosen.cached.unsafelyUnwrapped)
    }
  }

  /// The value is this one now, if it is another.
  @inlinable
  func change(to value: Value) {
    if cached != value { set(value) }
  }
}

extension GraphNode {
  /// Brings the first source up to date.
  ///
  /// - Returns: Whether this node's value was computed from an earlier version.
  @inlinable
  final func follows(_ source: GraphNode) -> Bool {
    source.refresh()
    guard seenFirst != source.version else { return false }
    seenFirst = source.version
    return true
  }

  /// The same for the second source. A choice comes before this: a node that is being left is not asked any more.
  @inlinable
  final func followsSecond(_ source: GraphNode) -> Bool {
    source.refresh()
    guard seenSecond != source.version else { return false }
    seenSecond = source.version
    return true
  }
}
