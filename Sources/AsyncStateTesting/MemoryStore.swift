// SPDX-License-Identifier: MIT
public import AsyncState

/// A store in memory for tests of a family: what is stored can be looked at, and reading and writing can fail.
///
/// ```swift
/// let store = MemoryStore<Int, String>(clock: clock)
/// store.put("Rain", for: 1, age: .seconds(30))
/// let articles = AsyncFamily<Int, String>(
///   options: LoadOptions(staleAfter: .seconds(60), clock: clock), store: store
/// ) { id in
///   try await service.article(id)
/// }
/// ```
///
/// It belongs to the actor of its family. Several families, one after another, may use the same store, like several
/// launches of an app.
public final class MemoryStore<Key: Hashable, Value>: ValueStore {
  /// Whether ``peek(_:)`` finds what is stored.
  package var canPeek = false

  /// Each read waits here for an answer, and throws what that is; nil: it does not wait.
  package var reads: ManualServer<Void>?
  /// Each call that writes waits here for an answer before anything is stored; nil: it does not wait.
  package var writes: ManualServer<Void>?
  /// Each call that removes waits here for an answer before anything is removed; nil: it does not wait.
  package var removals: ManualServer<Void>?

  /// Thrown by each read; nil: it succeeds.
  package var readError: (any Error)?
  /// Thrown by each write; nil: it succeeds.
  package var writeError: (any Error)?
  /// Thrown by each removal; nil: it succeeds.
  package var removalError: (any Error)?

  /// How often was read.
  package private(set) var readCount = 0
  /// The number of calls that have written or removed single keys.
  package private(set) var saveCount = 0
  /// The keys of all writes that succeeded, in order; those of one call in any order.
  package private(set) var written: [Key] = []

  private var stored: [Key: (value: StoredValue<Value>, time: Duration)] = [:]
  private let elapsed: () -> Duration

  /// An empty store.
  ///
  /// - Parameter clock: Measures how old what is stored becomes; the one of the family.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    func line<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
      let origin = clock.now
      return { origin.duration(to: clock.now) }
    }
    elapsed = line(clock)
  }

  /// The stored value of a key by now; nil: there is none.
  public subscript(key: Key) -> StoredValue<Value>? {
    guard let (value, time) = stored[key] else { return nil }
    return StoredValue(
      value.value, age: value.age.map { $0 + (elapsed() - time) }, isInvalidated: value.isInvalidated)
  }

  /// The keys that something is stored for.
  package var keys: Set<Key> { Set(stored.keys) }

  /// Stores a value as an earlier launch would have left it.
  public func put(_ value: Value?, for key: Key, age: Duration? = .zero, isInvalidated: Bool = false) {
    stored[key] = (StoredValue(value, age: age, isInvalidated: isInvalidated), elapsed())
  }

  // MARK: ValueStore

  /// Nothing: each value is read.
  public func peek(_ key: Key) -> StoredValue<Value>? {
    canPeek ? self[key] : nil
  }

  /// The stored value.
  public func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>? {
    readCount += 1
    try await reads?.wait()
    if let readError { throw readError }
    return self[key]
  }

  /// Stores values and removes others.
  public func save(
    _ values: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?
  ) async throws {
    saveCount += 1
    let time = elapsed()
    if !values.isEmpty {
      try await writes?.wait()
      if let writeError { throw writeError }
      for (key, value) in values { stored[key] = (value, time) }
      written += values.keys
    }
    guard !keys.isEmpty else { return }
    try await removals?.wait()
    if let removalError { throw removalError }
    for key in keys { stored[key] = nil }
  }

  /// Removes all values.
  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await removals?.wait()
    if let removalError { throw removalError }
    stored = [:]
  }
}

extension MemoryStore: CustomStringConvertible {
  /// The type and the number of values that are stored.
  public var description: String { "\(Self.self): \(stored.count == 1 ? "1 value" : "\(stored.count) values")" }
}
