// The three ways to derive a value from others. Each is a closure that is made where the types are known.

extension ValueNode {
  /// A function of one value.
  ///
  /// - Parameter isEqual: Whether a new value is no change; nil: every computation is one.
  @inlinable @inline(__always)
  static func map<Source>(
    _ source: ValueNode<Source>, isEqual: ((Value, Value) -> Bool)?, _ transform: @escaping (Source) -> Value
  ) -> ValueNode {
    ValueNode(first: source, second: nil) { node in
      source.refresh()
      guard node.seenFirst != source.version else { return }
      node.seenFirst = source.version
      let value = transform(source.cached.unsafelyUnwrapped)
      if let isEqual, let cached = node.cached, isEqual(cached, value) { return }
      node.set(value)
    }
  }

  /// Two values side by side.
  @inlinable @inline(__always)
  static func zip<First, Second>(
    _ first: ValueNode<First>, _ second: ValueNode<Second>
  ) -> ValueNode where Value == (First, Second) {
    ValueNode(first: first, second: second) { node in
      first.refresh()
      second.refresh()
      guard node.seenFirst != first.version || node.seenSecond != second.version else { return }
      node.seenFirst = first.version
      node.seenSecond = second.version
      node.set((first.cached.unsafelyUnwrapped, second.cached.unsafelyUnwrapped))
    }
  }

  /// Whichever node `choose` gives for one value.
  ///
  /// - Parameter isEqual: Whether a new value is no change; nil: every change of the chosen node, and every choice, is one.
  @inlinable @inline(__always)
  static func flatMap<Source>(
    _ source: ValueNode<Source>, isEqual: ((Value, Value) -> Bool)?, _ choose: @escaping (Source) -> ValueNode
  ) -> ValueNode {
    ValueNode(first: source, second: nil) { node in
      // The choice comes first: a node that is being left is not asked any more.
      source.refresh()
      if node.seenFirst != source.version {
        node.seenFirst = source.version
        node.follow(choose(source.cached.unsafelyUnwrapped))
      }
      // It was chosen a moment ago, or when the source had this version.
      let chosen = unsafeDowncast(node.second.unsafelyUnwrapped, to: ValueNode.self)
      chosen.refresh()
      guard node.seenSecond != chosen.version else { return }
      node.seenSecond = chosen.version
      let value = chosen.cached.unsafelyUnwrapped
      if let isEqual, let cached = node.cached, isEqual(cached, value) { return }
      node.set(value)
    }
  }
}
