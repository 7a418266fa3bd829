// SPDX-License-Identifier: MIT
public import AsyncState

/// A store in memory for tests of an outbox: what is stored can be looked at, each use can fail, and each can wait.
///
/// ```swift
/// let store = MemoryOutboxStore<String>()
/// store.put("Bread", key: "1")
/// let notes = AsyncOutbox(store: store, isPermanent: { error, _ in error is Refusal }) { (note: String, request) in
///   try await service.save(note, key: request.idempotencyKey)
/// }
/// await notes.resume()
/// ```
///
/// It belongs to the actor of its outbox. Several outboxes, one after another, may use the same store, like several
/// launches of an app. Two that use it at the same time stop the process.
public final class MemoryOutboxStore<Input>: OutboxStore {
  /// Each append waits here for an answer before anything is stored; nil: it does not wait.
  public var appends: Gate<Void>?
  /// Each removal waits here for an answer before anything is removed; nil: it does not wait.
  public var removals: Gate<Void>?
  /// Each update of an entry waits here for an answer: before it is sent, when it is set aside or is to wait again, and when it
  /// is rewritten; nil: it does not wait.
  public var updates: Gate<Void>?
  /// Each look for the first entry waits here for an answer; nil: it does not wait.
  public var reads: Gate<Void>?

  /// Thrown by each append; nil: it succeeds.
  public var appendError: (any Error)?
  /// Whether an append that throws has stored the entry all the same.
  package var appendsDespiteError = false
  /// Thrown by each read; nil: it succeeds.
  public var readError: (any Error)?
  /// Thrown when an entry is updated: before it is sent, when it is set aside or is to wait again, and when it is
  /// rewritten; nil: it succeeds.
  public var updateError: (any Error)?
  /// Thrown by each removal; nil: it succeeds.
  public var removalError: (any Error)?
  /// Whether a removal that throws has removed the entry all the same.
  package var removesDespiteError = false

  /// How often an entry was looked for or read.
  public private(set) var readCount = 0

  private var stored: [Int: OutboxEntry<Input>] = [:]
  private var places: [String: Int] = [:]
  /// The first place that may have an entry, and the one after the last.
  private var (start, end) = (0, 0)
  /// The first place that may have an entry that waits.
  private var firstWaiting = 0
  private var isInUse = false

  /// An empty store.
  public init() {}

  /// The stored inputs, in order.
  public var entries: [OutboxEntry<Input>] { (start..<end).compactMap { stored[$0] } }

  /// The number of entries.
  public var count: Int { stored.count }

  /// Stores an entry as an earlier launch would have left it.
  public func put(_ input: Input, key: String, lane: String = "", attempts: Int = 0, failure: String? = nil) {
    insert(OutboxEntry(key: key, lane: lane, input: input, attempts: attempts, failure: failure))
  }

  private func insert(_ entry: OutboxEntry<Input>) {
    guard places[entry.key] == nil else { return }
    places[entry.key] = end
    stored[end] = entry
    end += 1
  }

  /// Calls `body`, one use at a time.
  private func use<Result>(
    _ gate: Gate<Void>?, _ error: (any Error)?, isolation: isolated (any Actor)?, _ body: () -> Result
  ) async throws -> Result {
    guard !isInUse else {
      fatalError(
        """
        AsyncStateTesting: a MemoryOutboxStore was used while another use of it has not ended. An outbox calls the \
        functions of its store one after another: is it used by something else?
        """)
    }
    isInUse = true
    defer { isInUse = false }
    try await gate?.wait()
    if let error { throw error }
    return body()
  }

  // MARK: OutboxStore

  /// The object itself.
  public var place: String { "\(Self.self) \(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))" }

  /// Stores an entry, after ``appends`` has let it pass.
  public func append(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
    do {
      try await use(appends, nil, isolation: isolation) {}
    } catch {
      if appendsDespiteError { insert(entry) }
      throw error
    }
    if let appendError {
      if appendsDespiteError { insert(entry) }
      throw appendError
    }
    insert(entry)
  }

  /// The first entry, after ``reads`` has let it pass.
  public func first(
    besides lanes: Set<String>, isolation: isolated (any Actor)?
  ) async throws -> OutboxEntry<Input>? {
    readCount += 1
    return try await use(reads, readError, isolation: isolation) {
      while start < end, stored[start] == nil { start += 1 }
      firstWaiting = max(firstWaiting, start)
      while firstWaiting < end, stored[firstWaiting].map({ $0.failure == nil }) != true { firstWaiting += 1 }
      for place in firstWaiting..<end {
        if let entry = stored[place], entry.failure == nil, !lanes.contains(entry.lane) { return entry }
      }
      return nil
    }
  }

  /// Entries in their order.
  public func entries(
    after key: String?, limit: Int, isolation: isolated (any Actor)?
  ) async throws -> [OutboxEntry<Input>] {
    readCount += 1
    return try await use(nil, readError, isolation: isolation) {
      let first = key.flatMap { places[$0] }.map { $0 + 1 } ?? start
      return Array((first..<end).lazy.compactMap { self.stored[$0] }.prefix(limit))
    }
  }

  /// Writes an entry in its place.
  public func update(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
    try await use(updates, updateError, isolation: isolation) {
      guard let place = places[entry.key] else { return }
      stored[place] = entry
      firstWaiting = min(firstWaiting, place)
    }
  }

  /// Removes an entry, after ``removals`` has let it pass.
  @discardableResult
  public func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
    try await use(removals, nil, isolation: isolation) {}
    let place = removalError == nil || removesDespiteError ? places.removeValue(forKey: key) : nil
    if let place { stored[place] = nil }
    if let removalError { throw removalError }
    return place != nil
  }

  /// Removes all entries.
  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await use(nil, removalError, isolation: isolation) {
      stored = [:]
      places = [:]
    }
  }
}

extension MemoryOutboxStore: CustomStringConvertible {
  /// The type and the number of inputs that are stored.
  public var description: String { "\(Self.self): \(count == 1 ? "1 input" : "\(count) inputs")" }
}
