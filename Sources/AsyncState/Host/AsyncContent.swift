// SPDX-License-Identifier: MIT
/// The part of a screen that displays a value: all that is left to write when a ``StatusBoard`` does the rest.
public protocol AsyncContent<Value>: AnyObject {
  /// The type of the content that is displayed.
  associatedtype Value

  /// Displays `value`, the first or the next.
  func apply(_ value: Value, animated: Bool)

  /// The content's own messages, which are displayed in its place. The default has none.
  var statusMessages: StatusMessages { get }

  /// Whether a reload control belongs beside an error and beside "there is nothing".
  var canReload: Bool { get }
}

extension AsyncContent {
  /// None: the default texts.
  public var statusMessages: StatusMessages { StatusMessages() }
  /// False: no reload control.
  public var canReload: Bool { false }
}

/// The messages in the place of a content; nil: the default text.
public struct StatusMessages {
  /// The message if the answer is "there is nothing".
  public var noData: String?

  /// The message if nothing is known and nothing is being requested: after a cancel, without a key, or where the policy
  /// displays data that was never requested as idle.
  public var idle: String?

  /// The message while nothing is known and the request waits for its ``LoadGate``.
  public var waiting: String?

  /// The message for an error; nil for ``StatusBoard/defaultMessage(for:)``, which displays nothing of the error.
  public var error: (any Error) -> String?

  /// Messages of one's own.
  public init(
    noData: String? = nil, idle: String? = nil, waiting: String? = nil,
    error: @escaping (any Error) -> String? = { _ in nil }
  ) {
    self.noData = noData
    self.idle = idle
    self.waiting = waiting
    self.error = error
  }
}
