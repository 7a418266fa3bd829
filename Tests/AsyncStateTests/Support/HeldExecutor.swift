// SPDX-License-Identifier: MIT
import Synchronization

/// Runs the jobs of an actor when the test says so.
final class HeldExecutor: SerialExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isOpen = Mutex(false)
  private let (arrivals, arrived) = AsyncStream<Void>.makeStream()

  var count: Int { jobs.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOpen.withLock({ $0 }) { return job.runSynchronously(on: asUnownedSerialExecutor()) }
    jobs.withLock { $0.append(job) }
    arrived.yield()
  }

  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  /// Runs each job as it arrives from now on, so that none is left. The test ends.
  func open() {
    isOpen.withLock { $0 = true }
    runAll()
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
