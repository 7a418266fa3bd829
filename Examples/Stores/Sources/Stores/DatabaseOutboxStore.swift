// SPDX-License-Identifier: MIT
#if DATABASE
  public import AsyncState
  import Foundation
  public import GRDB

  /// An outbox in a SQLite database, which several outboxes and families may share.
  ///
  /// The database is a `DatabasePool`, in write-ahead mode. A write that was interrupted, or failed because the disk is
  /// full, is as if it had not begun. To survive the loss of power, too, prepare its connections with
  /// `PRAGMA synchronous = FULL`.
  public struct DatabaseOutboxStore<Input: Codable & Sendable>: OutboxStore, Sendable {
    private let database: DatabasePool
    private let name: String

    /// An outbox in a database that ``StoreSchema`` has prepared.
    ///
    /// - Parameter name: Distinguishes the inputs of this outbox from those of others in the same database.
    public init(_ database: DatabasePool, name: String) {
      self.database = database
      self.name = name
    }

    public var place: String { "\(database.path): \(name)" }

    public func append(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
      let arguments: StatementArguments = [
        entry.key, name, entry.lane, try JSONEncoder().encode(entry.input), entry.attempts,
      ]
      try await execute(
        "INSERT OR IGNORE INTO outboxEntry (key, outbox, lane, input, attempts) VALUES (?, ?, ?, ?, ?)", arguments)
    }

    public func first(
      besides lanes: Set<String>, isolation: isolated (any Actor)?
    ) async throws -> OutboxEntry<Input>? {
      let marks = Array(repeating: "?", count: lanes.count).joined(separator: ", ")
      return try await entries(
        "failure IS NULL AND lane NOT IN (\(marks)) ORDER BY number LIMIT 1", StatementArguments(lanes.sorted())
      ).first
    }

    public func entries(
      after key: String?, limit: Int, isolation: isolated (any Actor)?
    ) async throws -> [OutboxEntry<Input>] {
      try await entries(
        "number > coalesce((SELECT number FROM outboxEntry WHERE key = ?), 0) ORDER BY number LIMIT ?", [key, limit])
    }

    public func update(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
      let arguments: StatementArguments = [
        entry.lane, try JSONEncoder().encode(entry.input), entry.attempts, entry.failure, entry.key,
      ]
      try await execute(
        "UPDATE outboxEntry SET lane = ?, input = ?, attempts = ?, failure = ? WHERE key = ?", arguments)
    }

    public func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
      try await execute("DELETE FROM outboxEntry WHERE key = ?", [key])
    }

    public func removeAll(isolation: isolated (any Actor)?) async throws {
      try await execute("DELETE FROM outboxEntry WHERE outbox = ?", [name])
    }

    /// - Returns: Whether an entry was changed.
    @discardableResult
    private func execute(_ sql: String, _ arguments: StatementArguments) async throws -> Bool {
      try await database.write {
        try $0.execute(sql: sql, arguments: arguments)
        return $0.changesCount > 0
      }
    }

    private func entries(_ condition: String, _ arguments: StatementArguments) async throws -> [OutboxEntry<Input>] {
      let name = name
      return try await database.read { database in
        try Row.fetchAll(
          database, sql: "SELECT key, lane, input, attempts, failure FROM outboxEntry WHERE outbox = ? AND \(condition)",
          arguments: [name] + arguments
        ).map { row in
          OutboxEntry(
            key: row["key"], lane: row["lane"], input: try JSONDecoder().decode(Input.self, from: row["input"]),
            attempts: row["attempts"], failure: row["failure"])
        }
      }
    }
  }
#endif
