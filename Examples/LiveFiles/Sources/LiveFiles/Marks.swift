// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import GRDB
import Stores

struct Mark: Codable, Sendable, Equatable {
  var isFavourite = false
  var note = ""
  var version = 0

  /// The largest number of characters of a note that is saved. No note is ever cut.
  static let longestNote = 20_000
}

struct MarkChange: Codable, Sendable {
  enum Kind: Codable, Sendable {
    case favourite(Bool)
    /// A note, and the text that it was written over.
    case note(String, over: String)
  }

  let path: Path
  /// Given by the page: what it sends again, because it had no answer, is applied once.
  let key: String
  let kind: Kind

  func apply(to mark: inout Mark) {
    switch kind {
    case .favourite(let isFavourite): mark.isFavourite = isFavourite
    case .note(let note, let base): mark.note = Self.merged(note, over: base, into: mark.note)
    }
  }

  /// No text is overwritten that its writer has not seen: then both are kept, one below the other.
  static func merged(_ text: String, over base: String, into current: String) -> String {
    let below = "\n\n"
    if current == base || current == text || current.isEmpty { return text }
    if text == base || text.isEmpty || current.hasSuffix(below + text) { return current }
    // What the same writer has added before is replaced where it stands.
    if !base.isEmpty, current.hasSuffix(below + base) { return current.dropLast(base.count) + text }
    return current + below + text
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
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
    database = try DatabasePool(path: path)
    try StoreSchema.prepare(database)
    try database.write {
      try $0.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS mark (path TEXT PRIMARY KEY, isFavourite BOOLEAN, note TEXT, version INTEGER);
          CREATE TABLE IF NOT EXISTS applied (number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE);
          """)
      let outboxes = try String.fetchAll($0, sql: "SELECT DISTINCT outbox FROM outboxEntry WHERE outbox != 'left'")
      for outbox in outboxes { try Self.leave(outbox, in: $0) }
    }
  }

  /// What visitors have left is sent by the library.
  func leave(_ outboxes: Set<String>) async throws {
    try await database.write {
      for outbox in outboxes { try Self.leave(outbox, in: $0) }
    }
  }

  /// Each outbox counts its entries by itself, so they get places behind those that are left already.
  private static func leave(_ outbox: String, in database: Database) throws {
    try database.execute(
      sql: """
        UPDATE outboxEntry SET outbox = 'left', position = placed.position FROM (
          SELECT key, row_number() OVER (ORDER BY position)
            + (SELECT coalesce(max(position), 0) FROM outboxEntry WHERE outbox = 'left') AS position
          FROM outboxEntry WHERE outbox = ?
        ) AS placed WHERE placed.key = outboxEntry.key
        """, arguments: [outbox])
  }

  /// An outbox: the changes of one path are sent in order, and are then invalidated for everyone.
  func changes(
    named outbox: String, _ options: LoadOptions, for library: Library?, isolation: isolated any Actor
  ) -> AsyncOutbox<MarkChange, Void> {
    var options = options
    options.retry = .exponential(first: .milliseconds(200), retries: 5)
    return AsyncOutbox(
      isolation: isolation, store: DatabaseOutboxStore<MarkChange>(database, name: outbox), options: options,
      lane: { $0.path.text }, isPermanent: { _, _ in false }
    ) { [weak library] change, _ in
      // Before Swift 6.3.3 not on that actor. It is not needed here, and must not be kept by what it sends.
      try await apply(change)
      await library?.invalidate([AsyncTag("mark", change.path)])
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

  /// Applies a change once.
  func apply(_ change: MarkChange) async throws {
    try await database.write { database in
      try database.execute(sql: "INSERT OR IGNORE INTO applied (key) VALUES (?)", arguments: [change.key])
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

  // A family forgets what it has in memory; the marks are everyone's.
  func save(
    _ values: [Path: StoredValue<Mark>], removing keys: Set<Path>, isolation: isolated (any Actor)?
  ) async throws {
    for (key, stored) in values {
      // Mostly it is what was read from here.
      guard let mark = stored.value, try await self.mark(key).version < mark.version else { continue }
      try await database.write { try Self.save($0, key, mark) }
    }
  }
  func removeAll(isolation: isolated (any Actor)?) async throws {}
}
