// SPDX-License-Identifier: MIT
/// An input of an ``AsyncOutbox``, as a screen displays it.
public struct OutboxEntry<Input>: Identifiable {
  /// What becomes of an input.
  @nonexhaustive
  public enum Phase: Hashable, Sendable {
    /// It is being stored: until then it is lost if the process ends.
    case storing
    /// It is stored, as in all following phases. Others are sent first.
    case queued
    /// It is sent when its gate opens.
    case waitingForNetwork
    /// It is being sent.
    case sending
    /// An attempt has failed. It is sent again after a pause, or when ``AsyncOutbox/resume(isolation:)`` is called.
    case retrying
    /// It has failed for good, and is sent again only by ``AsyncOutbox/retry(_:)``.
    case failed
  }

  /// Its idempotency key, which no other entry has.
  public let key: String
  /// The input that is sent.
  public let input: Input
  /// The number of times that it was sent so far, in all launches together. While it is 0 the server does not know the input,
  /// unless the store could not save the number before the last launch ended.
  public let attempts: Int
  /// What becomes of it.
  public let phase: Phase
  /// The error of the last attempt, while it is sent again or has failed for good. After a restart it is an
  /// ``OutboxError/previous(_:)``.
  public let error: (any Error)?

  /// The idempotency key.
  public var id: String { key }

  /// An entry, for previews and tests.
  ///
  /// - Parameters:
  ///   - key: Its idempotency key.
  ///   - input: The input that is sent.
  ///   - attempts: The number of times that it was sent so far.
  ///   - phase: What becomes of it.
  ///   - error: The error of the last attempt.
  public init(key: String, input: Input, attempts: Int = 0, phase: Phase = .queued, error: (any Error)? = nil) {
    self.key = key
    self.input = input
    self.attempts = attempts
    self.phase = phase
    self.error = error
  }
}

extension OutboxEntry: Sendable where Input: Sendable {}

/// What an ``AsyncOutbox`` holds, as a screen displays it.
public struct OutboxState: Sendable {
  /// The number of inputs that have no end, those included that are being stored, are being sent, or cannot be decoded. What has
  /// failed for good does not wait.
  public var waitingCount = 0
  /// The number of inputs that have failed for good.
  public var failedCount = 0
  /// The stored inputs that this version of the app cannot decode, in order. They wait for a version that can;
  /// ``AsyncOutbox/discard(_:)-(UnreadableEntry)`` removes one.
  public var unreadable: [UnreadableEntry] = []
  /// The last error of the store; nil if it has everything. It is called again by itself.
  public var error: (any Error)?

  /// The state of an empty outbox, for previews and tests.
  public init() {}

  /// True if nothing of a screen has changed.
  func isEqual(_ other: OutboxState) -> Bool {
    waitingCount == other.waitingCount && failedCount == other.failedCount && unreadable == other.unreadable
      && error == nil && other.error == nil
  }
}

extension OutboxState: CustomStringConvertible {
  /// The state in words, as in `2 wait, 1 has failed`.
  public var description: String {
    var words: [String] = []
    if waitingCount > 0 { words.append(waitingCount == 1 ? "1 waits" : "\(waitingCount) wait") }
    if failedCount > 0 { words.append(failedCount == 1 ? "1 has failed" : "\(failedCount) have failed") }
    if !unreadable.isEmpty { words.append("\(unreadable.count) cannot be decoded") }
    if let error { words.append("the store: \(brief(error))") }
    return words.isEmpty ? "empty" : words.joined(separator: ", ")
  }
}

/// The reason for which an input was not accepted, or not sent.
@nonexhaustive
public enum OutboxError: Error {
  /// The store could not store it, with this error. It is not sent.
  case notStored(any Error)
  /// The use of the store was ended, by ``AsyncOutbox/close()`` or by another outbox of the same store: nothing is accepted any more.
  case closed
  /// The error that it has failed with in a previous launch, in words.
  case previous(String)
}

extension OutboxError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .notStored(let error): "could not be stored, and is not sent: \(brief(error))"
    case .closed: "was performed after the outbox had been closed, and is not sent"
    case .previous(let words): words
    }
  }
}
