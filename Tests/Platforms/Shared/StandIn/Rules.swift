// SPDX-License-Identifier: MIT
@_exported public import Foundation

/// What a test uses to drive the stand-in and to see what it found. Nothing of this exists in the framework.
///
/// The stand-in is written from Apple's documentation. It runs no layout and draws nothing. Animations and transitions
/// end when the test ends them.
@MainActor
public enum StandIn {
  /// The source of a rule of the stand-in.
  enum Rule: String {
    /// The framework raises an exception, or says that it may.
    case assertion
    /// Apple's documentation states it; the framework does not check it, or writes a line to the log.
    case documented
    /// Neither: a rule of this stand-in, which an adapter of good manners keeps.
    case strict
  }

  /// Called for each violation, with its rule. While it is nil, which is the default, the first one stops the process.
  public static var onViolation: ((String) -> Void)?

  static func violation(_ rule: Rule, _ message: String) {
    let violation = "\(message) (\(rule.rawValue))"
    if let onViolation { onViolation(violation) } else { fatalError("Stand-in: \(violation)") }
  }

  static func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
    if !holds { violation(rule, message()) }
  }

  private struct WeakController {
    weak var controller: StandInController?
  }
  private static var registered: [WeakController] = []

  static func register(_ controller: StandInController) {
    if registered.count > 100 { registered.removeAll { $0.controller == nil } }
    registered.append(WeakController(controller: controller))
  }

  static func forgetControllers() { registered = [] }

  /// All view controllers that are alive.
  public static var livingControllers: [StandInController] { registered.compactMap(\.controller) }

  /// Ends everything that is under way.
  public static func settle() {
    while isBusy { step() }
  }
}
