// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// A store that the families of several processes share: rows with their age and their tags.
///
/// Prepare the database once with ``StoreTables/prepare(_:)``. A ``TagBridge`` marks rows whose tags were invalidated, and
/// what is stored shortly after such a change, too: its request may have begun before.
public struct PostgresStore<Key: Hashable & Sendable & CustomStringConvertible, Value: Codable & Sendable>: ValueStore,
  Sendable
{
  private let database: PostgresDatabase
  private let family: String
  private let tags: @Sendable (Key) -> [SharedTag]
  private let longestRequest: Duration

  /// A store of a family.
  ///
  /// - Parameters:
  ///   - family: Distinguishes the values of this family from those of others in the same database.
  ///   - longestRequest: How long a request takes at most: the timeout of the family's options. What is answered within it
  ///     after a change counts as invalidated, because the store does not know when the request began.
  ///   - tags: The tags of a value.
  public init(
    _ database: PostgresDatabase, family: String, longestRequest: Duration = .seconds(5),
    tags: @escaping @Sendable (Key) -> [SharedTag]
  ) {
    (self.database, self.family, self.tags, self.longestRequest) = (database, family, tags, longestRequest)
  }

  /// Reads a row.
  public func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>? {
    let rows = try await database.rows(
      Statement(
        """
        SELECT value, extract(epoch FROM clock_timestamp() - answered_at)::text, is_invalidated::text FROM stored_value
        WHERE family = $1 AND key = $2
        """, family, key.description))
    guard let row = rows.first else { return nil }
    return StoredValue(
      try row[0].map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) },
      age: row[1].flatMap(Double.init).map { .seconds($0) }, isInvalidated: row[2] == "true")
  }

  /// Writes rows and removes others, and notifies those who follow them.
  public func save(
    _ values: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?
  ) async throws {
    let statements =
      try values.flatMap { try writing($1, for: $0) }
      + keys.flatMap {
        [
          Statement("DELETE FROM stored_value WHERE family = $1 AND key = $2", family, $0.description),
          try Notice(row: row($0)).statement(),
        ]
      }
    try await database.transaction(statements)
  }

  private func writing(_ stored: StoredValue<Value>, for key: Key) throws -> [Statement] {
    let text = try stored.value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    let tags = tags(key)
    return [
      StoreTables.locking(tags, isShared: true),
      Statement(
        """
        INSERT INTO stored_value (family, key, value, answered_at, is_invalidated, tags)
        VALUES ($1, $2, $3, clock_timestamp() - $4::interval, $5::boolean OR EXISTS (
          SELECT FROM invalidated_tag WHERE tag = ANY($6::text[]) AND at > clock_timestamp() - $7::interval), $6::text[])
        ON CONFLICT (family, key) DO UPDATE SET value = excluded.value, answered_at = excluded.answered_at,
          is_invalidated = excluded.is_invalidated, tags = excluded.tags
        """, family, key.description, text, stored.age.map(interval), "\(stored.isInvalidated)",
        array(tags.map(\.text)),
        interval(longestRequest)),
      try Notice(row: row(key)).statement(),
    ]
  }

  /// Removes the rows of the family.
  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await database.transaction([Statement("DELETE FROM stored_value WHERE family = $1", family)])
  }

  private func row(_ key: Key) -> String { "\(family)/\(key)" }
}

extension PostgresStore {
  /// The value that is stored for a key, and each later one, whichever process writes it. While nothing is stored there is
  /// no element.
  ///
  /// ```swift
  /// let notes = AsyncFamily(isolation: self) { id in .live { store.values(of: id) } }
  /// ```
  ///
  /// After a lost connection the row is read again. The sequence ends with an error when it cannot be read.
  public func values(of key: Key) -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          var last: Data?
          for await event in database.notices.events() where event.concerns(row: row(key)) {
            guard let value = try await read(key, isolation: nil)?.value else { continue }
            let data = try JSONEncoder().encode(value)
            if data != last { continuation.yield(value) }
            last = data
          }
          continuation.finish()
        } catch { continuation.finish(throwing: error) }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Requests a value once for all processes: one of them requests it while the others wait, and then have it.
  ///
  /// Use it in the family's operation. A process that waits has a connection of its own for each key.
  ///
  /// - Parameters:
  ///   - age: How old a value may be that another process has stored.
  ///   - request: Makes the request if there is no such value.
  public func sharing(
    _ key: Key, notOlderThan age: Duration, request: () async throws -> Value?
  ) async throws -> Value? {
    try await database.holding(lock: row(key)) {
      if let stored = try await read(key, isolation: nil), !stored.isInvalidated, let its = stored.age, its < age {
        return stored.value
      }
      let value = try await request()
      try await save([key: StoredValue(value, age: .zero)], removing: [], isolation: nil)
      return value
    }
  }
}

extension PostgresNotices.Event {
  fileprivate func concerns(row: String) -> Bool {
    switch self {
    case .connected: true
    case .lost: false
    case .notice(let notice): notice.row == row
    }
  }
}
