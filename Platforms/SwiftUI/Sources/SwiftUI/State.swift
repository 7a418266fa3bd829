// SPDX-License-Identifier: MIT
internal import Synchronization

/// What a view has beside its values, such as a wrapper of one's own that has a state.
public protocol DynamicProperty {
  /// Called before `body`.
  mutating func update()
}
extension DynamicProperty {
  /// Nothing.
  public mutating func update() {}
}

/// How the initial value of a ``State`` is made. Nothing of this exists in SwiftUI.
public enum StateStandIn {
  /// Whether it is made once for an identity, as the macro of Xcode 27 does; otherwise each time that the view is made,
  /// as the property wrapper of former versions does.
  public static var isLazy: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
  private static let flag = Atomic(false)
}

/// What a view keeps while it has its identity. Initialised once for an identity.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let makeInitial: () -> Value
  private var initial: Value { makeInitial() }
  let link = StateLink()

  /// The initial value.
  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    if StateStandIn.isLazy {
      makeInitial = wrappedValue
    } else {
      let value = wrappedValue()
      makeInitial = { value }
    }
  }

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
public struct Binding<Value>: DynamicProperty {
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
