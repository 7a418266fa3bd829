// SPDX-License-Identifier: MIT
/// A node with a value of a known type.
@usableFromInline
class ValueNode<Value>: GraphNode {
  /// The value that was computed last; nil before the first time.
  // Justified: checking the exclusivity of each access takes a third of a write. Only the owner's actor has access, and
  // no access is open while user code runs. Noticed: every test, because debug builds check.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline final var current: Value?

  /// Compares values: a change to an equal one is none. Nil if each write is a change.
  @usableFromInline final let isEqual: ((Value, Value) -> Bool)?

  /// The value that the observers of an input are being called with, if that is not the present one.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline final var older: Value?

  /// A node that is written.
  init(written value: Value, isEqual: ((Value, Value) -> Bool)?) {
    current = value
    self.isEqual = isEqual
    super.init()
  }

  /// A node that is derived from others.
  ///
  /// Neither closure captures a node of the graph itself: see `Recipe` for their arguments.
  @usableFromInline
  init(
    first: GraphNode, second: GraphNode? = nil, isEqual: ((Value, Value) -> Bool)?,
    choose: ((GraphNode) -> GraphNode)? = nil, compute: @escaping (GraphNode, GraphNode, GraphNode) -> Void
  ) {
    current = nil
    self.isEqual = isEqual
    super.init(first: first, second: second, choose: choose, compute: compute)
  }

  /// A node as one of this type.
  // Justified: closures that are made for one type of node are only called with that. A checked cast takes longer than
  // all else that a node does. Noticed: every test of the graph, because debug builds check the cast.
  @inlinable @inline(__always)
  static func known(_ node: GraphNode) -> ValueNode {
    unsafe unsafeDowncast(node, to: ValueNode.self)
  }

  /// The value as it was computed last.
  @inlinable @inline(__always)
  final var present: Value {
    guard let current else {
      fatalError("AsyncState: an observed value was read before it was computed: it depends on itself.")
    }
    return current
  }

  // MARK: Computing

  /// Sets the value. Called during a pull.
  @inlinable @inline(__always)
  final func set(_ value: Value) {
    noteComputed()
    var exchanged: Value? = value
    swap(&exchanged, &current)
    if !_isPOD(Value.self), let exchanged { keepUntilPullEnds(exchanged) }
  }

  /// Sets the value if it is different. Called during a pull.
  @inlinable @inline(__always)
  final func change(to value: Value) {
    if let isEqual, let former = current, isEqual(former, value) {
      if !_isPOD(Value.self) { keepUntilPullEnds(value) }
    } else {
      set(value)
    }
  }

  @usableFromInline
  final func keepUntilPullEnds(_ value: Value) {
    group.keep(value)
  }

  // MARK: Reporting

  final override func dropOlder() {
    let former = older
    older = nil
    withExtendedLifetime(former) {}
  }

  // MARK: Observing

  /// The work of an observer when it is called: it calls `body` with the value that is reported.
  @inlinable @inline(__always)
  static func reaction(_ body: @escaping (Value) -> Void) -> (Reaction) -> Void {
    { reaction in body(takeReported(for: reaction)) }
  }

  // By itself, so that no reference to the node is counted during the call of `body`.
  @inlinable @inline(__always)
  static func takeReported(for reaction: Reaction) -> Value {
    let value = known(reaction.node).reported
    unsafe unsafeDowncast(reaction, to: ValueReaction<Value>.self).last = value
    return value
  }

  /// The value that observers are called with.
  @inlinable @inline(__always)
  final var reported: Value { older ?? present }

  @usableFromInline
  final func observe(_ body: (Value) -> Void, _ reaction: @escaping (Reaction) -> Void) -> ObservedToken {
    ObservedToken(observer(body, reaction))
  }

  /// Calls `body` when the value may have changed, before values that are derived from it are computed, and again when they
  /// are. Changes of `body` are delivered by the round that it is called with.
  final func observeEarly(_ body: @escaping (EarlyRound) -> Void) -> ObservedToken {
    let observer = observer(
      { _ in },
      { _ in
        let round = EarlyRound()
        body(round)
        round.finish()
      }, early: body)
    downstream.state.hasEarlyObservers = true
    return ObservedToken(observer)
  }

  /// Calls `body` with the current value, and then the reaction with each change.
  final func observer(
    _ body: (Value) -> Void, _ reaction: @escaping (Reaction) -> Void, early: ((EarlyRound) -> Void)? = nil
  ) -> Observer {
    // Before the first call, so that writes of the call are brought up to date.
    downstream.gate.addObserver()
    var first: (value: Value, version: Int)
    repeat {
      refresh()
      first = (present, state.version)
      body(first.value)
      refresh()
      // The first call may have written to a source of this value: then it is called again.
    } while state.version != first.version && isEqual?(first.value, present) != true
    let observer = Observer(ValueReaction(self, first, reaction, callEarly: early), downstream.gate)
    downstream.add(observer)
    // A transform or `==` may have written since then, and found no observer to report to.
    if downstream.state.isOutdated || state.version != first.version { Round.run(downstream) }
    return observer
  }
}

extension ValueNode where Value: Equatable {
  /// Sets the value if it is different. The same as above, and faster.
  @inlinable @inline(__always)
  final func change(to value: Value) {
    if let former = current, former == value {
      if !_isPOD(Value.self) { keepUntilPullEnds(value) }
    } else {
      set(value)
    }
  }
}

extension GraphNode {
  /// Notes that the value has changed.
  @usableFromInline
  final func noteComputed() {
    state.version &+= 1
    state.reportedVersion = state.version
  }
}

/// `==` of a type, found at run time; nil if it has none. So generic code behaves like code that knows the type.
@usableFromInline
func equality<Value>(of _: Value.Type) -> ((Value, Value) -> Bool)? {
  func equality<Known: Equatable>(of _: Known.Type) -> Any {
    let isEqual: (Known, Known) -> Bool = { $0 == $1 }
    return isEqual
  }
  guard let known = Value.self as? any Equatable.Type else { return nil }
  return equality(of: known) as? (Value, Value) -> Bool
}
