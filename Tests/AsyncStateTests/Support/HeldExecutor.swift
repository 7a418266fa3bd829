// SPDX-License-Identifier: MIT
import Dispatch
@testable import AsyncStateTesting

/// Runs the jobs of an actor when the test says so.
final class HeldExecutor: SerialExecutor {
  private let jobs = Locked<[UnownedJob]>([])
  /// Runs the jobs from the opening on; nil: it is not open.
  private let queue = Locked<DispatchQueue?>(nil)
  private let (arrivals, arrived) = AsyncStream<Void>.makeStream()

  var count: Int { jobs.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { queue in
      guard let queue else { return jobs.withLock { $0.append(job) } }
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
    arrived.yield()
  }

  /// Runs the job that was added last, as if it had the highest priority.
  func runLast() {
    jobs.withLock { $0.popLast() }?.runSynchronously(on: asUnownedSerialExecutor())
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  /// Runs each job as it arrives from now on, one at a time, so that none is left. The test ends.
  func open() {
    queue.withLock { queue in
      queue = DispatchQueue(label: "HeldExecutor")
      queue?.async { self.runAll() }
    }
  }

  /// Suspends until so many jobs stand in line.
  func queued(_ count: Int) async {
    if self.count >= count { return }
    for await _ in arrivals where self.count >= count { return }
  }
}

actor HeldActor {
  private let executor: HeldExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: HeldExecutor) { self.executor = executor }

  func run(_ body: @Sendable (isolated HeldActor) async -> Void) async { await body(self) }
}
