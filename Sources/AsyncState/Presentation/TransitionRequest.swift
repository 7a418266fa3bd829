/// A transition that somebody has asked for.
@usableFromInline
struct TransitionRequest<State> {
  @usableFromInline let state: State
  @usableFromInline let animated: Bool
  /// Who waits for its end; nil if nobody does.
  @usableFromInline let waiter: CheckedContinuation<TransitionOutcome, Never>?

  @inlinable
  init(_ state: State, animated: Bool, waiter: CheckedContinuation<TransitionOutcome, Never>? = nil) {
    self.state = state
    self.animated = animated
    self.waiter = waiter
  }
}
