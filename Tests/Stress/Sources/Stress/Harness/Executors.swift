// SPDX-License-Identifier: MIT
import Foundation

/// Runs the jobs of its actors one after another, on a thread of its own.
final class ThreadExecutor: SerialExecutor {
  static let shared = ThreadExecutor()

  private let jobs = Locked<[UnownedJob]>([])
  private let arrived = NSCondition()

  private init() {
    let thread = Thread { [self] in
      while true {
        let job = next()
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    arrived.lock()
    jobs.withLock { $0.append(job) }
    arrived.signal()
    arrived.unlock()
  }

  private func next() -> UnownedJob {
    arrived.lock()
    defer { arrived.unlock() }
    while true {
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return job }
      arrived.wait()
    }
  }
}

/// Where the objects of a world belong, on that thread.
actor ThreadHome {
  nonisolated var unownedExecutor: UnownedSerialExecutor { ThreadExecutor.shared.asUnownedSerialExecutor() }
}
