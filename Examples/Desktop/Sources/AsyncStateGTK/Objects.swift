// SPDX-License-Identifier: MIT
import AsyncState
import CGtk

/// A widget of any class.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer {
  /// The same object for functions of a class whose fields are private.
  public var opaque: OpaquePointer { OpaquePointer(self) }

  /// The same object as one of another class, which GTK checks.
  public func cast<Other>() -> UnsafeMutablePointer<Other> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Other.self)
  }
}

extension OpaquePointer {
  /// The same object for functions of any object.
  public var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

// MARK: - Signals

/// What a signal is emitted with; the object that emits it is number 0.
@Gtk public struct SignalArguments {
  fileprivate let values: UnsafePointer<GValue>

  /// An argument that is an object.
  public func object(_ index: Int) -> OpaquePointer? {
    g_value_get_object(asyncstate_value_at(values, guint(index))).map { OpaquePointer($0) }
  }
  /// An argument that is a number without a sign.
  public func number(_ index: Int) -> Int { Int(g_value_get_uint(asyncstate_value_at(values, guint(index)))) }
  /// An argument that is a set of flags.
  public func flags(_ index: Int) -> Int { Int(g_value_get_flags(asyncstate_value_at(values, guint(index)))) }
}

/// Calls a function at each emission of a signal, until the object is finalized.
@Gtk public func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping () -> Void) {
  connect(object, signal) { _ in
    body()
    return false
  }
}

/// Calls a function at each emission of a signal, until the object is finalized.
///
/// - Parameter body: Returns whether the signal was handled, where the signal has such an answer.
@Gtk public func connect(
  _ object: UnsafeMutableRawPointer, _ signal: String, _ body: @escaping (SignalArguments) -> Bool
) {
  let closure = asyncstate_closure(
    Unmanaged.passRetained(Handler(body)).toOpaque(),
    { closure, result, _, arguments, _, _ in
      guard let data = closure?.pointee.data, let arguments else { return }
      // Justified: the pointers are used before the callback returns, on the thread that called it. Noticed: each test.
      nonisolated(unsafe) let (answer, values) = (result, arguments)
      let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
      Gtk.assumeIsolated {
        let isHandled = handler.body(SignalArguments(values: values))
        if let answer, answer.pointee.g_type == asyncstate_boolean_type() {
          g_value_set_boolean(answer, isHandled ? 1 : 0)
        }
      }
    }, { data, _ in if let data { Unmanaged<Handler>.fromOpaque(data).release() } })
  g_signal_connect_closure(object, signal, closure, 0)
}

@Gtk private final class Handler {
  let body: (SignalArguments) -> Bool
  init(_ body: @escaping (SignalArguments) -> Bool) { self.body = body }
}

// MARK: - Properties

/// The value of a property of an object.
public protocol PropertyValue {
  /// Sets a property of an object to this value.
  @Gtk func set(_ property: String, of object: UnsafeMutableRawPointer)
}

extension String: PropertyValue {
  /// Sets a property that is a text.
  public func set(_ property: String, of object: UnsafeMutableRawPointer) {
    asyncstate_set_string(object, property, self)
  }
}

extension Bool: PropertyValue {
  /// Sets a property that is a condition.
  public func set(_ property: String, of object: UnsafeMutableRawPointer) {
    asyncstate_set_boolean(object, property, self ? 1 : 0)
  }
}

/// Sets a property now, and whenever the observed value changes, until the object is finalized.
///
/// ```swift
/// bind(button, "sensitive", to: !resource.observed.isRunning)
/// ```
@Gtk public func bind<Value: PropertyValue>(
  _ object: UnsafeMutableRawPointer, _ property: String, to observed: Observed<Value>
) {
  retain(observed.observe { $0.set(property, of: object) }, by: object)
}

/// Keeps a reference until an object is finalized.
@Gtk public func retain(_ reference: AnyObject, by object: UnsafeMutableRawPointer) {
  let object = object.assumingMemoryBound(to: GObject.self)
  if let kept = g_object_get_data(object, "AsyncState") {
    Unmanaged<References>.fromOpaque(kept).takeUnretainedValue().all.append(reference)
  } else {
    let kept = References()
    kept.all.append(reference)
    g_object_set_data_full(object, "AsyncState", Unmanaged.passRetained(kept).toOpaque()) { kept in
      if let kept { Unmanaged<References>.fromOpaque(kept).release() }
    }
  }
}

private final class References {
  var all: [AnyObject] = []
}
