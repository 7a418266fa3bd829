// SPDX-License-Identifier: MIT
import Synchronization

/// A statement of SQL, and what stands for `$1`, `$2` and so on, as text.
public struct Statement: Sendable {
  let sql: String
  let parameters: [String?]

  /// A statement.
  public init(_ sql: String, _ parameters: String?...) {
    (self.sql, self.parameters) = (sql, parameters)
  }
}

/// Why PostgreSQL has not done something.
public struct PostgresError: Error, CustomStringConvertible {
  /// Whether the connection was lost. It is not known then whether a change was made.
  public let isConnectionLost: Bool
  /// What the server says, or libpq.
  public let description: String
}

/// A database of PostgreSQL: a few connections, and one more for notifications.
///
/// A connection that was lost is made anew by the next statement.
public final class PostgresDatabase: Sendable {
  let configuration: String
  /// What any process has notified.
  let notices: PostgresNotices
  private let pool: Mutex<Pool>

  private struct Pool {
    var idle: [PostgresSession]
    var waiting: [CheckedContinuation<PostgresSession, Never>] = []
  }

  /// A database, which is connected to when it is used.
  ///
  /// - Parameters:
  ///   - configuration: A connection string of libpq.
  ///   - connections: How many statements are carried out at a time.
  public init(_ configuration: String, connections: Int = 4) {
    self.configuration = configuration
    notices = PostgresNotices(configuration)
    let sessions = (0..<max(connections, 1)).map { _ in PostgresSession(configuration) }
    pool = Mutex(Pool(idle: sessions))
  }

  /// Reads rows, each as its columns in text. If the connection turns out to be lost, it is made anew, once.
  public func rows(_ statement: Statement) async throws -> [[String?]] {
    try await withSession { session in try await session.rows(statement) }
  }

  /// Carries out statements, all or none.
  ///
  /// - Throws: ``PostgresError``; if the connection was lost, all may have been carried out nevertheless.
  public func transaction(_ statements: [Statement]) async throws {
    try await withSession { session in try await session.transaction(statements) }
  }

  private func withSession<Answer: Sendable>(
    _ body: (PostgresSession) async throws -> Answer
  ) async throws -> Answer {
    let session = await withCheckedContinuation { continuation in
      let idle = pool.withLock { pool in
        if let idle = pool.idle.popLast() { return idle as PostgresSession? }
        pool.waiting.append(continuation)
        return nil
      }
      if let idle { continuation.resume(returning: idle) }
    }
    defer {
      let next = pool.withLock { pool in
        if !pool.waiting.isEmpty { return pool.waiting.removeFirst() as CheckedContinuation<PostgresSession, Never>? }
        pool.idle.append(session)
        return nil
      }
      next?.resume(returning: session)
    }
    return try await body(session)
  }

  /// Calls a function while no other process, and no other call, holds the lock of this name. A lock takes a connection of
  /// its own, and a process that ends has given it back.
  func holding<Answer: Sendable>(lock name: String, _ body: () async throws -> Answer) async throws -> Answer {
    let session = PostgresSession(configuration)
    _ = try await session.rows(Statement("SELECT pg_advisory_lock(hashtextextended($1, 0))::text", name))
    defer { withExtendedLifetime(session) {} }
    return try await body()
  }
}
