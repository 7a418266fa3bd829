// SPDX-License-Identifier: MIT
import CPostgres
import Dispatch

/// One connection. Its calls wait for the server on a queue of its own, so no thread of the tasks does.
actor PostgresSession {
  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "PostgreSQL")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let executor = Executor()
  private let configuration: String
  private var connection: OpaquePointer?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ configuration: String) { self.configuration = configuration }

  isolated deinit { PQfinish(connection) }

  func rows(_ statement: Statement) throws -> [[String?]] {
    try again { try $0.carryOut(statement) }
  }

  func transaction(_ statements: [Statement]) throws {
    // Nothing was done yet when the first one notices that the connection is lost.
    _ = try again { try $0.carryOut(Statement("BEGIN")) }
    do {
      for statement in statements { _ = try carryOut(statement) }
      _ = try carryOut(Statement("COMMIT"))
    } catch {
      if connection != nil { _ = try? carryOut(Statement("ROLLBACK")) }
      throw error
    }
  }

  /// Calls a function again if a connection that was made before was lost since.
  private func again<Answer>(_ body: (isolated PostgresSession) throws -> Answer) throws -> Answer {
    let wasConnected = connection != nil
    do { return try body(self) } catch let error as PostgresError where error.isConnectionLost && wasConnected {
      return try body(self)
    }
  }

  private func carryOut(_ statement: Statement) throws -> [[String?]] {
    let connection = try connected()
    let result = withPointers(to: statement.parameters[...]) { pointers in
      PQexecParams(connection, statement.sql, Int32(pointers.count), nil, pointers, nil, nil, 0)
    }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return rows(of: result)
    default: throw failure()
    }
  }

  private func rows(of result: OpaquePointer?) -> [[String?]] {
    (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) != 0 ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }

  private func connected() throws -> OpaquePointer {
    if let connection { return connection }
    connection = PQconnectdb(configuration)
    guard let connection, PQstatus(connection) == CONNECTION_OK else { throw failure() }
    // What the server says aside is not for the standard error of the process.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    return connection
  }

  private func failure() -> PostgresError {
    let isLost = PQstatus(connection) != CONNECTION_OK
    let error = PostgresError(isConnectionLost: isLost, description: String(cString: PQerrorMessage(connection)))
    if isLost {
      PQfinish(connection)
      connection = nil
    }
    return error
  }

  /// Calls a function with the texts as C has them.
  private func withPointers<Answer>(
    to texts: ArraySlice<String?>, _ found: [UnsafePointer<CChar>?] = [],
    _ body: ([UnsafePointer<CChar>?]) -> Answer
  ) -> Answer {
    guard let first = texts.first else { return body(found) }
    guard let first else { return withPointers(to: texts.dropFirst(), found + [nil], body) }
    return first.withCString { withPointers(to: texts.dropFirst(), found + [$0], body) }
  }
}
