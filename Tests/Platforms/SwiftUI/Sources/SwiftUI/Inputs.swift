// SPDX-License-Identifier: MIT
/// Whether two values of a view have equal inputs, so that it is not drawn again with its parent.
///
/// SwiftUI compares them field by field: by `==` where there is one, objects by identity, what has no references by its bytes.
/// What a view has beside its values is left out. Closures are never equal here; in SwiftUI those without captured
/// values are.
@MainActor
enum Inputs {
  static func areEqual(_ left: Any, _ right: Any) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    if left is any StateProperty || left is any EnvironmentProperty { return true }
    if let left = left as? any AnyBinding, let right = right as? any AnyBinding { return areEqual(left, right) }
    if let left = left as? AnyKeyPath, let right = right as? AnyKeyPath { return left == right }
    if type(of: left) is AnyClass { return left as AnyObject === right as AnyObject }
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    if let isSame = areSameBytes(left, right) { return isSame }
    let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch left.displayStyle {
    case .optional where left.children.isEmpty || right.children.isEmpty:
      return left.children.isEmpty && right.children.isEmpty
    case .struct, .tuple, .enum, .optional, .collection:
      return !left.children.isEmpty && left.children.count == right.children.count
        && zip(left.children, right.children).allSatisfy { $0.label == $1.label && areEqual($0.value, $1.value) }
    default: return false
    }
  }

  private static func areEqual(_ left: any AnyBinding, _ right: any AnyBinding) -> Bool {
    guard let left = left.identity, let right = right.identity else { return false }
    return left.location === right.location && areEqual(left.value, right.value)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, to right: Any) -> Bool { left == right as? Value }

  /// Nil for a value with references.
  private static func areSameBytes<Value>(_ left: Value, _ right: Any) -> Bool? {
    guard _isPOD(Value.self), let right = right as? Value else { return nil }
    return withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
  }
}
