/// A value that changes, and that one can observe, derive other values from, and bind to a property.
///
/// `map`, `zip`, `flatMap` and member look-up give derived values. A derived value is computed when somebody asks or
/// observes, and not again before what it is derived from has changed. A change reaches every derived value before any
/// observer hears, so an observer never sees a mixture of old and new. Where the value is `Equatable`, a change to an
/// equal value is no change.
///
/// An observed value belongs to the actor that made it, and tells on that actor, synchronously.
@dynamicMemberLookup
public class Observed<Value> {
  @usableFromInline let node: ValueNode<Value>

  @inlinable
  init(_ node: ValueNode<Value>) {
    self.node = node
  }

  /// The value as it stands, computed now if what it is derived from has changed.
  @inlinable
  public var value: Value { node.read() }

  /// Calls `body` with the current value before it returns, and then with each change.
  ///
  /// Observers hear in the order in which they registered. A write that an observer makes to the very value that is
  /// being told is seen by readers at once, and told when everybody has heard the one before.
  ///
  /// - Returns: What keeps the observation, and all that it is derived from, alive. The observation ends when the token
  ///   is cancelled or let go.
  @inlinable
  public func observe(_ body: @escaping (Value) -> Void) -> ObservationToken {
    ObservationToken(node: node, order: node.addObserver(body))
  }

  // MARK: Derived values

  /// The value that `transform` makes of this one. Every change of this one is a change of it.
  ///
  /// - Parameter transform: A pure function. It runs at most once for a change, and only while somebody wants to know.
  @inlinable
  public func map<T>(_ transform: @escaping (Value) -> T) -> Observed<T> {
    Observed<T>(.map(node, transform))
  }

  /// The value that `transform` makes of this one. It changes when the result is another.
  ///
  /// - Parameter transform: A pure function. It runs at most once for a change, and only while somebody wants to know.
  @inlinable
  public func map<T: Equatable>(_ transform: @escaping (Value) -> T) -> Observed<T> {
    Observed<T>(.map(node, transform))
  }

  /// The value of whichever other observed value `transform` chooses. Only the chosen one is followed.
  @inlinable
  public func flatMap<T>(_ transform: @escaping (Value) -> Observed<T>) -> Observed<T> {
    Observed<T>(.flatMap(node) { transform($0).node })
  }

  /// The value of whichever other observed value `transform` chooses. Only the chosen one is followed; choosing another
  /// with an equal value is no change.
  @inlinable
  public func flatMap<T: Equatable>(_ transform: @escaping (Value) -> Observed<T>) -> Observed<T> {
    Observed<T>(.flatMap(node) { transform($0).node })
  }

  /// This value and another side by side. A change of both, as in a ``batch(_:)``, is one change.
  @inlinable
  public func zip<Other>(_ other: Observed<Other>) -> Observed<(Value, Other)> {
    Observed<(Value, Other)>(.zip(node, other.node))
  }

  /// A member of the value, as an observed value of its own.
  @inlinable
  public subscript<T>(dynamicMember keyPath: KeyPath<Value, T>) -> Observed<T> {
    map { $0[keyPath: keyPath] }
  }

  /// A member of the value, as an observed value of its own. It changes when the member is another.
  @inlinable
  public subscript<T: Equatable>(dynamicMember keyPath: KeyPath<Value, T>) -> Observed<T> {
    map { $0[keyPath: keyPath] }
  }

  /// A value that never changes.
  @inlinable
  public static func constant(_ value: Value) -> Observed<Value> {
    let node = InputNode(value, isEqual: nil)
    node.close()
    return Observed(node)
  }
}
