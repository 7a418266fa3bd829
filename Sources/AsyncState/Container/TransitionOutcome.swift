// SPDX-License-Identifier: MIT
import Synchronization

/// The end of a requested transition.
public enum TransitionOutcome: Hashable, Sendable {
  /// The container was in the requested state when its transition ended.
  case finished
  /// A later request replaced this one before it began.
  case superseded
  /// The calling task was cancelled.
  case dropped
}

/// A caller that waits for the end of a transition. It gets the first outcome, and later ones do nothing.
@usableFromInline
final class TransitionWaiter {
  private var continuation: CheckedContinuation<TransitionOutcome, Never>?
  private var outcome: TransitionOutcome?
  let cancellation = Cancellation()

  /// Records that the calling task was cancelled. On any thread, before the container's actor can act on it.
  final class Cancellation: Sendable {
    // Justified: set once, before the actor is called. Noticed: `transition` of `Tests/Stress`.
    private let isNoted = Atomic(false)

    func note() { isNoted.store(true, ordering: .releasing) }
    var wasNoted: Bool { isNoted.load(ordering: .acquiring) }
  }

  /// - Returns: True if the caller must wait. Otherwise it has its outcome.
  func wait(_ continuation: CheckedContinuation<TransitionOutcome, Never>) -> Bool {
    if let outcome {
      continuation.resume(returning: outcome)
      return false
    }
    self.continuation = continuation
    return true
  }

  func resume(_ outcome: TransitionOutcome) {
    guard self.outcome == nil else { return }
    let outcome = cancellation.wasNoted ? .dropped : outcome
    self.outcome = outcome
    continuation.take()?.resume(returning: outcome)
  }
}
