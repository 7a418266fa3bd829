// SPDX-License-Identifier: MIT
/// A value that changes, and that one can observe, derive other values from, and bind to a property.
///
/// `map`, `zip`, `flatMap` and member look-up return derived values. A derived value is computed when it is read or observed,
/// and not again before one of its sources has changed. A change reaches every derived value before any observer is called, so
/// an observer never sees a mixture of old and new. If the value is `Equatable`, a change to an equal value is no change.
///
/// An observed value belongs to the actor that created it, and calls observers on that actor, synchronously. It may be
/// released on any thread.
@dynamicMemberLookup
public class Observed<Value> {
  @usableFromInline final let node: ValueNode<Value>

  @inlinable
  init(_ node: ValueNode<Value>) {
    self.node = node
  }

  /// The present value, computed now if one of its sources has changed. Observation does not track this read.
  ///
  /// - Complexity: Constant if none of its sources has changed since it was read. Otherwise O(*n*) for *n* values that it is
  ///   derived from.
  @inlinable
  public final var current: Value {
    node.refresh()
    return node.present
  }

  /// The value that was computed last; nil if it was never computed. It may be old.
  package final var lastComputed: Value? { node.current }

  /// Calls `body` with the current value before it returns, and then with each change.
  ///
  /// Observers are called in the order in which they were registered. A write that an observer makes to the value that is being
  /// reported is visible to readers at once, and reported after all observers were called with the one before.
  ///
  /// - Returns: A token that keeps the observation, and all values that it is derived from, alive. The observation ends when
  ///   the token is cancelled or released.
  /// - Complexity: O(*n*) for *n* values that this one is derived from and that are not observed yet, otherwise constant.
  @inlinable
  public final func observe(_ body: @escaping (Value) -> Void) -> ObservedToken {
    node.observe(body, ValueNode.reaction(body))
  }

  // MARK: Derived values

  /// The result of `transform` for this value. It changes when the result is a different one.
  ///
  /// - Parameter transform: A pure function. It runs at most once for a change, and only while the result is read or
  ///   observed.
  @inlinable
  public final func map<T>(_ transform: @escaping (Value) -> T) -> Observed<T> {
    Observed<T>(
      ValueNode(first: node, isEqual: equality(of: T.self)) { node, source, _ in
        ValueNode<T>.known(node).change(to: transform(ValueNode<Value>.known(source).present))
      })
  }

  /// The result of `transform` for this value. It changes when the result is a different one.
  ///
  /// - Parameter transform: A pure function. It runs at most once for a change, and only while the result is read or
  ///   observed.
  @inlinable
  public final func map<T: Equatable>(_ transform: @escaping (Value) -> T) -> Observed<T> {
    Observed<T>(
      ValueNode(first: node, isEqual: { $0 == $1 }) { node, source, _ in
        ValueNode<T>.known(node).change(to: transform(ValueNode<Value>.known(source).present))
      })
  }

  /// The value of the other observed value that `transform` chooses. Only the chosen one is followed; choosing another
  /// with an equal value is no change.
  public final func flatMap<T>(_ transform: @escaping (Value) -> Observed<T>) -> Observed<T> {
    Observed<T>(
      ValueNode(
        first: node, isEqual: equality(of: T.self),
        choose: { transform(ValueNode<Value>.known($0).present).node },
        compute: { ValueNode<T>.known($0).change(to: ValueNode<T>.known($2).present) }))
  }

  /// The value of the other observed value that `transform` chooses. Only the chosen one is followed; choosing another
  /// with an equal value is no change.
  @inlinable
  public final func flatMap<T: Equatable>(_ transform: @escaping (Value) -> Observed<T>) -> Observed<T> {
    Observed<T>(
      ValueNode(
        first: node, isEqual: { $0 == $1 },
        choose: { transform(ValueNode<Value>.known($0).present).node },
        compute: { ValueNode<T>.known($0).change(to: ValueNode<T>.known($2).present) }))
  }

  /// This value and another side by side. A change of both, as in a ``batch(_:)``, is one change.
  @inlinable
  public final func zip<Other>(_ other: Observed<Other>) -> Observed<(Value, Other)> {
    Observed<(Value, Other)>(
      ValueNode(first: node, second: other.node, isEqual: nil) {
        ValueNode<(Value, Other)>.known($0).set(
          (ValueNode<Value>.known($1).present, ValueNode<Other>.known($2).present))
      })
  }

  /// A member of the value, as an observed value of its own. It changes when the member does.
  public final subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> Observed<T> {
    map { $0[keyPath: keyPath] }
  }

  /// A member of the value, as an observed value of its own. It changes when the member does.
  @inlinable
  public final subscript<T: Equatable>(dynamicMember keyPath: KeyPath<Value, T>) -> Observed<T> {
    map { $0[keyPath: keyPath] }
  }

  /// A value that never changes.
  public static func constant(_ value: Value) -> Observed<Value> {
    Observed(InputNode(value, isEqual: nil))
  }
}

extension Observed: CustomStringConvertible {
  /// The type, and the value as it was computed last, as in `Input<Int>: 3`. Nothing is computed.
  ///
  /// Call it on the actor of the value.
  public var description: String { "\(type(of: self)): \(node.current.map { "\($0)" } ?? "not computed")" }
}
