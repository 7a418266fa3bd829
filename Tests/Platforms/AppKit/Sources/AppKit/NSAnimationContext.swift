// SPDX-License-Identifier: MIT
/// A group of animated changes.
@MainActor
open class NSAnimationContext: NSObject {
  /// How long they take.
  public var duration: TimeInterval = 0.25
  /// Whether changes of views are animated that do not go through their animators.
  public var allowsImplicitAnimation = false

  /// Animates changes. The completion is `@Sendable`, and called on the main thread.
  public class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let context = NSAnimationContext()
    changes(context)
    StandIn.durations.append(context.duration)
    if context.allowsImplicitAnimation { StandIn.implicitGroups += 1 }
    StandIn.animations.append { completionHandler?() }
  }
}
