// SPDX-License-Identifier: MIT
#if canImport(AppKit) && !canImport(UIKit)
  import AppKit
  public import AsyncState

  /// Runs the transitions of a container in animation groups of AppKit: children fade in and out.
  ///
  /// AppKit knows no delay: an animation with one starts at once and takes as much longer.
  @MainActor
  public final class ViewAnimator: @MainActor TransitionAnimator {
    /// An animator.
    public init() {}

    /// Runs `animation` in a group of its own.
    public func animate(_ animation: TransitionAnimation) {
      let ending = Ending(animation: animation)
      NSAnimationContext.runAnimationGroup { context in
        context.duration = (animation.delay + animation.duration) / .seconds(1)
        context.allowsImplicitAnimation = true
        animation.run()
      } completionHandler: {
        // Justified: AppKit calls it on the main thread and does not say so. Noticed: elsewhere the process stops.
        MainActor.assumeIsolated { ending.animation.finishInStep() }
      }
    }

    // The completion is `@Sendable`, an animation is not.
    @MainActor
    private final class Ending {
      let animation: TransitionAnimation
      init(animation: TransitionAnimation) { self.animation = animation }
    }
  }
#endif
