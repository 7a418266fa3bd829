// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import GRDB
import Stores

struct Mark: Codable, Sendable, Equatable {
  var isFavourite = false
  var note = ""
  var version = 0
}

enum MarkChange: Codable, Sendable {
  case favourite(Path, Bool)
  case note(Path, String)

  var path: Path {
    switch self {
    case .favourite(let path, _), .note(let path, _): path
    }
  }

  func apply(to mark: inout Mark) {
    switch self {
    case .favourite(_, let isFavourite): mark.isFavourite = isFavourite
    case .note(_, let note): mark.note = note
    }
  }
}

/// Favourites and notes in SQLite. A value is replaced only by a newer version, so many visitors may write what they know.
struct MarkStore: ValueStore, Sendable {
  let database: DatabasePool
  private let reader = Reader()

  /// Reads one mark at a time, each in microseconds. A thread for each read of a thousand visitors would cost more.
  private actor Reader {
    func mark(_ path: Path, in database: DatabasePool) throws -> Mark {
      try database.read { try MarkStore.fetch($0, path) }
    }
  }

  init(at path: String) throws {
    database = try DatabasePool(path: path)
    try StoreSchema.prepare(database)
    try database.write {
      try $0.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS mark (path TEXT PRIMARY KEY, isFavourite BOOLEAN, note TEXT, version INTEGER);
          CREATE TABLE IF NOT EXISTS applied (number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE);
          UPDATE outboxEntry SET outbox = 'left';
          """)
    }
  }

  /// What visitors have left is sent by the library.
  func leave(_ outboxes: Set<String>) async throws {
    try await database.write {
      for outbox in outboxes {
        try $0.execute(sql: "UPDATE outboxEntry SET outbox = 'left' WHERE outbox = ?", arguments: [outbox])
      }
    }
  }

  func mark(_ path: Path) async throws -> Mark {
    try await reader.mark(path, in: database)
  }

  private static func fetch(_ database: Database, _ path: Path) throws -> Mark {
    let statement = try database.cachedStatement(sql: "SELECT * FROM mark WHERE path = ?")
    let row = try Row.fetchOne(statement, arguments: [path.text])
    return row.map { Mark(isFavourite: $0["isFavourite"], note: $0["note"], version: $0["version"]) } ?? Mark()
  }

  private static func save(_ database: Database, _ path: Path, _ mark: Mark) throws {
    try database.execute(
      sql: """
        INSERT INTO mark VALUES (?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET isFavourite = excluded.isFavourite,
        note = excluded.note, version = excluded.version WHERE excluded.version > version
        """, arguments: [path.text, mark.isFavourite, mark.note, mark.version])
  }

  /// Applies a change once for its key.
  func apply(_ change: MarkChange, key: String) async throws {
    try await database.write { database in
      try database.execute(sql: "INSERT OR IGNORE INTO applied (key) VALUES (?)", arguments: [key])
      guard database.changesCount > 0 else { return }
      try database.execute(sql: "DELETE FROM applied WHERE number < (SELECT max(number) FROM applied) - 100000")
      var mark = try Self.fetch(database, change.path)
      change.apply(to: &mark)
      mark.version += 1
      try Self.save(database, change.path, mark)
    }
  }

  func read(_ key: Path, isolation: isolated (any Actor)?) async throws -> StoredValue<Mark>? {
    // No row is the empty mark, so a change is displayed offline, too.
    StoredValue(try await mark(key))
  }

  func write(_ stored: StoredValue<Mark>, for key: Path, isolation: isolated (any Actor)?) async throws {
    // Mostly it is what was read from here.
    guard let mark = stored.value, try await self.mark(key).version < mark.version else { return }
    try await database.write { try Self.save($0, key, mark) }
  }

  // A family forgets what it has in memory; the marks are everyone's.
  func remove(_ key: Path, isolation: isolated (any Actor)?) async throws {}
  func removeAll(isolation: isolated (any Actor)?) async throws {}
}
