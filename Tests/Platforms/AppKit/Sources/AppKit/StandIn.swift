// SPDX-License-Identifier: MIT
internal import Accessibility

/// A view controller of the framework, as the files say that stand-ins share.
public typealias StandInController = NSViewController
/// A view of the framework.
public typealias StandInView = NSView

extension StandIn {
  /// What is not in order although nothing is under way.
  public static func audit() -> [String] {
    livingControllers.flatMap { controller in
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
    forgetControllers()
    VoiceOver.reset()
    onViolation = nil
    withExtendedLifetime(former) {}
  }

  /// The animations that run, oldest first.
  public static var animations: [@Sendable () -> Void] = []

  /// How long the groups took since the last reset.
  public static var durations: [TimeInterval] = []

  /// How many groups also animated what was changed directly, since the last reset.
  public static var implicitGroups = 0

  /// Whether animations run.
  public static var isAnimating: Bool { !animations.isEmpty }
  /// Whether something is under way.
  public static var isBusy: Bool { isAnimating }

  static func step() { endAnimation() }

  /// Ends the oldest animation.
  public static func endAnimation() {
    guard !animations.isEmpty else { return }
    ended.append(animations.removeFirst())
    ended.last?()
  }
  // When AppKit releases a completion that it has called is not documented.
  private static var ended: [@Sendable () -> Void] = []
}
