// SPDX-License-Identifier: MIT
/// How large the user wants texts.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A size.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The usual one.
  public static let large = UIContentSizeCategory(rawValue: "L")
  /// The first of the accessibility sizes.
  public static let accessibilityMedium = UIContentSizeCategory(rawValue: "accessibility M")
  /// Whether it is one of the accessibility sizes.
  public var isAccessibilityCategory: Bool { rawValue.hasPrefix("accessibility") }
}

/// What the user has chosen, and what the window is like.
@MainActor
public final class UITraitCollection {
  /// How large the user wants texts.
  public var preferredContentSizeCategory: UIContentSizeCategory { StandIn.contentSizeCategory }
}

/// A trait.
public protocol UITraitDefinition {}
/// Types of traits.
public typealias UITrait = any UITraitDefinition.Type
/// How large the user wants texts.
public struct UITraitPreferredContentSizeCategory: UITraitDefinition {}

/// What can be registered for changes of traits.
@MainActor
public protocol UITraitChangeObservable: AnyObject {}
/// A registration.
@MainActor
public protocol UITraitChangeRegistration: AnyObject {}
extension UIView: UITraitChangeObservable {}

extension UITraitChangeObservable {
  /// Calls `handler` after each change of one of the traits, as long as this is there.
  @discardableResult
  public func registerForTraitChanges(
    _ traits: [UITrait], handler: @escaping (_ observer: Self, _ former: UITraitCollection) -> Void
  ) -> any UITraitChangeRegistration {
    TraitRegistration { [weak self] in if let self { handler(self, UITraitCollection()) } }
  }
}

@MainActor
final class TraitRegistration: UITraitChangeRegistration {
  static var all: [TraitRegistration] = []
  private let body: () -> Void
  init(_ body: @escaping () -> Void) {
    self.body = body
    Self.all.append(self)
  }
  static func notifyAll() { for registration in all { registration.body() } }
}

/// A transition of UIKit's own containers.
@MainActor
public protocol UIViewControllerTransitionCoordinator: AnyObject {
  /// Whether the user leads it, and may take it back.
  var isInteractive: Bool { get }
}

@MainActor
final class TransitionCoordinator: UIViewControllerTransitionCoordinator {
  let isInteractive: Bool
  init(isInteractive: Bool) { self.isInteractive = isInteractive }
}
