// SPDX-License-Identifier: MIT
import AsyncState
import Foundation
import Sockets
import Stores

#if DATABASE
  import GRDB
#endif

/// Performs numbered inputs until it is killed, or is the server that they are sent to.
///
///     OutboxProgram server SOCKET
///     OutboxProgram perform KIND PATH SOCKET FIRST [BYTES]   no file may become larger than that
///     OutboxProgram drain KIND PATH SOCKET
@main
@MainActor
struct OutboxProgram {
  struct Note: Codable, Sendable {
    var number: Int
    /// So large that a process is killed in the middle of writing it now and then.
    var text: String
  }

  struct Refusal: Error {}

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let (mode, rest) = (arguments.first, Array(arguments.dropFirst()))
    if mode == "server" { return try serve(at: rest[0]) }
    if rest.count > 4, let bytes = rlim_t(rest[4]) { limitFiles(to: bytes) }
    let notes = try makeMutation(rest[0], rest[1], socket: rest[2])
    await notes.resume()
    if mode == "drain" { return await drain(notes) }
    for number in (Int(rest[3]) ?? 0)... {
      report("performing \(number)")
      let text = String(repeating: "\(number) ", count: 2_000)
      do {
        try await notes.perform(Note(number: number, text: text)).accepted()
        report("accepted \(number)")
      } catch {
        report("refused \(number) \(error)")
        // A full disk: the test has seen enough.
        if rest.count > 4 { return }
      }
    }
  }

  /// Sends what is left.
  private static func drain(_ notes: AsyncMutation<Note, String>) async {
    while notes.outboxState.waitingCount > 0 {
      await notes.resume()
      // Ends when nothing waits, or all that can be sent was refused.
      for await state in notes.observed.values where !state.isRunning { break }
      for await state in notes.observedOutboxState.values where state.waitingCount == 0 || notes.error != nil { break }
    }
  }

  private static func makeMutation(
    _ kind: String, _ path: String, socket: String
  ) throws -> AsyncMutation<Note, String> {
    AsyncMutation(
      outbox: try makeStore(kind, path),
      options: LoadOptions(retry: .exponential(first: .milliseconds(1), retries: 20)),
      lane: { "\($0.number % 3)" }, isPermanent: { _ in false }
    ) { note, request in
      try await post("\(request.idempotencyKey) \(note.number) \(note.text.count)", to: socket)
    }
  }

  /// The way to the server, away from the main actor.
  @concurrent private static func post(_ line: String, to socket: String) async throws -> String {
    let answer = try Socket.request(line, at: socket)
    if answer == "busy" { throw Refusal() }
    return answer
  }

  private static func makeStore(_ kind: String, _ path: String) throws -> any OutboxStore<Note> {
    #if DATABASE
      if kind == "database" {
        let database = try DatabasePool(path: path)
        try StoreSchema.prepare(database)
        return DatabaseOutboxStore<Note>(database, name: "notes")
      }
    #endif
    return try FileOutboxStore<Note>(at: URL(fileURLWithPath: path))
  }

  private static func limitFiles(to bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func report(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  // MARK: The server

  /// Remembers keys, and carries out an input once. Each seventh request finds it busy.
  nonisolated private static func serve(at socket: String) throws {
    var done: Set<String> = []
    var numbers: [String] = []
    var count = 0
    try Socket.listen(at: socket) { line in
      if line == "all" { return numbers.joined(separator: " ") }
      count += 1
      if count % 7 == 0 { return "busy" }
      let parts = line.split(separator: " ")
      if done.insert(String(parts[0])).inserted { numbers.append(String(parts[1])) }
      return "done"
    }
  }
}
