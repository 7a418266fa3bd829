// SPDX-License-Identifier: MIT
/// A place that keeps the inputs of an ``AsyncOutbox`` until they have an answer: a database or a file.
///
/// The functions run on the outbox's actor, so inputs need not be `Sendable`; slow work belongs into another actor or a
/// function that leaves this one. They are called one after another. Each change is made as a whole or not at all, and
/// lasts when the function returns, also if the process is killed then. After a call that has thrown, what the store lacks by
/// then is saved again: such a call may have made its change all the same.
///
/// One outbox at a time uses a store. Where several processes can reach the same file, the store takes a lock that the system
/// releases when a process dies, and throws while another process has it.
public protocol OutboxStore<Input> {
  /// The input that is sent.
  associatedtype Input

  /// The place of the entries, such as the path of a file. Stores with an equal place have the same entries, so only one outbox
  /// of the process uses them at a time, and the next one knows what the store lacks. So it is no address of an object,
  /// which another one may have later.
  var place: String { get }

  /// All entries, in the order of their ``StoredEntry/position``. An outbox calls it once, before anything is saved, and again only
  /// if it has thrown.
  ///
  /// - Returns: For an entry whose input cannot be decoded, such as one of another version of the app, an ``UnreadableEntry``. It
  ///   stays in the store, and the others are sent.
  func entries(isolation: isolated (any Actor)?) async throws -> [Result<StoredEntry<Input>, UnreadableEntry>]

  /// Writes entries, each in the place of one with its key, and removes others, as one change.
  ///
  /// - Parameters:
  ///   - entries: Those to write.
  ///   - keys: Those to remove. The store need not have them.
  ///   - isolation: The actor of the outbox.
  /// - Throws: `EncodingError` if an input cannot be encoded: then it is not tried again.
  func save(_ entries: [StoredEntry<Input>], removing keys: Set<String>, isolation: isolated (any Actor)?) async throws

  /// Removes all entries, also those that cannot be decoded.
  func removeAll(isolation: isolated (any Actor)?) async throws
}

/// An input as a store keeps it.
public struct StoredEntry<Input> {
  /// Its idempotency key, which no other entry has.
  public let key: String
  /// Its place among the others of the store. The outbox gives it.
  public let position: Int
  /// The input that is sent.
  public let input: Input
  /// The number of times that it was sent so far, in all launches together.
  public let attempts: Int
  /// The error that it has failed with for good, in words; nil: it waits.
  public let failure: String?

  /// An entry.
  ///
  /// - Parameters:
  ///   - key: Its idempotency key.
  ///   - position: Its place among the others of the store.
  ///   - input: The input to send.
  ///   - attempts: The number of times that it was sent so far.
  ///   - failure: The error that it has failed with for good, in words; nil: it waits.
  public init(key: String, position: Int, input: Input, attempts: Int = 0, failure: String? = nil) {
    self.key = key
    self.position = position
    self.input = input
    self.attempts = attempts
    self.failure = failure
  }
}

extension StoredEntry {
  /// The same with another input.
  func map<Other>(_ transform: (Input) -> Other) -> StoredEntry<Other> {
    StoredEntry<Other>(key: key, position: position, input: transform(input), attempts: attempts, failure: failure)
  }
}

extension StoredEntry: Sendable where Input: Sendable {}
extension StoredEntry: Equatable where Input: Equatable {}
extension StoredEntry: Hashable where Input: Hashable {}

/// An entry of a store whose input this version of the app cannot decode. It stays there until a version can, or until it is
/// discarded.
public struct UnreadableEntry: Error, Hashable {
  /// Its idempotency key.
  public let key: String
  /// Its place among the others of the store.
  public let position: Int
  /// The error of the decoder, in words.
  public let reason: String

  /// An entry that cannot be decoded.
  ///
  /// - Parameters:
  ///   - key: Its idempotency key.
  ///   - position: Its place among the others of the store.
  ///   - reason: The error of the decoder, in words.
  public init(key: String, position: Int, reason: String) {
    self.key = key
    self.position = position
    self.reason = reason
  }
}
