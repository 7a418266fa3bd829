// SPDX-License-Identifier: MIT
/// The part of a screen that displays a value, beside a ``StatusBoard``, which displays everything else.
///
/// Called on the board's actor: ``apply(_:animated:)`` once for each value, the other two when a message is displayed.
public protocol AsyncContent<Value>: AnyObject {
  /// The type of the content that is displayed.
  associatedtype Value

  /// Displays `value`, the first or the next.
  func apply(_ value: Value, animated: Bool)

  /// The content's own messages, which are displayed in its place. The default has none.
  var statusMessages: StatusMessages { get }

  /// True if a reload control belongs beside an error and beside "there is nothing".
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
  package let noData: String?

  /// The message if there is neither a value nor an error, and nothing is being requested: after a cancel, without a key, or if
  /// the policy displays data that was never requested as idle.
  package let idle: String?

  /// The message while the request waits for its ``LoadGate``, and there is neither a value nor an error.
  package let waiting: String?

  /// The message for an error; nil for a general sentence, which displays nothing of the error.
  package let error: (any Error) -> String?

  /// Messages of a content's own.
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
