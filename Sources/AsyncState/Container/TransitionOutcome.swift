/// What became of a requested transition.
public enum TransitionOutcome: Hashable, Sendable {
  /// The container was in the requested state when its transition ended.
  case finished
  /// A later request took its place before it began.
  case superseded
  /// The container disappeared before it began.
  case dropped
}
