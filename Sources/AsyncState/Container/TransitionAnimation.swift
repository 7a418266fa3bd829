// The animation of one child: what the container knows of it, and what an animator gets.

import Synchronization

/// Runs the animations of a container's transitions: the few lines that belong to a view framework.
///
/// An animator calls ``TransitionAnimation/run()`` when the animation starts, after its delay and inside whatever
/// animates, and ``TransitionAnimation/finish()`` at its end. Both on the actor that the container belongs to.
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
/// A container makes it and passes it to a ``TransitionAnimator``. It may be finished early. Finishing it twice, or
/// after its transition is over, does nothing. A running animation keeps its container.
///
/// An animation that is released unfinished counts as finished, so that no transition can stay open. The last reference
/// may be released on any thread: the container is notified on its actor, inside the release if that happens there. The
/// actor is known if the animator is a ``ClockAnimator`` or if the transition was requested on an actor. If it is not
/// known, and the release does not happen in the task that began the animation, the container is notified at its next
/// call.
public final class TransitionAnimation {
  /// The child that is animated.
  public var child: any ChildController { moving.child }
  /// Whether the child is added. Otherwise it is removed.
  public var isAppearing: Bool { moving.isAppearing }
  /// How long the animation takes after it has started. Never negative.
  public let duration: Duration
  /// How long to wait before it starts. Never negative.
  public let delay: Duration

  let moving: MovingChild

  /// An animation that calls `onFinish` at its end, once.
  ///
  /// A container makes its animations itself; this is for tests of an animator.
  public convenience init(
    child: any ChildController, isAppearing: Bool, duration: Duration, delay: Duration, onFinish: @escaping () -> Void
  ) {
    let moving = MovingChild(
      child, isAppearing: isAppearing, transitioning: child as? any TransitioningController, end: .call(onFinish))
    moving.remember(nil)
    self.init(of: moving, duration: duration, delay: delay)
  }

  init(of moving: MovingChild, duration: Duration, delay: Duration) {
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

/// A child on its way onto the surface or off it: the one record of its part in the open transition.
///
/// The container keeps the record, and while an animation runs so does that. The record keeps the container only as long
/// as the animation runs.
final class MovingChild {
  /// What is notified when the animation ends.
  enum End {
    /// There is no animation: the child appears with the container.
    case none
    /// The core of a container, and the container.
    case core(ContainerCore, AnyObject)
    case call(() -> Void)
  }

  /// Where an animation is. Only one party can take it out of `running`, and only that one then touches `end`.
  private enum Course: UInt8, AtomicRepresentable {
    case running
    /// It has ended, or its transition is over.
    case over
    /// Its last reference was released where its container could not be notified.
    case abandoned
  }

  let child: any ChildController
  let isAppearing: Bool
  /// The child again, if it takes part in its animation.
  let transitioning: (any TransitioningController)?
  /// Where an animator has planned something for the animation, which is cancelled when the animation is over.
  weak var scheduler: Scheduler?

  // Written by the releasing thread once, by `compareExchange` with release order, and read with acquire order: a
  // thread that sees that it is not `running` also sees what that thread did to `end`.
  private let course = Atomic(Course.running)
  private var end: End
  private var hasRun = false

  /// The actor that the container belongs to, if it is known.
  private weak var home: (any Actor)?
  /// The task in which the animation began.
  private var task: Int?

  init(
    _ child: any ChildController, isAppearing: Bool, transitioning: (any TransitioningController)? = nil,
    end: End = .none
  ) {
    self.child = child
    self.isAppearing = isAppearing
    self.transitioning = transitioning
    self.end = end
  }

  // MARK: On the container's actor

  /// The animation keeps `container` and calls it at its end.
  func keep(_ container: AnyObject, _ core: ContainerCore) {
    end = .core(core, container)
  }

  /// Notes where the animation begins. An animator that finishes inside the call needs no such note.
  func remember(_ home: (any Actor)?) {
    if let home { self.home = home }
    task = Self.currentTask
  }

  func run() {
    guard !hasRun, course.load(ordering: .acquiring) == .running else { return }
    hasRun = true
    transitioning?.animateTransition(isAppearing: isAppearing)
  }

  func finish() {
    run()
    // It may have been finished while it ran.
    let end = takeEnd(.over)
    scheduler?.cancelAll(for: self)
    switch end {
    case .none: break
    case .core(let core, let container): core.animationDidEnd(of: self, in: container)
    case .call(let onFinish): onFinish()
    }
  }

  /// The transition is over without the animation: the child takes its last position, and its end is not reported.
  func cutShort() {
    if wasAbandoned { runAbandoned() } else { run() }
    _ = takeEnd(.over)
    scheduler?.cancelAll(for: self)
  }

  /// Its last reference was released elsewhere, and its container has not been notified.
  var wasAbandoned: Bool { course.load(ordering: .acquiring) == .abandoned }

  /// What an animation that was released elsewhere has left to do.
  func runAbandoned() {
    guard !hasRun else { return }
    hasRun = true
    transitioning?.animateTransition(isAppearing: isAppearing)
  }

  // MARK: On any thread

  /// The last reference to the animation was released: from here on nothing else can finish it.
  func animationWasReleased() {
    guard course.load(ordering: .acquiring) == .running else { return }
    if let home {
      perform(on: home) { self.finish() }
    } else if let task, task == Self.currentTask {
      finish()
    } else {
      _ = takeEnd(.abandoned)
    }
  }

  /// Takes the animation out of `running`.
  ///
  /// - Returns: What is to be notified; none if another party was first.
  private func takeEnd(_ next: Course) -> End {
    guard course.compareExchange(expected: .running, desired: next, ordering: .acquiringAndReleasing).exchanged else {
      return .none
    }
    let taken = end
    end = .none
    return taken
  }

  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension TransitionAnimation: CustomStringConvertible {
  /// The child and its times, as in `Page appears, after 0.0 seconds, for 0.35 seconds`.
  public var description: String {
    "\(type(of: child)) \(isAppearing ? "appears" : "disappears"), after \(delay), for \(duration)"
  }
}

extension ImmediateAnimator: CustomStringConvertible {
  /// What it does.
  public var description: String { "ImmediateAnimator: every animation takes no time" }
}
