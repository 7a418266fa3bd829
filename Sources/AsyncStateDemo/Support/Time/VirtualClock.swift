// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import Synchronization

/// A clock whose times are planned and not measured.
///
/// A sleep takes its real time, divided by the speed. A sleeper that wakes finds the clock at exactly its deadline,
/// however late the machine is: so a scene is the same in each run. Sleeps begin and end on the caller's actor, so that
/// between two deadlines nothing happens on other threads. Time moves while ``run(onTick:)`` runs, as fast as ``speed`` says
/// by then.
final class VirtualClock: IsolatedClock {
  /// A time on a virtual clock.
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// How much real time passes at most between two ticks.
  private static let tick = Duration.milliseconds(50)

  private let pace: Mutex<Double>
  private let queue = Mutex(SleepQueue())
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  /// A clock at zero, which does not move yet.
  ///
  /// - Parameter speed: How much faster than real time it moves.
  init(speed: Double) {
    pace = Mutex(speed)
    (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// How much faster than real time it moves; zero while it stands still.
  var speed: Double {
    get { pace.withLock(\.self) }
    set { pace.withLock { $0 = newValue } }
  }

  var now: Instant { Instant(offset: queue.withLock(\.now)) }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleepOnCaller(until: deadline)
  }

  func sleepOnCaller(until deadline: Instant) async throws {
    try await sleep(until: deadline, isolation: #isolation)
  }

  // The isolation is named, and captured by the closure, so that neither leaves the caller's actor.
  private func sleep(until deadline: Instant, isolation: isolated (any Actor)?) async throws {
    let id = queue.withLock { $0.issueID() }
    try await withTaskCancellationHandler {
      _ = isolation
      try await withCheckedThrowingContinuation { continuation in
        let end = queue.withLock { $0.insert(id, until: deadline.offset, continuation) }
        if let end { continuation.resume(with: end) } else { arrival.yield() }
      }
    } onCancel: {
      queue.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
    }
  }

  /// Wakes one sleeper after another, each at its time, until the task is cancelled.
  ///
  /// - Parameter onTick: Called with the time several times a second, also between two deadlines.
  @MainActor
  func run(onTick: (Duration) -> Void) async {
    for await _ in arrivals {
      await settle()
      onTick(now.offset)
      while let deadline = queue.withLock(\.nextDeadline) {
        var time = now.offset
        while time < deadline {
          let speed = speed
          let next = min(time + Self.tick * speed, deadline)
          // While it stands still, the speed is read again a tick later.
          let wait = speed > 0 ? (next - time) / speed : Self.tick
          guard (try? await ContinuousClock().sleep(for: wait)) != nil else { return }
          time = next
          if time < deadline { onTick(time) }
        }
        queue.withLock { $0.takeFirst(by: deadline) }?.resume()
        await settle()
        onTick(now.offset)
      }
    }
  }

  /// Lets all that is ready run, before the time moves on. All of it waits in the one queue of the main actor.
  private func settle() async {
    // Each turn lets every job through that waits at the moment; what follows from one wake is a chain of a few jobs.
    for _ in 0..<50 { await Task.yield() }
    // On a busy machine another thread may have been interrupted in the middle of such a job.
    try? await ContinuousClock().sleep(for: .milliseconds(1))
    for _ in 0..<50 { await Task.yield() }
  }
}
#endif
