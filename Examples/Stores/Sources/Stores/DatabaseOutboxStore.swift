// SPDX-License-Identifier: MIT
#if DATABASE
  public import AsyncState
  import Foundation
  public import GRDB
  import Synchronization

  /// An outbox in a SQLite database, which several outboxes and families may share.
  ///
  /// The database is a `DatabasePool`, in write-ahead mode. A write that was interrupted, or failed because the disk is
  /// full, is as if it had not begun. To survive the loss of power, too, prepare its connections with
  /// `PRAGMA synchronous = FULL`.
  ///
  /// Another process that uses the outbox makes the first use throw ``StoreInUse``.
  public struct DatabaseOutboxStore<Input: Codable & Sendable>: OutboxStore, Sendable {
    private let database: DatabasePool
    private let name: String
    private let use: DatabaseOutboxUse

    /// An outbox in a database that ``StoreSchema`` has prepared.
    ///
    /// - Parameter name: Distinguishes the inputs of this outbox from those of others in the same database.
    public init(_ database: DatabasePool, name: String) {
      self.database = database
      self.name = name
      use = DatabaseOutboxUse("\(database.path).\(name).lock")
    }

    public var place: String { "\(database.path): \(name)" }

    public func entries(
      isolation: isolated (any Actor)?
    ) async throws -> [Result<StoredEntry<Input>, UnreadableEntry>] {
      try use.begin()
      let name = name
      return try await database.read { database in
        try Row.fetchAll(
          database,
          sql:
            "SELECT key, position, input, attempts, failure FROM outboxEntry WHERE outbox = ? ORDER BY position, key",
          arguments: [name]
        ).map { row in
          do {
            let input = try JSONDecoder().decode(Input.self, from: row["input"])
            return .success(
              StoredEntry(
                key: row["key"], position: row["position"], input: input, attempts: row["attempts"],
                failure: row["failure"]))
          } catch {
            return .failure(
              UnreadableEntry(key: row["key"], position: row["position"], reason: String(describing: error)))
          }
        }
      }
    }

    public func save(
      _ entries: [StoredEntry<Input>], removing keys: Set<String>, isolation: isolated (any Actor)?
    ) async throws {
      try use.begin()
      let name = name
      let rows: [StatementArguments] = try entries.map { entry in
        [entry.key, name, entry.position, try JSONEncoder().encode(entry.input), entry.attempts, entry.failure]
      }
      do {
        try await write(rows, removing: keys)
      } catch {
        // On a full disk a removal has room when what is in the log is in the database.
        guard rows.isEmpty, error is DatabaseError else { throw error }
        try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try await write(rows, removing: keys)
      }
    }

    private func write(_ rows: [StatementArguments], removing keys: Set<String>) async throws {
      try await database.write { database in
        for key in keys { try database.execute(sql: "DELETE FROM outboxEntry WHERE key = ?", arguments: [key]) }
        for row in rows {
          try database.execute(
            sql: """
              INSERT OR REPLACE INTO outboxEntry (key, outbox, position, input, attempts, failure)
              VALUES (?, ?, ?, ?, ?, ?)
              """, arguments: row)
        }
      }
    }

    public func removeAll(isolation: isolated (any Actor)?) async throws {
      try use.begin()
      let name = name
      try await database.write { try $0.execute(sql: "DELETE FROM outboxEntry WHERE outbox = ?", arguments: [name]) }
    }
  }

  /// The lock of an outbox in a database, from its first use on.
  private final class DatabaseOutboxUse: Sendable {
    private let path: String
    private let lock = Mutex<ProcessLock?>(nil)

    init(_ path: String) { self.path = path }

    func begin() throws {
      try lock.withLock { lock in
        if lock == nil { lock = try ProcessLock.take(path) }
      }
    }
  }
#endif
