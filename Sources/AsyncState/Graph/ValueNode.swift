// SPDX-License-Identifier: MIT
/// A node with a value of a known type.
@usableFromInline
class ValueNode<Value>: GraphNode {
  /// The value when it was last computed; nil before the first time.
  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while code of the user's runs. Debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline final var current: Value?

  /// When a change is none; nil where each is.
  @usableFromInline final let isEqual: ((Value, Value) -> Bool)?

  /// What the observers were or are being called with, if that is another value and may still be needed.
  final var reported: Value?

  /// What was replaced while a pull ran.
  private final var replaced: [Value] = []

  /// A node that is not derived: an input, or without an openness a constant.
  init(_ value: Value, isEqual: ((Value, Value) -> Bool)?, openness: Openness?) {
    current = value
    self.isEqual = isEqual
    super.init(openness: openness)
  }

  /// A node that is derived from others.
  ///
  /// Neither closure captures a node of the graph itself: see `Recipe` for what they are called with.
  @usableFromInline
  init(
    first: GraphNode, second: GraphNode? = nil, isEqual: ((Value, Value) -> Bool)?,
    choose: ((GraphNode) -> GraphNode)? = nil, compute: @escaping (GraphNode, GraphNode, GraphNode) -> Void
  ) {
    current = nil
    self.isEqual = isEqual
    super.init(first: first, second: second, recipe: Recipe(compute: compute, choose: choose))
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
  final var present: Value {
    guard let current else {
      fatalError("AsyncState: an observed value was read before it was computed: it depends on itself.")
    }
    return current
  }

  // MARK: Changing

  /// The value is this one now.
  @inlinable @inline(__always)
  final func set(_ value: Value) {
    if noteChange(keepsReplaced: !_isPOD(Value.self)), let current { keep(current, isFormer: true) }
    var exchanged: Value? = value
    swap(&exchanged, &current)
    // Released only here, when everything is in order: it may be an object of the user's.
    withExtendedLifetime(exchanged) {}
  }

  /// The value is this one now, if it is another.
  @inlinable @inline(__always)
  final func change(to value: Value) {
    if let isEqual, let former = current, isEqual(former, value) {
      if !_isPOD(Value.self) { keep(value, isFormer: false) }
    } else {
      set(value)
    }
  }

  /// Keeps a value for what it is still needed for.
  ///
  /// - Parameter isFormer: It was replaced; otherwise it is not to be set, because it is equal.
  @usableFromInline
  final func keep(_ value: Value, isFormer: Bool) {
    switch isFormer ? state.former : .isOver {
    case .isOver: keepUntilPullEnds(value)
    case .isReported: reported = value
    case .waits: keepWaiting(value)
    }
  }

  /// It may be an object of the user's, whose `deinit` would find values that are being computed.
  private func keepUntilPullEnds(_ value: Value) {
    guard realm.isPulling else { return }
    replaced.append(value)
    realm.dropReplacedWhenPullEnds(of: self)
  }

  /// Observers have yet to be called with the value.
  func keepWaiting(_ former: Value) {}

  final override func dropReplaced() {
    // One by one, and outside of the access: code of the user's may run.
    while replaced.popLast() != nil {}
  }

  // MARK: Reporting

  /// Calls `body` with the value that is reported, where that is not the present one.
  @usableFromInline
  final func callWithReported(_ body: (Value) -> Void) {
    body(reported ?? present)
  }

  final override func dropReported() {
    let former = reported
    reported = nil
    withExtendedLifetime(former) {}
  }

  final override func isEqualToReported() -> Bool {
    guard let isEqual, let reported else { return false }
    return isEqual(reported, present)
  }

  /// Keeps a value where the type is not known.
  private final class Kept {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  final override func currentValue() -> AnyObject? { isEqual == nil ? nil : Kept(present) }

  final override func isEqual(to kept: AnyObject) -> Bool {
    guard let isEqual, let kept = kept as? Kept else { return false }
    return isEqual(kept.value, present)
  }

  // MARK: Observing

  /// Calls `body` with the value of a node: the one that is reported, or the present one.
  @inlinable @inline(__always)
  static func reaction(_ body: @escaping (Value) -> Void) -> (_ node: GraphNode, _ isReported: Bool) -> Void {
    { node, isReported in
      if isReported { known(node).callWithReported(body) } else { body(known(node).present) }
    }
  }

  @usableFromInline
  final func observe(_ body: (Value) -> Void, _ reaction: @escaping (GraphNode, Bool) -> Void) -> ObservedToken {
    ObservedToken(observer(body, reaction))
  }

  /// Calls `body` when the value may have changed, before values that are derived from it are computed, and again when
  /// they are. What it changes is delivered by the round that it is called with.
  final func observeEarly(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken {
    let observer = observer({ _ in }) { _, _ in
      let round = EarlyRound()
      body(round)
      round.finish()
    }
    observer.held.purpose = .early(Observer.EarlyReaction(call: body))
    observer.held.connection?.state.hasEarlyObservers = true
    return ObservedToken(observer)
  }

  /// Calls `body` with the current value, and from then on the reaction with each change.
  final func observer(_ body: (Value) -> Void, _ reaction: @escaping (GraphNode, Bool) -> Void) -> Observer {
    let connection = beginObserving()
    while true {
      refresh()
      let version = state.version
      let value = present
      body(value)
      refresh()
      // The first call may have written to what this depends on: then it is called again.
      if state.version == version { break }
      if let isEqual, isEqual(value, present) { break }
    }
    return endObserving(connection, reaction)
  }
}

extension ValueNode where Value: Equatable {
  /// The value is this one now, if it is another. The same as above, and faster.
  @inlinable @inline(__always)
  final func change(to value: Value) {
    if let former = current, former == value {
      if !_isPOD(Value.self) { keep(value, isFormer: false) }
    } else {
      set(value)
    }
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
