// SPDX-License-Identifier: MIT
/// Runs animations by a clock: each starts after its delay and ends after its duration.
///
/// Children that end at the same time end in the order in which they began: those that are added, then those that are
/// removed. An animator serves any number of containers on its actor.
///
/// ```swift
/// @MainActor
/// final class Wizard {
///   let animator = ClockAnimator()
///   lazy var container = StateContainer(initialState: Step.address, animator: animator) { step in [StepPage(step)] }
/// }
/// ```
public final class ClockAnimator: TransitionAnimator {
  private let scheduler: Scheduler

  /// An animator for containers on the main actor.
  ///
  /// - Parameter clock: Measures delays and durations.
  @MainActor
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    scheduler = Scheduler(clock: clock, home: MainActor.shared)
  }

  /// An animator for containers on any actor, which it does not keep.
  ///
  /// - Parameters:
  ///   - isolation: The actor that the animated containers belong to.
  ///   - clock: Measures delays and durations.
  public init(isolation: isolated any Actor, clock: any Clock<Duration> = ContinuousClock()) {
    scheduler = Scheduler(clock: clock, home: isolation)
  }

  /// Runs `animation` when its delay is over and finishes it when its duration is, and keeps it until then. With a delay and a
  /// duration of zero that happens before this returns. An animation that is over early is released at once and leaves no
  /// sleeper in the clock.
  public func animate(_ animation: TransitionAnimation) {
    let moving = animation.moving
    let start = scheduler.now + animation.delay
    moving.scheduler = scheduler
    if let home = scheduler.home { moving.belong(to: home) }
    // The end first: the child may finish the animation as soon as it runs.
    at(start + animation.duration, for: moving) { animation.finish() }
    at(start, for: moving) { animation.run() }
  }

  private func at(_ time: Duration, for moving: MovingChild, _ body: @escaping () -> Void) {
    if time <= scheduler.now { body() } else { scheduler.schedule(at: time, for: moving, body) }
  }
}
