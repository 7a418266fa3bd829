// SPDX-License-Identifier: MIT
internal import Accessibility

/// A view controller of the framework, as the files say that stand-ins share.
public typealias StandInController = UIViewController
/// A view of the framework.
public typealias StandInView = UIView

/// "The next turn of the run loop" is a call of ``nextTurn()``.
extension StandIn {
  // MARK: The run loop

  private static var deferred: [() -> Void] = []

  package static func onNextTurn(_ body: @escaping () -> Void) {
    deferred.append(body)
  }

  /// A turn of the run loop: pending layout (``UIViewController/viewIsAppearing(_:)``), then what was deferred.
  public static func nextTurn() {
    for controller in livingControllers { controller.appearIfInWindow() }
    VoiceOver.turn()
    for list in sizingLists { list.view?.measureRows() }
    let bodies = deferred
    deferred = []
    for body in bodies { body() }
  }

  /// Whether an animation, a transition or a turn of the run loop is due.
  public static var isBusy: Bool { isAnimating || transition != nil || !deferred.isEmpty }

  static func step() {
    transition?.finish()
    endAnimation()
    nextTurn()
  }

  /// Whether animations run.
  public static var isAnimating: Bool { !UIView.pendingAnimations.isEmpty }
  /// How long the animations take that run, with their delays.
  public static var durations: [TimeInterval] { UIView.pendingAnimations.map { $0.delay + $0.duration } }
  /// Ends the oldest animation.
  public static func endAnimation() { UIView.pendingAnimations.first?.end() }

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
    forgetControllers()
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
