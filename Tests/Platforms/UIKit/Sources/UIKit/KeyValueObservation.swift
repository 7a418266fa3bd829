// SPDX-License-Identifier: MIT
/// An observation of a property. It ends when it is released.
public final class NSKeyValueObservation: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The change that an observer is notified of.
public struct NSKeyValueObservedChange<Value> {}

/// The observers of one object.
@MainActor
final class KeyValueObservers {
  private struct Entry {
    let property: AnyKeyPath
    weak var observation: NSKeyValueObservation?
  }
  private var entries: [Entry] = []

  func add(_ property: AnyKeyPath, _ body: @escaping @Sendable () -> Void) -> NSKeyValueObservation {
    let observation = NSKeyValueObservation(body)
    entries.append(Entry(property: property, observation: observation))
    return observation
  }

  func notify(_ property: AnyKeyPath) {
    entries.removeAll { $0.observation == nil }
    for entry in entries where entry.property == property { entry.observation?.body() }
  }
}

// Foundation has one function for all objects. Which properties of UIKit's can be observed is not documented; those of items
// of bars are known to be.
extension UINavigationItem {
  /// Calls `changeHandler` after each change of a property.
  public func observe<Value>(
    _ keyPath: KeyPath<UINavigationItem, Value>,
    changeHandler: @escaping @Sendable (UINavigationItem, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observers.add(keyPath) { [weak self] in if let self { changeHandler(self, NSKeyValueObservedChange()) } }
  }
}
extension UITabBarItem {
  /// Calls `changeHandler` after each change of a property.
  public func observe<Value>(
    _ keyPath: KeyPath<UITabBarItem, Value>,
    changeHandler: @escaping @Sendable (UITabBarItem, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observers.add(keyPath) { [weak self] in if let self { changeHandler(self, NSKeyValueObservedChange()) } }
  }
}
extension UIViewController {
  /// Calls `changeHandler` after each change of a property.
  public func observe<Value>(
    _ keyPath: KeyPath<UIViewController, Value>,
    changeHandler: @escaping @Sendable (UIViewController, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    observers.add(keyPath) { [weak self] in if let self { changeHandler(self, NSKeyValueObservedChange()) } }
  }
}
