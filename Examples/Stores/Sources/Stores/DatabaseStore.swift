// SPDX-License-Identifier: MIT
#if DATABASE
  public import AsyncState
  import Foundation
  public import GRDB

  /// A store that keeps the values of a family in a SQLite database, which several families may share.
  ///
  /// The database is a `DatabasePool`, in write-ahead mode: a write that is interrupted is as if it had not begun.
  public struct DatabaseStore<
    Key: Hashable & Sendable & CustomStringConvertible, Value: Codable & Sendable
  >: ValueStore, Sendable {
    let database: DatabasePool
    let family: String

    /// A store in a database that ``StoreSchema`` has prepared.
    ///
    /// - Parameter family: Distinguishes the values of this family from those of others in the same database.
    public init(_ database: DatabasePool, family: String) {
      self.database = database
      self.family = family
    }

    public func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>? {
      let (family, key) = (family, key.description)
      // A row stays in the closure: it cannot be sent, and would be read on the actor of the family.
      let stored: (data: Data?, answeredAt: Double?, isInvalidated: Bool)? = try await database.read { database in
        try Row.fetchOne(
          database, sql: "SELECT value, answeredAt, isInvalidated FROM storedValue WHERE family = ? AND key = ?",
          arguments: [family, key]
        ).map { ($0["value"], $0["answeredAt"], $0["isInvalidated"]) }
      }
      guard let stored else { return nil }
      let answeredAt = stored.answeredAt.map(Date.init(timeIntervalSince1970:))
      return StoredValue(
        try stored.data.map { try JSONDecoder().decode(Value.self, from: $0) }, age: answeredAt.map(age(since:)),
        isInvalidated: stored.isInvalidated)
    }

    /// In one transaction.
    public func save(
      _ values: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?
    ) async throws {
      let (family, removed) = (family, keys.map(\.description))
      let rows = try values.map { key, stored -> StatementArguments in
        // As a number, because a date in words is rounded.
        [
          family, key.description, try stored.value.map { try JSONEncoder().encode($0) },
          stored.age.map { time(before: $0).timeIntervalSince1970 }, stored.isInvalidated,
        ]
      }
      try await database.write { database in
        let insertion = try database.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO storedValue (family, key, value, answeredAt, isInvalidated) VALUES (?, ?, ?, ?, ?)
            """)
        for row in rows { try insertion.execute(arguments: row) }
        let removal = try database.cachedStatement(sql: "DELETE FROM storedValue WHERE family = ? AND key = ?")
        for key in removed { try removal.execute(arguments: [family, key]) }
      }
    }

    public func markStale(_ keys: Set<Key>, isolation: isolated (any Actor)?) async throws {
      let (family, keys) = (family, keys.map(\.description))
      try await database.write { database in
        let mark = try database.cachedStatement(
          sql: "UPDATE storedValue SET isInvalidated = TRUE WHERE family = ? AND key = ?")
        for key in keys { try mark.execute(arguments: [family, key]) }
      }
    }

    public func removeAll(isolation: isolated (any Actor)?) async throws {
      let family = family
      try await database.write { database in
        try database.execute(sql: "DELETE FROM storedValue WHERE family = ?", arguments: [family])
      }
    }
  }

  /// Brings a database to what the stores of this version expect.
  public enum StoreSchema {
    /// Carries out the migrations that the database has not seen yet.
    public static func prepare(_ database: DatabasePool) throws {
      try migrator.migrate(database)
    }

    static var migrator: DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("1: values and their times") { database in
        try database.create(table: "storedValue") { table in
          table.column("family", .text).notNull()
          table.column("key", .text).notNull()
          table.column("value", .blob)
          table.column("answeredAt", .double)
          table.primaryKey(["family", "key"])
        }
      }
      migrator.registerMigration("2: what was invalidated") { database in
        try database.alter(table: "storedValue") { table in
          table.add(column: "isInvalidated", .boolean).notNull().defaults(to: false)
        }
      }
      migrator.registerMigration("3: outboxes") { database in
        try database.create(table: "outboxEntry") { table in
          table.autoIncrementedPrimaryKey("number")
          table.column("key", .text).notNull().unique()
          table.column("outbox", .text).notNull()
          table.column("lane", .text).notNull()
          table.column("input", .blob).notNull()
          table.column("failure", .text)
        }
      }
      migrator.registerMigration("4: attempts") { database in
        try database.alter(table: "outboxEntry") { table in
          table.add(column: "attempts", .integer).notNull().defaults(to: 0)
        }
      }
      // The place of each input is the outbox's, and its lane is not stored.
      migrator.registerMigration("5: positions") { database in
        try database.rename(table: "outboxEntry", to: "formerEntry")
        try database.create(table: "outboxEntry") { table in
          table.column("key", .text).notNull().primaryKey()
          table.column("outbox", .text).notNull()
          table.column("position", .integer).notNull()
          table.column("input", .blob).notNull()
          table.column("attempts", .integer).notNull()
          table.column("failure", .text)
        }
        try database.execute(
          sql: """
            INSERT INTO outboxEntry SELECT key, outbox, number, input, attempts, failure FROM formerEntry;
            DROP TABLE formerEntry;
            """)
      }
      return migrator
    }
  }
#endif
