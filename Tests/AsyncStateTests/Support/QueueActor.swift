// SPDX-License-Identifier: MIT
import Dispatch

/// Runs its jobs on a queue, so that code can find out whether it runs there.
final class QueueExecutor: SerialExecutor {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let queue = DispatchQueue(label: "QueueExecutor")

  init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  /// Whether the caller is on this executor.
  var isHere: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
