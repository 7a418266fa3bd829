/// The animation of one child, on its way in or out.
///
/// A container makes it and hands it to a ``TransitionAnimator``. It may be finished early. Finishing it twice, or
/// after its transition is over, does nothing. An animation that is let go unfinished counts as finished, so that no
/// transition can be left open.
public final class TransitionAnimation {
  /// Who is animated.
  public let child: any ChildController
  /// Whether the child comes, rather than goes.
  public let isAppearing: Bool
  /// How long the animation takes once it has started. Never negative.
  public let duration: Duration
  /// How long to wait before it starts. Never negative.
  public let delay: Duration

  /// Where something is planned for it, which is not needed any more when it is over.
  weak var scheduler: Scheduler?

  private var hasRun = false
  private var onFinish: (() -> Void)?

  /// An animation that tells `onFinish` its end, once.
  ///
  /// A container makes these itself; an animator's own tests may, too.
  public init(
    child: any ChildController, isAppearing: Bool, duration: Duration, delay: Duration, onFinish: @escaping () -> Void
  ) {
    self.child = child
    self.isAppearing = isAppearing
    self.duration = duration.bounded
    self.delay = delay.bounded
    self.onFinish = onFinish
  }

  deinit {
    finish()
  }

  /// The animation starts now: the child takes up its last position. Does nothing the second time, or after the end.
  public func run() {
    guard !hasRun, onFinish != nil else { return }
    hasRun = true
    (child as? any TransitioningController)?.animateTransition(isAppearing: isAppearing)
  }

  /// The animation is over. It is run first if it has not been. Does nothing the second time.
  public func finish() {
    guard onFinish != nil else { return }
    run()
    scheduler?.cancelAll(for: self)
    onFinish.take()?()
  }

  /// The transition is over without it: the child takes up its last position, and nobody hears of the end any more.
  func cutShort() {
    run()
    scheduler?.cancelAll(for: self)
    onFinish = nil
  }
}
