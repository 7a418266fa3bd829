/// A transition that somebody has asked for.
@usableFromInline
struct TransitionRequest<State> {
  @usableFromInline let state: State
  @usableFromInline let animated: Bool
  /// Who waits for its end; nil if nobody does.
  @usableFromInline let waiter: TransitionWaiter?

  @inlinable
  init(_ state: State, animated: Bool, waiter: TransitionWaiter? = nil) {
    self.state = state
    self.animated = animated
    self.waiter = waiter
  }
}

/// One who waits for the end of a transition. An object, so that a transition that nobody waits for carries one word
/// for it.
@usableFromInline
final class TransitionWaiter {
  private let continuation: CheckedContinuation<TransitionOutcome, Never>

  init(_ continuation: CheckedContinuation<TransitionOutcome, Never>) {
    self.continuation = continuation
  }

  /// Called once, when the outcome is known.
  @usableFromInline
  func resume(_ outcome: TransitionOutcome) {
    continuation.resume(returning: outcome)
  }
}
