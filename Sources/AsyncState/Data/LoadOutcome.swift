/// How a load ended, for whoever waited for it.
public enum LoadOutcome<Value> {
  /// It answered. Nil: there is nothing.
  case value(Value?)
  /// It failed with this error, after all the attempts that its policy allows.
  case failure(any Error)
  /// It was given up. That is no error: the facts are as they were.
  case cancelled
  /// Something newer took its place. Its answer, if it ever comes, changes nothing.
  case superseded
  /// What is known is fresh, and nobody was asked.
  case fresh
}

extension LoadOutcome: Sendable where Value: Sendable {}

extension LoadOutcome {
  /// The answer, as one would get it from the operation itself.
  ///
  /// - Returns: The value; nil also for `.fresh`, when nobody was asked.
  /// - Throws: The failure; `CancellationError` when the load was cancelled or superseded.
  public func get() throws -> Value? {
    switch self {
    case .value(let value): return value
    case .failure(let error): throw error
    case .cancelled, .superseded: throw CancellationError()
    case .fresh: return nil
    }
  }
}
