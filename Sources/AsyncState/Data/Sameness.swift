/// What it means to set the same value again: the same object for class instances, else `==` where there is one, else
/// never.
@usableFromInline
enum Sameness {
  /// For values whose type says nothing of equality.
  @inlinable
  static func byIdentity<Value>(_ former: Value, _ new: Value) -> Bool {
    // Through `Any`, because a value of a protocol type tells its dynamic type only there.
    guard type(of: former as Any) is AnyObject.Type, type(of: new as Any) is AnyObject.Type else { return false }
    return (former as AnyObject) === (new as AnyObject)
  }

  /// For values that can be compared.
  @inlinable
  static func byEquality<Value: Equatable>(_ former: Value, _ new: Value) -> Bool {
    Value.self is AnyObject.Type ? byIdentity(former, new) : former == new
  }

  /// Two answers are the same when both say "nothing", or both say the same.
  @inlinable
  static func holds<Value>(_ former: Value?, _ new: Value?, by isSame: (Value, Value) -> Bool) -> Bool {
    switch (former, new) {
    case (nil, nil): true
    case (let former?, let new?): isSame(former, new)
    case (nil, _?), (_?, nil): false
    }
  }
}
