// SPDX-License-Identifier: MIT
@testable import AsyncStateTesting
import Dispatch

/// Runs the jobs of an actor one after another, and knows when none is left.
///
/// A task that resumes does not come back to its actor directly, but by way of the executor that it prefers. So there is one
/// to prefer, too: what a task that prefers it does on the actor, however many turns it takes, has been done when the
/// executor is idle.
final class IdleExecutor: SerialExecutor {
  /// For tasks that are never to be elsewhere: their jobs stand in the same line.
  final class WayBack: Sendable {
    fileprivate let line: IdleExecutor

    init(to line: IdleExecutor) {
      self.line = line
    }
  }

  fileprivate enum Turn {
    /// A job of the actor's.
    case isolated(UnownedJob)
    /// A job of a task that is on its way back to the actor.
    case passing(UnownedJob, by: WayBack)
    /// There is none.
    case idle(UnsafeContinuation<Void, Never>)
  }

  private struct State {
    var turns: [Turn] = []
    /// How many of them have been taken.
    var taken = 0
    var isRunning = false
    var waiters: [UnsafeContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  func enqueue(_ job: consuming ExecutorJob) {
    append(.isolated(UnownedJob(job)))
  }

  /// Suspends until no job is left. Called on the actor itself.
  func idle(isolation: isolated any Actor) async {
    await withUnsafeContinuation { waiter in
      state.withLock { $0.waiters.append(waiter) }
    }
  }

  fileprivate func append(_ turn: Turn) {
    let begins = state.withLock { state in
      state.turns.append(turn)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if begins { DispatchQueue.global().async { self.runAll() } }
  }

  private func runAll() {
    while let turn = next() {
      switch turn {
      case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .passing(let job, let way): job.runSynchronously(on: way.asUnownedTaskExecutor())
      case .idle(let waiter): waiter.resume()
      }
    }
  }

  private func next() -> Turn? {
    state.withLock { state in
      if state.taken < state.turns.count {
        state.taken += 1
        return state.turns[state.taken - 1]
      }
      state.turns.removeAll(keepingCapacity: true)
      state.taken = 0
      if !state.waiters.isEmpty { return .idle(state.waiters.removeFirst()) }
      state.isRunning = false
      return nil
    }
  }
}

extension IdleExecutor.WayBack: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    line.append(.passing(UnownedJob(job), by: self))
  }
}
