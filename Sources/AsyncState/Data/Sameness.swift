/// What it means to set the same value again: the same object for class instances, else `==` where the type is
/// `Equatable`, else never. Found at run time, so that generic code behaves like concrete code.
struct Sameness<Value> {
  private let areEqual: ((Value, Value) -> Bool)?

  init() {
    areEqual = if let type = Value.self as? any Equatable.Type { Self.equality(of: type) } else { nil }
  }

  private static func equality<Known: Equatable>(of type: Known.Type) -> ((Value, Value) -> Bool)? {
    let equality: (Known, Known) -> Bool = { $0 == $1 }
    // `Known` is `Value`, so this is the very function.
    return equality as Any as? (Value, Value) -> Bool
  }

  func holds(_ former: Value, _ new: Value) -> Bool {
    // Through `Any`, because only there a value of a protocol type shows its dynamic type.
    if type(of: former as Any) is AnyObject.Type, type(of: new as Any) is AnyObject.Type {
      return (former as AnyObject) === (new as AnyObject)
    }
    return areEqual?(former, new) ?? false
  }
}

extension AsyncData {
  /// Two answers are the same when both say that there is no data, or both give the same value.
  @usableFromInline
  func isSame(_ former: Value?, _ new: Value?) -> Bool {
    switch (former, new) {
    case (nil, nil): return true
    case (let former?, let new?):
      let sameness = state.sameness ?? Sameness()
      if state.sameness == nil { state.sameness = sameness }
      return sameness.holds(former, new)
    case (nil, _?), (_?, nil): return false
    }
  }
}
