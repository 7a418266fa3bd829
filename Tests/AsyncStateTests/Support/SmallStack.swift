// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// An actor whose jobs run on a thread with a stack of 512 KiB, which is what an actor can rely on. Under a sanitizer, whose
/// frames take more, it has eight times as much.
actor SmallStack {
  private static let size = (isUnderSanitizer ? 8 : 1) * 512 * 1024
  private static let isUnderSanitizer = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

  private let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Result: Sendable>(_ body: @Sendable (isolated SmallStack) async -> Result) async -> Result {
    await body(self)
  }

  /// Jobs that come one after another share a thread. It ends when there is none left.
  private final class Executor: SerialExecutor {
    private struct State {
      var jobs: [UnownedJob] = []
      var isRunning = false
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let isFirst = state.withLock { state in
        state.jobs.append(job)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      guard isFirst else { return }
      let thread = Thread { [self] in
        while let jobs = takeJobs() {
          for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
      }
      thread.stackSize = SmallStack.size
      thread.start()
    }

    private func takeJobs() -> [UnownedJob]? {
      state.withLock { state in
        state.isRunning = !state.jobs.isEmpty
        guard state.isRunning else { return nil }
        defer { state.jobs = [] }
        return state.jobs
      }
    }
  }
}
