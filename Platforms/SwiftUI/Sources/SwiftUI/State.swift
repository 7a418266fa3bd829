// SPDX-License-Identifier: MIT
/// What a view keeps while it has its identity. Initialised once for an identity.
@propertyWrapper
public struct State<Value> {
  private let initial: Value
  let link = StateLink()

  /// The initial value.
  public init(wrappedValue: Value) { initial = wrappedValue }

  private var location: StateLocation {
    // Outside `body` there is no identity: reads give the initial value, writes are lost.
    link.location ?? StateLocation(initial)
  }

  /// The value.
  public var wrappedValue: Value {
    get { location.value as! Value }
    nonmutating set {
      location.value = newValue
      location.didChange?()
    }
  }
  /// A binding to it.
  @MainActor public var projectedValue: Binding<Value> {
    let location = location
    return Binding(
      get: { location.value as! Value },
      set: {
        location.value = $0; location.didChange?()
      })
  }
}

final class StateLocation {
  var value: Any
  var didChange: (() -> Void)?
  init(_ value: Any) { self.value = value }
}

final class StateLink {
  var location: StateLocation?
}

protocol StateProperty {
  var link: StateLink { get }
  func makeLocation() -> StateLocation
}

extension State: StateProperty {
  func makeLocation() -> StateLocation { StateLocation(initial) }
}

/// A value that is kept elsewhere.
@propertyWrapper
@MainActor
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void
  /// A binding of two closures.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }
  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  /// Itself.
  public var projectedValue: Binding<Value> { self }
}
