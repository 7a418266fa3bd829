// SPDX-License-Identifier: MIT
// The animation of one child: the record of the container, and the part that an animator receives.

import Synchronization

/// Runs the animations of a container's transitions: a few lines for each view framework.
///
/// An animator calls ``TransitionAnimation/run()`` when the animation starts, after its delay and inside the framework's
/// animation call, and ``TransitionAnimation/finish()`` at its end. Both on the actor of the container.
public protocol TransitionAnimator: AnyObject {
  /// Takes over one animation. It may be finished before this returns.
  func animate(_ animation: TransitionAnimation)
}

/// Runs each animation from start to end inside the call, whatever its delay and duration.
public final class ImmediateAnimator: TransitionAnimator, Sendable {
  /// The default of all containers: it has no state.
  @usableFromInline static let shared = ImmediateAnimator()

  /// An animator without state.
  public init() {}

  /// Runs and finishes `animation` before it returns.
  public func animate(_ animation: TransitionAnimation) {
    animation.run()
    animation.finish()
  }
}

/// The animation of one child that is added or removed.
///
/// A container makes it and passes it to a ``TransitionAnimator``. It may be finished early. Finishing it twice, or after its
/// transition is over, does nothing. A running animation keeps its container. If it is finished inside another callback of the
/// container, the child takes its last position at once, and the end waits for its turn.
///
/// An animation that is released unfinished counts as finished, so that no transition can stay open. The last reference
/// may be released on any thread, and the release calls nothing: the container is notified at its next call, or as soon
/// as its actor is free. The actor is known if the animator is a ``ClockAnimator`` or if the transition was requested on
/// an actor. If it is not known, or is being deallocated, there is only the next call.
public final class TransitionAnimation {
  /// The child that is animated.
  public var child: any ChildController { moving.child }
  /// True if the child is added. Otherwise it is removed.
  public var isAppearing: Bool { moving.isAppearing }
  /// The duration of the animation after it has started. Never negative.
  public let duration: Duration
  /// The delay before it starts. Never negative.
  public let delay: Duration

  let moving: MovingChild

  package init(of moving: MovingChild, duration: Duration, delay: Duration) {
    self.moving = moving
    self.duration = duration.bounded
    self.delay = delay.bounded
  }

  deinit {
    moving.animationWasReleased()
  }

  /// Starts the animation: the child takes its last position. Does nothing the second time, or after the end.
  public func run() {
    moving.run()
  }

  /// Ends the animation, and runs it first if it has not run. Does nothing the second time.
  public func finish() {
    moving.finish()
  }
}

/// Is notified when an animation ends, on its actor.
package protocol AnimationOwner: AnyObject {
  /// Called once, unless the transition is over without the animation.
  func animationDidEnd(of child: MovingChild)
}

/// A child that moves onto the surface or off it: the one record of its part in the open transition.
///
/// The container keeps the record, and a running animation keeps it, too. The record keeps the container only as long as the
/// animation runs.
package final class MovingChild {
  /// The course of an animation. Only one caller can take it out of `running`, and only that one then touches `owner`.
  private enum Course: UInt8, AtomicRepresentable {
    case running
    /// It has ended, or its transition is over.
    case over
    /// Its last reference was released while it ran, and its container has not noticed.
    case released
  }

  let child: any ChildController
  let isAppearing: Bool
  /// The child again, if it takes part in its animation.
  let transitioning: (any TransitioningController)?
  /// Has the scheduled calls of an animator for the animation, which are cancelled when the animation is over.
  weak var scheduler: Scheduler?

  // Justified: taken out of `running` once, by `compareExchange`: on the container's actor, or on the thread that releases the
  // animation. A release leaves `owner` to the actor, if that can be reached, and otherwise removes it. Noticed: `animation` of
  // `Tests/Stress`.
  private let course = Atomic(Course.running)
  /// Is notified when the animation ends; nil if there is none, because the child appears with the container.
  private var owner: (any AnimationOwner)?
  private var hasRun = false

  /// The actor that the container belongs to, if it is known.
  private weak var home: (any Actor)?

  package init(
    _ child: any ChildController, isAppearing: Bool, transitioning: (any TransitioningController)? = nil,
    owner: (any AnimationOwner)? = nil
  ) {
    self.child = child
    self.isAppearing = isAppearing
    self.transitioning = transitioning
    self.owner = owner
  }

  // MARK: On the container's actor

  /// The actor on which the animation begins. An animator that finishes inside the call needs none.
  package func belong(to home: any Actor) {
    self.home = home
  }

  func run() {
    if course.load(ordering: .acquiring) == .running { takeLastPosition() }
  }

  func finish() {
    run()
    // It may have been finished while it ran.
    guard leaveRunning(.over) else { return }
    notifyOfEnd()
  }

  /// Ends the animation because its transition is over: the child takes its last position, and the end is not reported.
  func cutShort() {
    run()
    if leaveRunning(.over) { owner = nil } else { finishReleased() }
    scheduler?.cancelAll(for: self)
  }

  /// True if its last reference was released, and its container has not noticed.
  var wasReleased: Bool { course.load(ordering: .acquiring) == .released }

  /// Runs the rest of an animation that was released.
  ///
  /// - Returns: True if there was a rest.
  @discardableResult
  func finishReleased() -> Bool {
    guard wasReleased else { return false }
    course.store(.over, ordering: .relaxed)
    takeLastPosition()
    return true
  }

  private func takeLastPosition() {
    guard !hasRun else { return }
    hasRun = true
    transitioning?.animateTransition(isAppearing: isAppearing)
  }

  private func notifyOfEnd() {
    scheduler?.cancelAll(for: self)
    owner.take()?.animationDidEnd(of: self)
  }

  // MARK: On any thread

  /// Called when the last reference to the animation was released: from now on no other code can finish it.
  func animationWasReleased() {
    guard leaveRunning(.released) else { return }
    guard let home else { return owner = nil }
    perform(on: home) { [self] in
      // The container may have noticed before.
      if finishReleased() { notifyOfEnd() } else { owner = nil }
    }
  }

  /// Takes the animation out of `running`.
  ///
  /// - Returns: False if another caller was first.
  private func leaveRunning(_ next: Course) -> Bool {
    course.compareExchange(expected: .running, desired: next, ordering: .acquiringAndReleasing).exchanged
  }
}
