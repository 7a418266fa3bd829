// SPDX-License-Identifier: MIT
public import AsyncState

/// A clock that moves only when the test moves it.
///
/// Hand it to whatever takes a clock, wait until the code under test sleeps, and move the clock:
///
/// ```swift
/// let clock = ManualClock()
/// let data = AsyncData<Int>(options: LoadOptions(timeout: .seconds(3), clock: clock))
/// let load = data.start { try await server.wait() }
/// await clock.sleepers(atLeast: 1)
/// await clock.advance(by: .seconds(3))
/// _ = await load.outcome()  // .failure(LoadTimeoutError())
/// ```
public final class ManualClock: IsolatedClock, Sendable {
  /// A moment on a manual clock.
  public struct Instant: InstantProtocol {
    /// How far the clock had moved.
    public var offset: Duration

    /// The moment at which a clock has moved by `offset`.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The moment that is `duration` later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How much later the other moment is.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether the left moment is the earlier one.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private let state = Locked(State())

  /// A clock that has not moved yet.
  public init() {}

  /// How far the clock has moved.
  public var now: Instant {
    state.withLock(\.now)
  }

  /// Zero: the clock is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeps now registered.
  public var sleeperCount: Int {
    state.withLock(\.sleepers.count)
  }

  /// Suspends until the clock has been moved to `deadline`. Not at all if it is there already.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled; then the sleep is not registered any more.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleepOnCaller(until: deadline)
  }

  /// Suspends until the clock has been moved to `deadline`, without leaving the caller's actor.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled; then the sleep is not registered any more.
  public func sleepOnCaller(until deadline: Instant) async throws {
    try await sleep(until: deadline, isolation: #isolation)
  }

  // The isolation is named, so that the sleep is registered without leaving the caller's actor.
  private func sleep(until deadline: Instant, isolation: isolated (any Actor)?) async throws {
    let number = state.withLock { $0.nextNumber() }
    // The caller who moves the clock waits until this sleeper has resumed.
    let wake: Wake? = try await withTaskCancellationHandler {
      // Captured, so that the continuation is made on this actor.
      _ = isolation
      return try await withCheckedThrowingContinuation { continuation in
        let (immediate, waiters) = state.withLock {
          $0.register(Sleeper(number: number, deadline: deadline, continuation: continuation))
        }
        immediate?()
        for waiter in waiters { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.cancel(number) }?.resume(throwing: CancellationError())
    }
    state.withLock { $0.forget(number) }
    wake?.acknowledge()
  }

  /// Moves the clock, and wakes every sleeper that is due by then, in order of deadline and then of registration.
  ///
  /// The clock stands at a sleeper's deadline while that one wakes. This returns when each has resumed. What a sleeper
  /// on the caller's own actor does then, up to where it suspends next, has happened by that time, too; for one on
  /// another actor, wait for something that it causes. A sleep that is registered meanwhile and due by then is woken,
  /// too.
  ///
  /// Before it moves, what waits for a turn on the caller's actor gets one, so that a sleep that was begun there a
  /// moment ago is registered. Sleeps on other actors are to be waited for with ``sleepers(atLeast:dueWithin:)``.
  ///
  /// Several moves that are made at once add up.
  ///
  /// - Parameter duration: How far. Less than zero is zero: the clock never moves back.
  public func advance(by duration: Duration) async {
    await turn(of: #isolation)
    let end = state.withLock { $0.extendMove(by: duration) }
    while let sleeper = state.withLock({ $0.takeNext(dueBy: end) }) {
      await withCheckedContinuation { acknowledged in
        sleeper.continuation.resume(returning: Wake(acknowledged))
      }
    }
  }

  /// Suspends until all that waited for a turn on an actor has had it.
  private func turn(of actor: isolated (any Actor)?) async {
    guard actor != nil else { return }
    await withCheckedContinuation { continuation in
      Task {
        _ = actor
        continuation.resume()
      }
    }
  }

  /// Suspends until at least `count` sleeps are registered at once, or the calling task is cancelled.
  ///
  /// The library sleeps, too, as for a timeout. `dueWithin` counts the sleeps that the test means: with a timeout of
  /// ten seconds, `sleepers(atLeast: 1, dueWithin: .seconds(1))` waits for the back-off of one second.
  ///
  /// - Parameters:
  ///   - count: The number of sleeps.
  ///   - duration: Only sleeps are counted that end when the clock has moved by this duration; nil: all.
  public func sleepers(atLeast count: Int, dueWithin duration: Duration? = nil) async {
    let wanted = Wanted(count: count, deadline: duration.map { now.advanced(by: $0) })
    await state.suspend(
      until: wanted, in: \.waiters,
      saying: { [weak self] in
        self.map { "\(count == 1 ? "a sleep" : "\(count) sleeps") on \($0). One that is due later is not counted." }
      }
    ) { wanted.isMet(by: $0.sleepers) }
  }
}

extension ManualClock {
  /// How many sleeps a test waits for.
  fileprivate struct Wanted: Sendable {
    let count: Int
    /// Later sleeps are not counted.
    let deadline: Instant?

    func isMet(by sleepers: [Sleeper]) -> Bool {
      guard let deadline else { return sleepers.count >= count }
      return sleepers.count { $0.deadline <= deadline } >= count
    }
  }

  /// Resumes the caller who moves the clock when the sleeper has resumed.
  fileprivate struct Wake: Sendable {
    private let acknowledged: CheckedContinuation<Void, Never>

    init(_ acknowledged: CheckedContinuation<Void, Never>) {
      self.acknowledged = acknowledged
    }

    func acknowledge() {
      acknowledged.resume()
    }
  }

  fileprivate struct Sleeper {
    let number: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Wake?, any Error>
  }

  private struct State {
    private(set) var now = Instant()
    /// Where the moves that have begun will have led.
    private var end = Instant()
    /// In the order in which they are to be woken.
    private(set) var sleepers: [Sleeper] = []
    var waiters = Waiters<Wanted>()

    private var lastNumber = 0
    /// Sleeps that were cancelled before they were registered.
    private var cancelledEarly: Set<Int> = []

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    /// - Returns: What to do at once instead, if the sleep is over before it began; and who waited for it.
    mutating func register(
      _ sleeper: Sleeper
    ) -> (immediate: (() -> Void)?, waiters: [CheckedContinuation<Void, Never>]) {
      if cancelledEarly.remove(sleeper.number) != nil {
        return ({ sleeper.continuation.resume(throwing: CancellationError()) }, [])
      }
      if sleeper.deadline <= now { return ({ sleeper.continuation.resume(returning: nil) }, []) }
      sleepers.insert(sleeper, at: sleepers.firstIndex { $0.deadline > sleeper.deadline } ?? sleepers.endIndex)
      let registered = sleepers
      return (nil, waiters.take { $0.isMet(by: registered) })
    }

    mutating func cancel(_ number: Int) -> CheckedContinuation<Wake?, any Error>? {
      guard let index = sleepers.firstIndex(where: { $0.number == number }) else {
        cancelledEarly.insert(number)
        return nil
      }
      return sleepers.remove(at: index).continuation
    }

    /// The sleep has ended: a cancellation that came too late for it is forgotten.
    mutating func forget(_ number: Int) {
      cancelledEarly.remove(number)
    }

    /// A move begins.
    ///
    /// - Returns: Where it ends.
    mutating func extendMove(by duration: Duration) -> Instant {
      end = end.advanced(by: max(duration, .zero))
      return end
    }

    /// Moves to the deadline of the next sleeper that is due by `end` and takes it out; without one, moves to `end`.
    mutating func takeNext(dueBy end: Instant) -> Sleeper? {
      guard let first = sleepers.first, first.deadline <= end else {
        now = max(now, end)
        return nil
      }
      now = max(now, first.deadline)
      return sleepers.removeFirst()
    }
  }
}

extension ManualClock: CustomStringConvertible {
  /// How far the clock has moved, and the number of sleeps.
  public var description: String {
    let count = sleeperCount
    return "ManualClock: \(now), \(count == 1 ? "1 sleeper" : "\(count) sleepers")"
  }
}

extension ManualClock.Instant: CustomStringConvertible {
  /// How far the clock had moved.
  public var description: String { "\(offset)" }
}
