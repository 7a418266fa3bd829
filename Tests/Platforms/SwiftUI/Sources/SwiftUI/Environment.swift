// SPDX-License-Identifier: MIT
/// A value of the environment: how it is named, and what it is by default.
public protocol EnvironmentKey {
  /// What the value is.
  associatedtype Value
  /// What it is by default. Not isolated.
  static var defaultValue: Value { get }
}

/// What a view passes on to all below it, also to sheets that are presented from there.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]
  /// The defaults.
  public init() {}
  /// The value of a key.
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
  /// What the next `refreshable` above does. A list in such an environment can be pulled.
  public internal(set) var refresh: RefreshAction?
}

/// What a pull does.
public struct RefreshAction {
  let attachment: RefreshAttachment
  /// Refreshes, and suspends until that is over.
  @MainActor public func callAsFunction() async { await attachment.run().value }
}

/// A value of the environment that a view reads.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  let link = EnvironmentLink()
  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
  /// The value, in `body`.
  public var wrappedValue: Value { (link.values ?? EnvironmentValues())[keyPath: keyPath] }
}

final class EnvironmentLink {
  var values: EnvironmentValues?
}

protocol EnvironmentProperty {
  var link: EnvironmentLink { get }
  /// Whether the value is another one in `next`.
  @MainActor func differs(in next: EnvironmentValues) -> Bool
}
extension Environment: EnvironmentProperty {
  @MainActor func differs(in next: EnvironmentValues) -> Bool {
    !Inputs.areEqual(wrappedValue, next[keyPath: keyPath])
  }
}

extension View {
  /// Changes the environment of this view and of those below.
  public nonisolated func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    let change = UncheckedBox((keyPath, transform))
    return environment { node in node.transform = { change.value.1(&$0[keyPath: change.value.0]) } }
  }

  /// Sets a value of the environment.
  public nonisolated func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    transformEnvironment(keyPath) { $0 = value }
  }

  /// Presents a sheet, which inherits the environment from here.
  public nonisolated func sheet<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    let parts = UncheckedBox((self, content))
    return Deferred {
      TupleView((), isPresented.wrappedValue ? [parts.value.0, parts.value.1()] : [parts.value.0])
    }
  }
}

/// Why a view is drawn as a placeholder.
public struct RedactionReasons: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int
  /// Reasons of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// The content is not there yet.
  public static let placeholder = RedactionReasons(rawValue: 1)
}

private enum RedactionKey: EnvironmentKey {
  static let defaultValue = RedactionReasons()
}

extension EnvironmentValues {
  /// Why views are drawn as placeholders.
  public var redactionReasons: RedactionReasons {
    get { self[RedactionKey.self] }
    set { self[RedactionKey.self] = newValue }
  }
}

/// A colour or a material.
public protocol ShapeStyle: Sendable {}
/// A translucent background.
public struct Material: ShapeStyle {
  /// As bars have it.
  public static let bar = Material()
}
extension ShapeStyle where Self == Material {
  /// As bars have it.
  public static var bar: Material { Material() }
}
/// The size of a text.
public struct Font: Sendable {
  /// For notes.
  public static let footnote = Font()
}

/// What becomes of the elements below one.
public struct AccessibilityChildBehavior: Hashable, Sendable {
  private let number: Int
  /// VoiceOver does not find them.
  public static let ignore = AccessibilityChildBehavior(number: 0)
}

/// How a scene stands to the user.
public enum ScenePhase: Comparable, Sendable {
  /// It is not visible.
  case background
  /// It is visible, and gets no touches.
  case inactive
  /// It is in use.
  case active
}

private enum ScenePhaseKey: EnvironmentKey {
  static let defaultValue = ScenePhase.active
}

extension EnvironmentValues {
  /// The phase of the scene.
  public var scenePhase: ScenePhase {
    get { self[ScenePhaseKey.self] }
    set { self[ScenePhaseKey.self] = newValue }
  }
}

/// How large the user wants texts.
public enum DynamicTypeSize: Int, Comparable, Sendable {
  /// The usual one.
  case large
  /// The first of the accessibility sizes.
  case accessibility1
  /// Whether it is one of the accessibility sizes.
  public var isAccessibilitySize: Bool { self >= .accessibility1 }
  /// Whether the left one is smaller.
  public static func < (left: DynamicTypeSize, right: DynamicTypeSize) -> Bool { left.rawValue < right.rawValue }
}

private enum DynamicTypeKey: EnvironmentKey {
  static let defaultValue = DynamicTypeSize.large
}

extension EnvironmentValues {
  /// How large the user wants texts.
  public var dynamicTypeSize: DynamicTypeSize {
    get { self[DynamicTypeKey.self] }
    set { self[DynamicTypeKey.self] = newValue }
  }
}

private enum PresentedKey: EnvironmentKey {
  static let defaultValue = false
}

extension EnvironmentValues {
  /// Whether the view is presented: pushed onto a stack, in a sheet and the like. False again when it is on its way out.
  public internal(set) var isPresented: Bool {
    get { self[PresentedKey.self] }
    set { self[PresentedKey.self] = newValue }
  }
}

extension View {
  /// For tests: the view is presented, or slides out. Nothing of this exists in SwiftUI under this name.
  public nonisolated func presented(_ isPresented: Bool) -> some View {
    transformEnvironment(\.isPresented) { $0 = isPresented }
  }
}
