// SPDX-License-Identifier: MIT
/// An operation has ended by a `CancellationError`, and no caller has cancelled its request: what it awaited, such as the request
/// of a token, was cancelled.
///
/// It is a failure like any other: it is displayed, can be retried, and is tried again by a ``RetryPolicy``. An outbox does not
/// call `isPermanent` with it.
public struct RequestInterruptedError: Error, Hashable, CustomStringConvertible {
  /// A sentence for developers.
  public var description: String { "What the request awaited was cancelled, and the request was not" }

  /// An error without details.
  public init() {}

  /// The error by which an operation ends, in the task that has called it.
  static func of(_ error: any Error) -> any Error {
    error is CancellationError && !Task.isCancelled ? RequestInterruptedError() : error
  }
}
