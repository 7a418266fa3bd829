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
    nonmutating set { location.write(newValue) }
  }
  /// A binding to it.
  @MainActor public var projectedValue: Binding<Value> {
    let location = location
    return Binding(
      get: { location.value as! Value }, set: { location.write($0) },
      identity: .init(location: location, value: location.value))
  }
}

/// The value of a state: what was written last, and what is drawn. They differ until the update is drawn that has written it.
final class StateLocation {
  private var latest: Any
  private var drawn: Any
  /// Called with each value that is written; nil: the state is not drawn.
  var didWrite: ((StateLocation, Any) -> Void)?

  init(_ value: Any) { (latest, drawn) = (value, value) }

  var value: Any { Drawing.isOpen ? drawn : latest }

  func write(_ value: Any) {
    latest = value
    if let didWrite { didWrite(self, value) } else { drawn = value }
  }

  func draw(_ value: Any) { drawn = value }
}

/// Whether a body is being called.
enum Drawing {
  private static let depth = Atomic(0)
  static var isOpen: Bool { depth.load(ordering: .relaxed) > 0 }

  static func run<Result>(_ body: () -> Result) -> Result {
    depth.add(1, ordering: .relaxed)
    defer { depth.subtract(1, ordering: .relaxed) }
    return body()
  }
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
  /// What is compared of two bindings; nil for one of closures, which differs from each other one.
  let identity: BindingIdentity?

  /// A binding of two closures.
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.init(get: get, set: set, identity: nil)
  }
  init(get: @escaping () -> Value, set: @escaping (Value) -> Void, identity: BindingIdentity?) {
    self.get = get
    self.set = set
    self.identity = identity
  }
  /// The value.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  /// Itself.
  public var projectedValue: Binding<Value> { self }
}

/// The state that a binding is of, and its value when the binding was made.
struct BindingIdentity {
  let location: StateLocation
  let value: Any
}

/// A binding of any value.
@MainActor
protocol AnyBinding {
  var identity: BindingIdentity? { get }
}
extension Binding: AnyBinding {}
