// SPDX-License-Identifier: MIT
import Dispatch
@testable import AsyncStateTesting

/// Runs the jobs of an actor when the test says so.
final class HeldExecutor: SerialExecutor {
  /// The jobs that stand in line, and what runs them from the opening on; nil: it is not open.
  private let state = Locked<(jobs: [UnownedJob], queue: DispatchQueue?)>(([], nil))
  private let (arrivals, arrived) = AsyncStream<Void>.makeStream()

  var count: Int { state.withLock { $0.jobs.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      guard let queue = state.queue else { return state.jobs.append(job) }
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
    arrived.yield()
  }

  /// Runs the job that was added last, as if it had the highest priority.
  func runLast() {
    state.withLock { $0.jobs.popLast() }?.runSynchronously(on: asUnownedSerialExecutor())
  }

  func runAll() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }

  /// Runs each job as it arrives from now on, one at a time, so that none is left. The test ends.
  func open() {
    state.withLock { state in
      state.queue = DispatchQueue(label: "HeldExecutor")
      state.queue?.async { self.runAll() }
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
