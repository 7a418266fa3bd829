/// What it means to set the same value again: the same object for class instances, else `==` where the type is
/// `Equatable`, else never. Found at run time, so that generic code behaves like concrete code.
@usableFromInline
struct Sameness<Value> {
  @usableFromInline let areSame: (Value, Value) -> Bool

  /// - Parameter sample: Any value. Its dynamic type is not `Value` where that is a protocol type.
  @usableFromInline
  init(sample: Value) {
    let areEqual = if let type = Value.self as? any Equatable.Type { Self.equality(of: type) } else { Self.never }
    if Value.self is AnyObject.Type {
      areSame = Self.areIdentical
    } else if type(of: sample as Any) == Value.self {
      areSame = areEqual
    } else {
      areSame = {
        let areObjects = type(of: $0 as Any) is AnyObject.Type && type(of: $1 as Any) is AnyObject.Type
        return areObjects ? Self.areIdentical($0, $1) : areEqual($0, $1)
      }
    }
  }

  private static func never(_ former: Value, _ new: Value) -> Bool { false }

  private static func areIdentical(_ former: Value, _ new: Value) -> Bool {
    (former as AnyObject) === (new as AnyObject)
  }

  private static func equality<Known: Equatable>(of type: Known.Type) -> (Value, Value) -> Bool {
    let equality: (Known, Known) -> Bool = { $0 == $1 }
    // `Known` is `Value`, so this is the very function.
    return equality as Any as? (Value, Value) -> Bool ?? never
  }
}

extension AsyncData {
  /// Two answers are the same when both say that there is no data, or both give the same value.
  @inlinable
  func isSame(_ former: Value?, _ new: Value?) -> Bool {
    switch (former, new) {
    case (nil, nil): return true
    case (let former?, let new?):
      let sameness = state.sameness ?? Sameness(sample: former)
      if state.sameness == nil { state.sameness = sameness }
      return sameness.areSame(former, new)
    case (nil, _?), (_?, nil): return false
    }
  }
}
