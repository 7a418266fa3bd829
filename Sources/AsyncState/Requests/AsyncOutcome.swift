// SPDX-License-Identifier: MIT
/// The outcome of a load, a page request or a command, for a caller that waited for it.
///
/// The outcome of a load has an optional value, and nil is an answer: there is no data.
public enum AsyncOutcome<Success> {
  /// It answered.
  case success(Success)
  /// It failed with this error, after all attempts that its policy allows.
  case failure(any Error)
  /// It was cancelled. That is not an error: the data is as it was. If a command was being sent, the server may have done it.
  case cancelled
  /// Something newer took its place. Its answer, if it ever arrives, changes nothing. If a command was being sent, the server
  /// may have done it.
  case superseded
  /// Nothing was requested: the value was fresh enough, only the present value was wanted, or there is no further page. It has
  /// the present value. A command never ends like this.
  case notRequested(Success)
}

extension AsyncOutcome: Sendable where Success: Sendable {}

extension AsyncOutcome {
  /// The answer, as if it were returned by the operation itself.
  ///
  /// - Returns: The value; for `.notRequested`, the present one.
  /// - Throws: The failure; `CancellationError` when the request was cancelled or superseded.
  public func get() throws -> Success {
    switch self {
    case .success(let value), .notRequested(let value): return value
    case .failure(let error): throw error
    case .cancelled, .superseded: throw CancellationError()
    }
  }
}

extension AsyncOutcome: CustomStringConvertible {
  /// The outcome in words, as in `value: 3 items`.
  public var description: String {
    switch self {
    case .success(let value): Self.words(value).map { "value: \($0)" } ?? "no data"
    case .failure(let error): "failure: \(brief(error))"
    case .cancelled: "cancelled"
    case .superseded: "superseded"
    case .notRequested(let value): "not requested: \(Self.words(value) ?? "no data")"
    }
  }

  /// The value in words; nil: there is none.
  private static func words(_ value: Any) -> String? {
    if case Optional<Any>.some(let value) = value { brief(valueOf: value) } else { nil }
  }
}
