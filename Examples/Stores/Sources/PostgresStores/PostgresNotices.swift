// SPDX-License-Identifier: MIT
import CPostgres
import Foundation
import Synchronization

/// Listens to what all processes notify, on a connection and a thread of its own.
final class PostgresNotices: Sendable {
  enum Event: Sendable {
    /// From now on nothing is missed.
    case connected
    /// From now on, and maybe since a little earlier, everything is missed.
    case lost
    case notice(Notice)
  }

  private struct State {
    var isStarted = false
    var isConnected = false
    var lastNumber = 0
    var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
  }

  private let configuration: String
  private let state = Mutex(State())
  /// What is written into it ends the thread.
  private let end: Pipe = Pipe()

  init(_ configuration: String) {
    // A server that has vanished without a word is noticed after half a minute.
    self.configuration = configuration + " keepalives_idle=15 keepalives_interval=5 keepalives_count=3"
  }

  deinit { try? end.fileHandleForWriting.close() }

  /// Each event from now on; at first `connected`, when that is so.
  func events() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    let (number, isFirst) = state.withLock { state in
      state.lastNumber += 1
      state.listeners[state.lastNumber] = continuation
      if state.isConnected { continuation.yield(.connected) }
      defer { state.isStarted = true }
      return (state.lastNumber, !state.isStarted)
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    if isFirst { start() }
    return stream
  }

  private func start() {
    let (configuration, end) = (configuration, end)
    let thread = Thread { [weak self] in
      while self != nil, !Self.listen(configuration, until: end, { self?.deliver($0) }) {
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    thread.start()
  }

  private func deliver(_ event: Event) {
    state.withLock { state in
      switch event {
      case .connected: state.isConnected = true
      case .lost: state.isConnected = false
      case .notice: break
      }
      for listener in state.listeners.values { listener.yield(event) }
    }
  }

  /// Listens until the connection is lost.
  ///
  /// - Returns: Whether it was ended instead.
  private static func listen(_ configuration: String, until end: Pipe, _ deliver: (Event) -> Void) -> Bool {
    let connection = PQconnectdb(configuration)
    defer { PQfinish(connection) }
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    let result = PQexec(connection, "LISTEN \(Notice.channel)")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { return false }
    deliver(.connected)
    defer { deliver(.lost) }
    var sources = [PQsocket(connection), end.fileHandleForReading.fileDescriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      while let notify = PQnotifies(connection) {
        if let notice = Notice(String(cString: notify.pointee.extra)) { deliver(.notice(notice)) }
        PQfreemem(notify)
      }
      poll(&sources, 2, -1)
      if sources[1].revents != 0 { return true }
      guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { return false }
    }
  }
}

/// What a process notifies the others of.
struct Notice: Codable, Sendable {
  static let channel = "asyncstate"

  /// What was invalidated.
  var tags: [SharedTag]?
  /// A row of a store that was written or removed.
  var row: String?
  /// Whose change it was.
  var number: String?

  init(tags: [SharedTag]? = nil, row: String? = nil, number: String? = nil) {
    (self.tags, self.row, self.number) = (tags, row, number)
  }

  init?(_ text: String) {
    guard let notice = try? JSONDecoder().decode(Notice.self, from: Data(text.utf8)) else { return nil }
    self = notice
  }

  /// Notifies when the transaction is committed.
  func statement() throws -> Statement {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    return Statement("SELECT pg_notify('\(Self.channel)', $1)", text)
  }
}
