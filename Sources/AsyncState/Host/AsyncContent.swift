// SPDX-License-Identifier: MIT
/// The part of a screen that displays a value: all that is left to write when a ``StatusBoard`` does the rest.
public protocol AsyncContent<Value>: AnyObject {
  /// The type of the content that is displayed.
  associatedtype Value

  /// Displays `value`, the first or the next.
  func apply(_ value: Value, animated: Bool)

  /// The message for an error; nil for ``StatusBoard/defaultMessage(for:)``, which displays nothing of the error.
  ///
  /// Write the result as an optional: a function that returns `String` is another one, which is never called.
  func errorMessage(for error: any Error) -> String?

  /// The message if the answer is "there is nothing"; nil for the default text.
  var noDataMessage: String? { get }

  /// The message if nothing is known and nothing is being requested: after a cancel, without a key, or where the policy
  /// displays data that was never requested as no data; nil for the default text.
  var idleMessage: String? { get }

  /// The message while nothing is known and the request waits for its ``LoadGate``; nil for the default text.
  var waitingMessage: String? { get }

  /// Whether a reload control belongs beside an error and beside "there is nothing".
  var canReload: Bool { get }
}

extension AsyncContent {
  /// Nil: the default text.
  public func errorMessage(for error: any Error) -> String? { nil }
  /// Nil: the default text.
  public var noDataMessage: String? { nil }
  /// Nil: the default text.
  public var idleMessage: String? { nil }
  /// Nil: the default text.
  public var waitingMessage: String? { nil }
  /// False: no reload control.
  public var canReload: Bool { false }
}
