// SPDX-License-Identifier: MIT
internal import Accessibility
@_exported public import Foundation

/// What a test uses to drive the stand-in and to see what it found. Nothing of this exists in UIKit.
///
/// The stand-in is written from Apple's documentation. It runs no layout and draws nothing. Animations and transitions
/// end when the test ends them, and "the next turn of the run loop" is a call of ``nextTurn()``.
@MainActor
public enum StandIn {
  /// The source of a rule of the stand-in.
  public enum Rule: String, Sendable {
    /// UIKit raises an exception.
    case assertion
    /// Apple's documentation states the order; UIKit does not check it, or writes a line to the log.
    case documented
    /// Neither: a rule of this stand-in, which an adapter of good manners keeps.
    case strict
  }

  /// A rule was broken.
  public struct Violation: CustomStringConvertible, Sendable {
    /// The source of the rule.
    public let rule: Rule
    /// What happened.
    public let message: String

    /// Rule and message.
    public var description: String { "\(message) (\(rule.rawValue))" }
  }

  /// Called for each violation. While it is nil, which is the default, the first one stops the process.
  public static var onViolation: ((Violation) -> Void)?

  static func violation(_ rule: Rule, _ message: String) {
    let violation = Violation(rule: rule, message: message)
    if let onViolation { onViolation(violation) } else { fatalError("UIKit stand-in: \(violation)") }
  }

  static func require(_ holds: Bool, _ rule: Rule, _ message: @autoclosure () -> String) {
    if !holds { violation(rule, message()) }
  }

  // MARK: The run loop

  private static var deferred: [() -> Void] = []

  package static func onNextTurn(_ body: @escaping () -> Void) {
    deferred.append(body)
  }

  /// A turn of the run loop: tracked methods, pending layout (``UIViewController/viewIsAppearing(_:)``), then what was deferred.
  public static func nextTurn() {
    updateTracked()
    for controller in livingControllers { controller.appearIfInWindow() }
    VoiceOver.turn()
    for list in sizingLists { list.view?.measureRows() }
    let bodies = deferred
    deferred = []
    for body in bodies { body() }
  }

  /// Whether a transition or a turn of the run loop is due.
  public static var isBusy: Bool { transition != nil || !deferred.isEmpty }

  struct WeakList {
    weak var view: (any SelfSizingList)?
  }
  static var sizingLists: [WeakList] = []

  // MARK: Settings of the user

  /// The size of texts that the user has chosen. Views that have registered for it are notified. Nothing of this exists in
  /// UIKit under this name.
  public static var contentSizeCategory = UIContentSizeCategory.large {
    didSet { if contentSizeCategory != oldValue { TraitRegistration.notifyAll() } }
  }

  // MARK: Transitions of UIKit's own containers

  static var coordinator: TransitionCoordinator?

  /// The animated push, pop, presentation or dismissal that is under way. Only one at a time.
  public internal(set) static var transition: Transition?

  /// A transition that waits for its end.
  @MainActor
  public final class Transition {
    private let finishBody: () -> Void
    private let cancelBody: (() -> Void)?

    init(finish: @escaping () -> Void, cancel: (() -> Void)? = nil) {
      finishBody = finish
      cancelBody = cancel
    }

    /// Whether it is interactive and can be taken back.
    public var canCancel: Bool { cancelBody != nil }

    /// The transition is complete.
    public func finish() {
      StandIn.transition = nil
      StandIn.coordinator = nil
      finishBody()
    }

    /// The user took it back.
    public func cancel() {
      StandIn.transition = nil
      defer { StandIn.coordinator = nil }
      cancelBody?()
    }
  }

  static func run(_ transition: Transition, animated: Bool) {
    StandIn.require(StandIn.transition == nil, .strict, "A transition began while another one was under way")
    if animated { StandIn.transition = transition } else { transition.finish() }
  }

  // MARK: Memory

  /// Sends a memory warning to all view controllers. Since iOS 6 no view is unloaded for it.
  public static func sendMemoryWarning() {
    for controller in livingControllers { controller.didReceiveMemoryWarning() }
  }

  // MARK: At rest

  private struct WeakController {
    weak var controller: UIViewController?
  }
  private static var registered: [WeakController] = []

  static func register(_ controller: UIViewController) {
    if registered.count > 100 { registered.removeAll { $0.controller == nil } }
    registered.append(WeakController(controller: controller))
  }

  /// All view controllers that are alive.
  public static var livingControllers: [UIViewController] { registered.compactMap(\.controller) }

  /// What is not in order although nothing is under way: transitions and appearances that are open, children without
  /// their `didMove`, removals that were announced and not made, views and appearances that do not agree.
  public static func audit() -> [String] {
    var findings: [String] = []
    if transition != nil { findings.append("A transition is open") }
    for controller in livingControllers { findings += controller.audit() }
    return findings
  }

  /// Forgets everything, for the next test.
  public static func reset() {
    transition = nil
    deferred = []
    registered = []
    // Moved out first: what is released may call back.
    let animations = UIView.pendingAnimations
    let completions = UIView.endedCompletions
    UIView.pendingAnimations = []
    UIView.endedCompletions = []
    UIView.setAnimationsEnabled(true)
    VoiceOver.reset()
    coordinator = nil
    contentSizeCategory = .large
    sizingLists = []
    TraitRegistration.all = []
    withExtendedLifetime((animations, completions)) {}
    onViolation = nil
  }
}
