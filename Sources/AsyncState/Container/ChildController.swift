// SPDX-License-Identifier: MIT
// The protocol between a container and its children.

/// A part of a screen, or of anything like one, that a container displays and removes.
///
/// The container owns its children while their state is displayed. It notifies each child, in this order and always in pairs,
/// that it is attached to the container, that it appears and has appeared, that it disappears and has disappeared, and that it
/// is detached. All callbacks are synchronous, on the container's actor. Every callback has a default that does nothing.
///
/// A class on the main actor conforms with an isolated conformance: `final class List: @MainActor ChildController`.
public protocol ChildController: AnyObject {
  /// The child is about to be attached to the container.
  func willAttach()
  /// The child is attached to the container and, if the container is visible, has appeared.
  func didAttach()
  /// The child is about to be detached from the container.
  func willDetach()
  /// The child is detached, and no longer on the container's surface.
  func didDetach()
  /// The child is about to become visible.
  func willAppear(animated: Bool)
  /// The child is visible.
  func didAppear(animated: Bool)
  /// The child is about to disappear.
  func willDisappear(animated: Bool)
  /// The child has disappeared. If it leaves the container, it is no longer on the container's surface.
  func didDisappear(animated: Bool)
}

extension ChildController {
  /// Does nothing.
  public func willAttach() {}
  /// Does nothing.
  public func didAttach() {}
  /// Does nothing.
  public func willDetach() {}
  /// Does nothing.
  public func didDetach() {}
  /// Does nothing.
  public func willAppear(animated: Bool) {}
  /// Does nothing.
  public func didAppear(animated: Bool) {}
  /// Does nothing.
  public func willDisappear(animated: Bool) {}
  /// Does nothing.
  public func didDisappear(animated: Bool) {}
}

/// Decides how a child is animated when it is added and removed.
///
/// These methods are called only in animated transitions of a visible container. The owner of the container animates the
/// container's own appearance and disappearance. Every method has a default.
public protocol AnimatedTransitioning {
  /// The duration of the animation. The default is 0.35 seconds. A negative duration counts as zero.
  func transitionDuration(isAppearing: Bool) -> Duration
  /// The delay before the animation starts. The default is zero. A negative delay counts as zero.
  func transitionDelay(isAppearing: Bool) -> Duration
  /// The animation is about to be handed to the animator: take the first position. The default does nothing.
  func transitionWillBegin(isAppearing: Bool)
  /// The animation starts: take the last position. The animator animates this change. The default does nothing.
  func animateTransition(isAppearing: Bool)
  /// The animation has ended, in time or early: restore the properties that were changed only for it. The default does nothing.
  func transitionDidEnd(isAppearing: Bool)
}

extension AnimatedTransitioning {
  /// 0.35 seconds.
  public func transitionDuration(isAppearing: Bool) -> Duration { .defaultTransition }
  /// Zero.
  public func transitionDelay(isAppearing: Bool) -> Duration { .zero }
  /// Does nothing.
  public func transitionWillBegin(isAppearing: Bool) {}
  /// Does nothing.
  public func animateTransition(isAppearing: Bool) {}
  /// Does nothing.
  public func transitionDidEnd(isAppearing: Bool) {}
}

/// A child that has its own animation when it is added and removed.
public protocol TransitioningController: ChildController, AnimatedTransitioning {}

extension Duration {
  /// The duration of the animation of a child that has no duration of its own.
  static var defaultTransition: Duration { .milliseconds(350) }
}

/// The visibility of a container.
package enum Appearance: Hashable, Sendable {
  /// Not visible.
  case gone
  /// About to become visible.
  case appearing
  /// Visible.
  case visible
  /// About to disappear.
  case disappearing
}
