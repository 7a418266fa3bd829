// SPDX-License-Identifier: MIT
/// A place that keeps the values of a family beyond its memory, as a copy: a database, files, a server's cache.
///
/// ```swift
/// func read(_ id: Int, isolation: isolated (any Actor)?) async throws -> StoredValue<String>? {
///   guard let draft = try await database.draft(id) else { return nil }
///   return StoredValue(draft.text, age: draft.age)
/// }
/// ```
///
/// The store follows the memory: what has changed is written as soon as the actor is free, all of it in one call, and again
/// with the next change if that call has failed. So one write runs at a time, and a key that is not written as it is in memory
/// is not read.
///
/// The functions run on the family's actor, so keys and values need not be `Sendable`; slow work belongs into another
/// actor or a function that leaves this one.
public protocol ValueStore<Key, Value> {
  /// The key of a stored value.
  associatedtype Key: Hashable
  /// The value that is stored.
  associatedtype Value

  /// The stored value, if the store can return it at once. It is then displayed from the first moment. Called when a key is
  /// accessed for the first time, so it must not wait. By default nil, and ``read(_:isolation:)`` is called later.
  func peek(_ key: Key) -> StoredValue<Value>?

  /// Reads the value of a key. A call that wants a request does not wait for it.
  ///
  /// - Returns: The value with its age; nil: nothing is stored for this key.
  func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>?

  /// Stores some values in the place of the stored ones, and removes those of other keys: for a database one transaction, for
  /// files a loop. If it throws, it may have done a part.
  func save(
    _ values: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?) async throws

  /// Marks the stored values of some keys as out of date. By default each is read, and saved with the mark.
  func markStale(_ keys: Set<Key>, isolation: isolated (any Actor)?) async throws

  /// Removes the stored values of all keys.
  func removeAll(isolation: isolated (any Actor)?) async throws
}

extension ValueStore {
  /// Returns nil: no value can be returned at once.
  public func peek(_ key: Key) -> StoredValue<Value>? { nil }

  /// Reads each value, and saves those that are not marked yet, with the mark.
  public func markStale(_ keys: Set<Key>, isolation: isolated (any Actor)?) async throws {
    var marked: [Key: StoredValue<Value>] = [:]
    for key in keys {
      guard var stored = try await read(key, isolation: isolation), !stored.isInvalidated else { continue }
      stored.isInvalidated = true
      marked[key] = stored
    }
    if !marked.isEmpty { try await save(marked, removing: [], isolation: isolation) }
  }
}

/// A value in a store: an answer and its age.
public struct StoredValue<Value> {
  /// The answer. Nil: the answer was that there is no data.
  public var value: Value?

  /// The time since the answer, not since it was stored. The store measures it, with a clock that continues between launches,
  /// and rounds up. Nil, or less than zero because a clock was set back: unknown, which is too old for every limit.
  public var age: Duration?

  /// True if the value was out of date already when it was stored, or is made of other data, which may change without it.
  public var isInvalidated: Bool

  /// A stored value.
  ///
  /// - Parameters:
  ///   - value: The answer; nil: there is no data.
  ///   - age: The time since the answer; nil: unknown.
  ///   - isInvalidated: True if it was out of date when it was stored.
  public init(_ value: Value?, age: Duration? = nil, isInvalidated: Bool = false) {
    self.value = value
    self.age = age
    self.isInvalidated = isInvalidated
  }
}

extension StoredValue {
  /// The same, out of date if it is, or if this is true.
  func marked(if isMarked: Bool) -> Self { StoredValue(value, age: age, isInvalidated: isInvalidated || isMarked) }
}

extension StoredValue: Sendable where Value: Sendable {}
extension StoredValue: Equatable where Value: Equatable {}

extension StoredValue: CustomStringConvertible {
  /// The value and its age, as in `3 items, 1.5 seconds old`.
  public var description: String {
    let age = age.map { "\($0) old" } ?? "of unknown age"
    return "\(value.map { brief(valueOf: $0) } ?? "no data"), \(age)\(isInvalidated ? ", invalidated" : "")"
  }
}
