#if os(macOS) || os(Linux)
import Foundation

/// A clock whose times are planned and not measured.
///
/// A sleep really takes its time, divided by the speed. Whoever wakes finds the clock at exactly the time that was
/// asked for, however late the machine was: so what is printed is the same in each run. Time moves while ``run()``
/// runs.
final class VirtualClock: Clock {
  /// A time on a virtual clock.
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let speed: Double
  private let pace: any Clock<Duration>
  private let queue = LockedSleepQueue()
  private let arrivals: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  /// A clock at zero, which does not move yet.
  ///
  /// - Parameters:
  ///   - speed: How much faster than `pace` it moves.
  ///   - pace: What the waiting is done with.
  init(speed: Double, pace: any Clock<Duration> = ContinuousClock()) {
    self.speed = speed
    self.pace = pace
    (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var now: Instant { Instant(offset: queue.withLock(\.now)) }

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = queue.withLock { $0.issueID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = queue.withLock { $0.insert(id, until: deadline.offset, continuation) }
        if let end { continuation.resume(with: end) } else { arrival.yield() }
      }
    } onCancel: {
      queue.withLock { $0.cancel(id) }?.resume(throwing: CancellationError())
    }
  }

  /// Wakes one sleeper after another, each at its time, until the task is cancelled.
  @MainActor
  func run() async {
    for await _ in arrivals {
      await settle()
      while let deadline = queue.withLock(\.nextDeadline) {
        guard (try? await pace.sleep(for: (deadline - now.offset) / speed)) != nil else { return }
        queue.withLock { $0.takeFirst() }?.resume()
        await settle()
      }
    }
  }

  /// Lets all that is ready run, before the time moves on.
  private func settle() async {
    // Each turn lets every job through that waits at the moment; what follows from one wake is a chain of a few jobs.
    // The jobs stand in one queue (see SerialExecution), so a chain that is longer than this is the same in each run,
    // too.
    for _ in 0..<100 { await Task.yield() }
  }
}

/// A sleep queue that may be reached from any thread.
///
/// Sendable, because nobody gets at the queue but inside the lock. `Mutex` would need no such promise, and newer
/// systems than this package does.
private final class LockedSleepQueue: @unchecked Sendable {
  private let lock = NSLock()
  private var queue = SleepQueue()

  func withLock<Result>(_ body: (inout SleepQueue) -> Result) -> Result {
    lock.withLock { body(&queue) }
  }
}
#endif
