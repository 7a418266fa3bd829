// SPDX-License-Identifier: MIT
/// A place that keeps the inputs of an ``AsyncOutbox`` until they have an answer: a database or a file.
///
/// The functions run on the outbox's actor, so inputs need not be `Sendable`; slow work belongs into another actor or a
/// function that leaves this one. They are called one after another. Each change is made as a whole or not at all, and
/// lasts when the function returns, also if the process is killed then. One outbox at a time uses a store.
///
/// An entry whose input cannot be decoded, such as one of another version of the app, is no reason to skip it: throw. The error
/// is in ``OutboxState/error``, nothing is sent until ``AsyncOutbox/resume(isolation:)`` can read it, and nothing is lost. So keep
/// decoding the former forms of an input, as long as one may be stored.
public protocol OutboxStore<Input> {
  /// The input that is sent.
  associatedtype Input

  /// The place of the entries, such as the path of a file. Stores with an equal place have the same entries, so only one outbox
  /// at a time uses them.
  var place: String { get }

  /// Stores an entry behind all others. If there is one with its key already, that one stays as it is.
  func append(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws

  /// The first entry that is not set aside, and in none of these lanes.
  ///
  /// - Returns: Nil if there is none.
  func first(besides lanes: Set<String>, isolation: isolated (any Actor)?) async throws -> OutboxEntry<Input>?

  /// Entries in their order, those that are set aside included.
  ///
  /// - Parameters:
  ///   - key: The entry behind which they begin; nil: from the first one.
  ///   - limit: The largest number of entries to return.
  ///   - isolation: The actor of the outbox.
  func entries(after key: String?, limit: Int, isolation: isolated (any Actor)?) async throws -> [OutboxEntry<Input>]

  /// Writes an entry in the place of the one with its key. Does nothing if there is none.
  func update(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws

  /// Removes an entry. Does nothing if there is none with this key.
  ///
  /// - Returns: True if there was one.
  @discardableResult
  func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool

  /// Removes all entries.
  func removeAll(isolation: isolated (any Actor)?) async throws
}

/// An input in an outbox.
public struct OutboxEntry<Input> {
  /// Its idempotency key, which no other entry has.
  public let key: String
  /// Entries with an equal lane are sent one after another.
  public var lane: String
  /// The input that is sent.
  public var input: Input
  /// The number of times that it was sent so far, in all launches together.
  public var attempts: Int
  /// The error that it was set aside with, in words; nil: it waits.
  public var failure: String?

  /// An entry.
  ///
  /// - Parameters:
  ///   - key: Its idempotency key.
  ///   - lane: Its lane.
  ///   - input: The input to send.
  ///   - attempts: The number of times that it was sent so far.
  ///   - failure: The error that it was set aside with, in words; nil: it waits.
  public init(key: String, lane: String, input: Input, attempts: Int = 0, failure: String? = nil) {
    self.key = key
    self.lane = lane
    self.input = input
    self.attempts = attempts
    self.failure = failure
  }
}

extension OutboxEntry: Sendable where Input: Sendable {}
extension OutboxEntry: Equatable where Input: Equatable {}

/// The content of an outbox, as a screen displays it.
public struct OutboxState<Input> {
  /// The number of inputs that were accepted and have no answer, also of those that are being sent.
  public var waitingCount = 0
  /// The inputs that were set aside after a permanent failure, in order.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var setAside: [OutboxEntry<Input>] {
    get { refused.all }
    set { refused = OutboxEntries(newValue) }
  }
  var refused = OutboxEntries<Input>()

  /// Counts an input that does not wait any more.
  mutating func countOut() { waitingCount = max(waitingCount - 1, 0) }

  /// The last error of the store; nil if it has worked since.
  public var error: (any Error)?

  /// The state of an empty outbox, for previews and tests.
  public init() {}
}

extension OutboxState: Sendable where Input: Sendable {}

/// Entries in order, which are found, added and removed by key in constant time, averaged over many calls.
struct OutboxEntries<Input> {
  /// Nil in the place of a removed entry.
  private var entries: [OutboxEntry<Input>?] = []
  private var places: [String: Int] = [:]

  init(_ all: [OutboxEntry<Input>] = []) {
    for entry in all { insert(entry) }
  }

  var all: [OutboxEntry<Input>] { entries.compactMap { $0 } }

  subscript(key: String) -> OutboxEntry<Input>? { places[key].flatMap { entries[$0] } }

  /// Adds an entry behind all others, or in the place of the one with its key.
  ///
  /// - Returns: The former entry.
  @discardableResult
  mutating func insert(_ entry: OutboxEntry<Input>) -> OutboxEntry<Input>? {
    if let place = places[entry.key] {
      var exchanged: OutboxEntry? = entry
      swap(&exchanged, &entries[place])
      return exchanged
    }
    places[entry.key] = entries.count
    entries.append(entry)
    return nil
  }

  mutating func remove(_ key: String) -> OutboxEntry<Input>? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    let entry = entries[place].take()
    if entries.count > 2 * places.count + 8 { self = OutboxEntries(all) }
    return entry
  }
}

extension OutboxEntries: Sendable where Input: Sendable {}

/// The reason for which an input was not accepted, or not sent.
@nonexhaustive
public enum OutboxError: Error {
  /// The store could not store it, or count its attempt, with this error. It is not sent.
  case notStored(any Error)
  /// The store has returned the entry with this key after it had removed it, or set it aside: it cannot be relied on, and
  /// counts as unreadable.
  case returned(key: String)
  /// The use of the store was ended by ``AsyncOutbox/close()``: nothing is accepted any more.
  case closed
}

extension OutboxError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .notStored(let error): "could not be stored, and is not sent: \(brief(error))"
    case .closed: "was performed after the outbox had been closed, and is not sent"
    case .returned(let key): "was returned by the store, which had removed it or set it aside: \(key)"
    }
  }
}
