// SPDX-License-Identifier: MIT
import Synchronization

/// The commit of one call of `mutate`: its attempts, and the end of the call.
final class Commit: Requester {
  var attempts = Attempts()
  /// True if the data was reset, or has another key: no further attempt is made.
  private(set) var isSuperseded = false
  /// True while its operation is being called.
  private var isAtWork = false
  /// The end of the attempts, or the reason for which the call does not wait for it; nil until then.
  private var result: Result<Void, any Error>?
  /// The call, while the attempts run in a task of their own.
  private var call: SuspendedCall?
  private let work = CommitTask()

  init() { attempts.pass(LetIn.gates) }

  /// True if its call waits no more, so that what the operation returns decides nothing.
  var hasEnded: Bool { result != nil }

  // MARK: Attempts

  var isWanted: Bool { !isSuperseded && !hasEnded && !Task.isCancelled }

  func take(_ note: AttemptNote) {}

  func timeIsOver(hasGateClosed: Bool) { end(.failure(LoadTimeoutError())) }

  /// Makes no further attempt. A running one decides by its result.
  func supersede() {
    guard !hasEnded else { return }
    isSuperseded = true
    attempts.leaveGate()
    if !isAtWork { end(.failure(CancellationError())) }
  }

  /// Calls the operation until it succeeds, the policy gives up, or a reset, a cancel or the time limit ends it.
  ///
  /// - Returns: The error; nil: it has succeeded.
  func run(
    by policy: RequestPolicy?, on timeline: Timeline, isolation: isolated any Actor,
    _ operation: @escaping () async throws -> Void
  ) async -> (any Error)? {
    let attempt = attempt(by: policy, operation)
    if policy?.isPlain != false {
      await runAttempts(by: policy, on: timeline, isolation: isolation, attempt)
    } else {
      // The call leaves at the time limit, also if the operation ignores that, and at a reset in a pause.
      await untilResumed(isolation: isolation) {
        call = $0
        // Not before: a call that is cancelled while it begins to wait sends nothing.
        work.set(
          Task {
            _ = isolation
            await runAttempts(by: policy, on: timeline, isolation: isolation, attempt)
          })
      } onCancel: { [work] in
        work.cancel()
      }
    }
    if case .failure(let error) = result { return error }
    return nil
  }

  private func runAttempts(
    by policy: RequestPolicy?, on timeline: Timeline, isolation: isolated any Actor, _ attempt: () async throws -> Void
  ) async {
    do {
      try await tries(by: policy, on: timeline, isolation: isolation, attempt)
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  // A function of its own: a closure in a function with an isolated parameter does not run on its caller's actor.
  private func attempt(
    by policy: RequestPolicy?, _ operation: @escaping () async throws -> Void
  ) -> () async throws -> Void {
    // With its type, and without a capture list: otherwise the closure would be called on no actor.
    let attempt: () async throws -> Void = {
      guard self.isWanted else { throw CancellationError() }
      self.isAtWork = true
      defer { self.isAtWork = false }
      do { try await operation() } catch { throw RequestInterruptedError.of(error) }
    }
    return policy?.intercepting(attempt) ?? attempt
  }

  private func end(_ result: Result<Void, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    attempts.end()?.cancel()
    work.cancel()
    call.take()?.resume()
  }
}

/// The task of the attempts, which may be cancelled on any thread before there is one.
private final class CommitTask: Sendable {
  private enum State {
    case none
    case running(Task<Void, Never>)
    case cancelled
  }

  // Justified: a cancel on another thread must reach the attempts before their first call, so it waits for no turn of the actor.
  // Noticed: the model *what was done*, by an input that is sent though it was taken back.
  private let state = Mutex(State.none)

  func set(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock {
      if case .cancelled = $0 { return true }
      $0 = .running(task)
      return false
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let former = state.withLock {
      let former = $0
      $0 = .cancelled
      return former
    }
    if case .running(let task) = former { task.cancel() }
  }
}
