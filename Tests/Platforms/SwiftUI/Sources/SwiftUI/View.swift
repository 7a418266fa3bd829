// SPDX-License-Identifier: MIT
@_exported public import Observation

/// A part of an interface. From the documentation; conforming in the primary declaration isolates a type.
@MainActor @preconcurrency
public protocol View {
  /// What `body` makes.
  associatedtype Body: View
  /// What the view consists of.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  /// There is none.
  public var body: Never { fatalError("Never has no body.") }
}

/// A view of the stand-in itself, without a body.
@MainActor
protocol Primitive {
  /// Brings the children of a node up to date.
  func update(_ node: Node)
}

extension View where Body == Never {
  /// There is none.
  public var body: Never { fatalError("\(Self.self) has no body.") }
}

/// Puts views together.
@resultBuilder
@MainActor
public enum ViewBuilder {
  /// Nothing.
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// One.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Several.
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    var parts: [any View] = []
    repeat parts.append(each content)
    return TupleView((repeat each content), parts)
  }
  /// One of two.
  public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
    .init(side: .first(first))
  }
  /// One of two.
  public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
    .init(side: .second(second))
  }
  /// One or nothing.
  public static func buildOptional<Content: View>(_ content: Content?) -> Content? { content }
}

/// Several views.
public struct TupleView<T>: View {
  /// The views.
  public let value: T
  private let parts: [any View]
  init(_ value: T, _ parts: [any View]) {
    self.value = value
    self.parts = parts
  }
}
extension TupleView: Primitive {
  func update(_ node: Node) { node.reconcile(parts.enumerated().map { (AnyHashable($0.offset), $0.element) }) }
}

/// One of two views: each side has an identity of its own.
public struct _ConditionalContent<First: View, Second: View>: View {
  enum Side {
    case first(First)
    case second(Second)
  }
  let side: Side
}
extension _ConditionalContent: Primitive {
  func update(_ node: Node) {
    switch side {
    case .first(let view): node.reconcile([("first", view)])
    case .second(let view): node.reconcile([("second", view)])
    }
  }
}

extension Optional: View where Wrapped: View {
  /// There is none.
  public typealias Body = Never
}
extension Optional: Primitive where Wrapped: View {
  func update(_ node: Node) { node.reconcile(map { [("some", $0)] } ?? []) }
}

/// Nothing. Its modifiers are not called: `task` on it never starts.
public struct EmptyView: View {
  /// Nothing.
  public init() {}
}
extension EmptyView: Primitive {
  func update(_ node: Node) { node.reconcile([]) }
}
