// SPDX-License-Identifier: MIT
@_exported public import Foundation

/// What a test uses to drive the stand-in and to see what it found. Nothing of this exists in AppKit.
@MainActor
public enum StandIn {
  /// The source of a rule of the stand-in.
  enum Rule: String {
    /// AppKit raises an exception, or says that it may.
    case assertion
    /// Apple's documentation states it; AppKit does not check it.
    case documented
    /// Neither: a rule of this stand-in, which an adapter of good manners keeps.
    case strict
  }

  /// Called for each violation, with its rule. While it is nil, which is the default, the first one stops the process.
  public static var onViolation: ((String) -> Void)?

  static func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    let violation = "\(message()) (\(rule.rawValue))"
    if let onViolation { onViolation(violation) } else { fatalError("AppKit stand-in: \(violation)") }
  }

  struct Weak {
    weak var controller: NSViewController?
  }
  static var registered: [Weak] = []

  /// What is not in order although nothing is under way.
  public static func audit() -> [String] {
    registered.compactMap(\.controller).flatMap { controller in
      let isVisible = controller.viewIfLoaded?.isVisible == true
      var findings: [String] = []
      if controller.isAppeared != isVisible { findings.append("\(controller): appearance and view do not agree") }
      if controller.parent == nil, controller.viewIfLoaded?.superview?.controller != nil {
        findings.append("\(controller) has no parent, and its view is in another's")
      }
      if controller.viewIfLoaded.map({ $0.alphaValue != 1 }) == true { findings.append("\(controller) is translucent") }
      return findings
    }
  }

  /// Forgets everything, for the next test.
  public static func reset() {
    let former = animations + ended
    animations = []
    ended = []
    durations = []
    implicitGroups = 0
    registered = []
    onViolation = nil
    withExtendedLifetime(former) {}
  }

  /// The animations that run, oldest first.
  public static var animations: [@Sendable () -> Void] = []

  /// How long the groups took since the last reset.
  public static var durations: [TimeInterval] = []

  /// How many groups also animated what was changed directly, since the last reset.
  public static var implicitGroups = 0

  /// Ends the oldest animation.
  public static func endAnimation() {
    guard !animations.isEmpty else { return }
    ended.append(animations.removeFirst())
    ended.last?()
  }
  // When AppKit releases a completion that it has called is not documented.
  private static var ended: [@Sendable () -> Void] = []
}
