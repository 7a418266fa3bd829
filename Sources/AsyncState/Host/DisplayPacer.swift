/// Keeps a screen from flickering: an indicator comes late or not at all, and once it is there it stays a moment.
///
/// A loading that is over within ``delay`` is never shown: what was on show stays, at first nothing. An indicator that
/// has come stays for ``minimum``, and what comes next waits for it. A cancel is not held back, nor is a refresh over
/// content.
///
/// A pacer may serve many hosts on its actor; each is paced by itself.
public final class DisplayPacer {
  /// How long a loading may take without being shown.
  public let delay: Duration
  /// How long an indicator stays at least.
  public let minimum: Duration

  let scheduler: Scheduler

  /// A pacer for hosts on the actor that makes it.
  ///
  /// As the initial value of a stored or lazy property there is no actor to be found by itself: write
  /// `DisplayPacer(isolation: MainActor.shared)`, or make it in an initialiser or a method.
  ///
  /// - Parameters:
  ///   - delay: How long a loading may take without being shown. Less than zero is zero.
  ///   - minimum: How long an indicator stays at least. Less than zero is zero.
  ///   - clock: What both are measured by.
  ///   - isolation: The actor that the paced hosts live on.
  public init(
    delay: Duration = .milliseconds(200), minimum: Duration = .milliseconds(500),
    clock: any Clock<Duration> = ContinuousClock(), isolation: isolated any Actor = #isolation
  ) {
    self.delay = delay.bounded
    self.minimum = minimum.bounded
    scheduler = Scheduler(clock: clock, home: isolation)
  }
}
