/// Runs animations by a clock: each starts after its delay and ends after its duration.
///
/// Children that end at the same time end in the order in which they began.
public final class ClockAnimator: TransitionAnimator {
  private let scheduler: Scheduler

  /// An animator for containers on the actor that makes it.
  ///
  /// As the initial value of a stored or lazy property there is no actor to be found by itself: write
  /// `ClockAnimator(isolation: MainActor.shared)`, or make it in an initialiser or a method.
  ///
  /// - Parameters:
  ///   - clock: What delays and durations are measured by.
  ///   - isolation: The actor that the animated containers live on.
  public init(clock: any Clock<Duration> = ContinuousClock(), isolation: isolated any Actor = #isolation) {
    scheduler = Scheduler(clock: clock, home: isolation)
  }

  /// Runs `animation` when its delay is over and finishes it when its duration is, keeping it until then. What takes no
  /// time happens before this returns. One that is over early is let go of at once, and leaves no sleeper in the clock.
  public func animate(_ animation: TransitionAnimation) {
    let start = scheduler.now + animation.delay
    animation.scheduler = scheduler
    // The end first: whoever moves may say that it is over.
    at(start + animation.duration, for: animation) { animation.finish() }
    at(start, for: animation) { animation.run() }
  }

  private func at(_ time: Duration, for animation: TransitionAnimation, _ body: @escaping () -> Void) {
    if time <= scheduler.now { body() } else { scheduler.schedule(at: time, for: animation, body) }
  }
}
