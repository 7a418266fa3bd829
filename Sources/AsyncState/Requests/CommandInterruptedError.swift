// SPDX-License-Identifier: MIT
/// The operation of a command, or the commit of a change, has ended by a `CancellationError`, and no caller has cancelled it:
/// the request that it awaited, such as that of a token, was cancelled.
///
/// A load that is interrupted like this counts as cancelled, because the next request makes it again. A command is not made
/// again by itself, so this is a failure: it is displayed, can be retried, and is tried again by a ``RetryPolicy``. An outbox
/// does not call `isPermanent` with it.
public struct CommandInterruptedError: Error, Hashable, CustomStringConvertible {
  /// A sentence for developers.
  public var description: String { "What the command awaited was cancelled, and the command was not" }

  /// An error without details.
  public init() {}

  /// The error by which an operation ends, in the task that has called it.
  static func of(_ error: any Error) -> any Error {
    error is CancellationError && !Task.isCancelled ? CommandInterruptedError() : error
  }
}
