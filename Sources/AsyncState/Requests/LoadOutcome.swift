// SPDX-License-Identifier: MIT
/// How a load ended, for a caller that waited for it.
public enum LoadOutcome<Value> {
  /// It answered. Nil: there is no data.
  case success(Value?)
  /// It failed with this error, after all attempts that its policy allows.
  case failure(any Error)
  /// It was cancelled. That is not an error: the data is as it was.
  case cancelled
  /// Something newer took its place. Its answer, if it ever arrives, changes nothing.
  case superseded
  /// The value was fresh enough, and the operation was not called. This is the current value.
  case fresh(Value?)
}

extension LoadOutcome: Sendable where Value: Sendable {}

extension LoadOutcome {
  /// The answer, as if it were returned by the operation itself.
  ///
  /// - Returns: The value; also the current one for `.fresh`. Nil: there is no data.
  /// - Throws: The failure; `CancellationError` when the load was cancelled or superseded.
  public func get() throws -> Value? {
    switch self {
    case .success(let value), .fresh(let value): return value
    case .failure(let error): throw error
    case .cancelled, .superseded: throw CancellationError()
    }
  }
}

/// Thrown when a resource has answered that there is no value. An operation of another resource that throws it answers the
/// same: there is none.
public struct NoValue: Error, Hashable {
  /// An error without details.
  public init() {}
}

extension LoadOutcome: CustomStringConvertible {
  /// The outcome in words, as in `value: 3 items`.
  public var description: String {
    switch self {
    case .success(let value): value.map { "value: \(brief(valueOf: $0))" } ?? "no data"
    case .failure(let error): "failure: \(brief(error))"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .fresh(let value): "fresh: \(value.map { brief(valueOf: $0) } ?? "no data")"
    }
  }
}
