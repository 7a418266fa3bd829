// SPDX-License-Identifier: MIT
/// The rule for two values being the same, where one is set or two rows are compared: the same object for class
/// instances, else `==` where the type is `Equatable`, else never. Found at run time, so that generic code behaves like
/// concrete code.
///
/// A class, because a closure that was made where the type is known would be called by way of several others.
@usableFromInline
class Sameness<Value> {
  fileprivate init() {}

  /// - Parameter sample: Any value. Its dynamic type is not `Value` where that is a protocol type.
  static func found(by sample: Value) -> Sameness {
    let byValue = (Value.self as? any Equatable.Type).map { equalValues(of: $0) } ?? Sameness()
    if Value.self is AnyObject.Type { return SameObjects(otherwise: byValue) }
    return type(of: sample as Any) == Value.self ? byValue : SameObjects(otherwise: byValue)
  }

  private static func equalValues<Known: Equatable>(of type: Known.Type) -> Sameness {
    // `Known` is `Value` under another name, so the cast cannot fail.
    EqualValues<Known>() as Any as? Sameness ?? Sameness()
  }

  @usableFromInline
  func areSame(_ former: Value, _ new: Value) -> Bool { false }

  /// The same, but for objects: one that is the same may have changed.
  @usableFromInline
  func areEqual(_ former: Value, _ new: Value) -> Bool { false }
}

private final class EqualValues<Value: Equatable>: Sameness<Value> {
  override func areSame(_ former: Value, _ new: Value) -> Bool { former == new }
  override func areEqual(_ former: Value, _ new: Value) -> Bool { former == new }
}

private final class SameObjects<Value>: Sameness<Value> {
  private let other: Sameness<Value>

  /// - Parameter other: Decides about values that are no class instances.
  init(otherwise other: Sameness<Value>) {
    self.other = other
    super.init()
  }

  override func areSame(_ former: Value, _ new: Value) -> Bool {
    let areObjects = type(of: former as Any) is AnyObject.Type && type(of: new as Any) is AnyObject.Type
    return areObjects ? (former as AnyObject) === (new as AnyObject) : other.areSame(former, new)
  }
}

/// Compares values of a type as ``Sameness`` does, which is found with the first of them.
package func sameness<Value>(of _: Value.Type) -> (_ former: Value, _ new: Value) -> Bool {
  var found: Sameness<Value>?
  return { former, new in
    let sameness = found ?? .found(by: former)
    found = sameness
    return sameness.areSame(former, new)
  }
}
