// SPDX-License-Identifier: MIT
public import AsyncState

/// Counts the stores in memory. An address may be used again, and then a store would be taken for one that was released.
private let storeCount = Locked(0)

/// A store in memory for tests of an outbox: what is stored can be looked at, and reading and writing can fail.
///
/// ```swift
/// let store = MemoryOutboxStore<String>()
/// store.put("Bread", key: "1")
/// let notes = AsyncOutbox(store: store, isPermanent: { error, _ in error is Refusal }) { (note: String, request) in
///   try await service.save(note, key: request.idempotencyKey)
/// }
/// await notes.resume().finished()
/// ```
///
/// It belongs to the actor of its outbox. Several outboxes, one after another, may use the same store, like several
/// launches of an app.
public final class MemoryOutboxStore<Input>: OutboxStore {
  /// Each save that adds an entry waits here for an answer before anything is stored; nil: it does not wait.
  package var appends: ManualServer<Void>?
  /// Each save that removes an entry waits here for an answer before anything is removed; nil: it does not wait.
  package var removals: ManualServer<Void>?
  /// Each save that changes an entry waits here for an answer: before it is sent, when it has failed for good or is to wait again,
  /// and when it is rewritten; nil: it does not wait.
  package var updates: ManualServer<Void>?
  /// Each read waits here for an answer; nil: it does not wait.
  package var reads: ManualServer<Void>?

  /// Thrown by each save that adds an entry; nil: it succeeds.
  public var appendError: (any Error)?
  /// Thrown by each read; nil: it succeeds.
  package var readError: (any Error)?
  /// Thrown by each save that changes an entry; nil: it succeeds.
  package var updateError: (any Error)?
  /// Thrown by each save that removes an entry, and by the removal of everything; nil: it succeeds.
  package var removalError: (any Error)?
  /// Returns the error of a save by one of its entries, as of an input that cannot be encoded; nil: it has none.
  package var entryError: ((StoredEntry<Input>) -> (any Error)?)?
  /// Whether a save that adds an entry, and throws, has stored it all the same.
  package var appendsDespiteError = false
  /// Whether a removal that throws has removed the entry all the same.
  package var removesDespiteError = false

  /// The keys of the entries that this version of the app cannot decode.
  package var unreadableKeys: Set<String> = []

  /// How often the entries were read.
  package private(set) var readCount = 0
  /// How often entries were saved or removed.
  package private(set) var saveCount = 0

  private var stored: [String: StoredEntry<Input>] = [:]
  private var end = 0
  private var isInUse = false
  private let number = storeCount.withLock { count in
    count += 1
    return count
  }

  /// An empty store.
  public init() {}

  /// The stored inputs, in order.
  public var entries: [StoredEntry<Input>] { stored.values.sorted { $0.position < $1.position } }

  /// The number of entries.
  public var count: Int { stored.count }

  /// Stores an entry as an earlier launch would have left it.
  public func put(_ input: Input, key: String, attempts: Int = 0, failure: String? = nil) {
    write([StoredEntry(key: key, position: end, input: input, attempts: attempts, failure: failure)])
  }

  private func write(_ entries: [StoredEntry<Input>]) {
    for entry in entries {
      stored[entry.key] = entry
      end = max(end, entry.position + 1)
    }
  }

  /// Notes a use: one at a time.
  private func beginUse() {
    guard !isInUse else {
      fatalError(
        """
        AsyncStateTesting: a MemoryOutboxStore was used while another use of it has not ended. An outbox calls the \
        functions of its store one after another: is it used by something else?
        """)
    }
    isInUse = true
  }

  // MARK: OutboxStore

  /// The object itself: no other one has an equal place.
  public var place: String { "\(Self.self) \(number)" }

  /// The entries in their order.
  public func entries(
    isolation: isolated (any Actor)?
  ) async throws -> [Result<StoredEntry<Input>, UnreadableEntry>] {
    readCount += 1
    beginUse()
    defer { isInUse = false }
    try await reads?.wait()
    if let readError { throw readError }
    return entries.map { entry in
      guard unreadableKeys.contains(entry.key) else { return .success(entry) }
      return .failure(UnreadableEntry(key: entry.key, position: entry.position, reason: "cannot be decoded"))
    }
  }

  /// Writes and removes entries, or throws ``appendError`` if one is new.
  public func save(
    _ entries: [StoredEntry<Input>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    saveCount += 1
    let appends = entries.contains { stored[$0.key] == nil }
    let updates = entries.contains { stored[$0.key] != nil }
    let removes = keys.contains { stored[$0] != nil }
    beginUse()
    defer { isInUse = false }
    var failure: (any Error)?
    do {
      if appends { try await self.appends?.wait() }
      if updates { try await self.updates?.wait() }
      if removes { try await removals?.wait() }
    } catch {
      failure = error
    }
    if failure == nil, appends { failure = appendError }
    if failure == nil, updates { failure = updateError }
    if failure == nil, removes { failure = removalError }
    if failure == nil { failure = entries.lazy.compactMap { self.entryError?($0) }.first }
    if failure == nil || appends && appendsDespiteError || removes && removesDespiteError {
      for key in keys { stored[key] = nil }
      write(entries)
    }
    if let failure { throw failure }
  }

  /// Removes all entries.
  public func removeAll(isolation: isolated (any Actor)?) async throws {
    beginUse()
    defer { isInUse = false }
    if removalError == nil || removesDespiteError { stored = [:] }
    if let removalError { throw removalError }
  }
}

extension MemoryOutboxStore: CustomStringConvertible {
  /// The type and the number of inputs that are stored.
  public var description: String { "\(Self.self): \(count == 1 ? "1 input" : "\(count) inputs")" }
}
