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
///     OutboxProgram perform KIND PATH SOCKET FIRST [BYTES]   no file may become larger than that: until nothing is accepted
///     OutboxProgram drain KIND PATH SOCKET [BYTES]           until nothing waits, or can be sent
///     OutboxProgram logout KIND PATH SOCKET FIRST            performs, and then removes everything
///     OutboxProgram hold KIND PATH SOCKET                    uses the store, or says why it cannot, until its input ends
@main
@MainActor
struct OutboxProgram {
  struct Note: Codable, Sendable {
    var number: Int
    /// What it belongs to: under a temporary name, until the server has given it another one.
    var parent = "-"
    /// So large that a process is killed in the middle of writing it now and then.
    var text: String

    init(_ number: Int) {
      self.number = number
      text = String(repeating: "\(number) ", count: 2_000)
      if Self.isChild(number) { parent = Self.temporaryName(number - 3) }
    }

    /// The server gives it a name.
    static func isParent(_ number: Int) -> Bool { number % 15 == 0 }
    static func isChild(_ number: Int) -> Bool { number % 15 == 3 }
    /// It waits behind the one that is three before it, and is removed.
    static func isRemoved(_ number: Int) -> Bool { number % 15 == 10 }
    static func temporaryName(_ number: Int) -> String { "temporary-\(number)" }
  }

  struct Busy: Error {}
  /// The server does not want it, and never will.
  struct Bad: Error {}

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let (mode, rest) = (arguments.first, Array(arguments.dropFirst()))
    if mode == "server" { return try serve(at: rest[0]) }
    let bytes = mode == "drain" ? rest.dropFirst(3).first : rest.dropFirst(4).first
    if let bytes = bytes.flatMap({ rlim_t($0) }) { limitFiles(to: bytes) }
    let notes = try makeMutation(rest[0], rest[1], socket: rest[2])
    switch mode {
    case "drain": await drain(notes)
    case "hold": await hold(notes)
    case "logout": try await logOut(notes, from: Int(rest[3]) ?? 0)
    default: await perform(notes, from: Int(rest[3]) ?? 0, isFull: bytes != nil)
    }
  }

  private static func perform(_ notes: AsyncOutbox<Note, String>, from first: Int, isFull: Bool) async {
    notes.resume()
    for number in first... where !Note.isChild(number) && !Note.isRemoved(number) {
      do {
        // On a full disk nothing is rewritten.
        try await perform(number, by: notes, isAlone: isFull)
      } catch {
        // A full disk: the test has seen enough.
        if isFull { return }
      }
    }
  }

  /// A log-out at any point of the work: what is performed later is of the next user.
  private static func logOut(_ notes: AsyncOutbox<Note, String>, from first: Int) async throws {
    notes.resume()
    let tasks = (first..<first + 6).map { number in
      report("performing \(number)")
      return notes.perform(Note(number))
    }
    try await tasks[Int.random(in: tasks.indices)].accepted()
    try await notes.discardAll()
    report("left")
    try await perform(first + 6, by: notes, isAlone: true)
  }

  private static func hold(_ notes: AsyncOutbox<Note, String>) async {
    await notes.resume().restored()
    report(notes.state.error.map { "refused \($0)" } ?? "holds")
    while readLine() != nil {}
  }

  /// Performs an input, and in the same turn the one that waits behind it.
  private static func perform(_ number: Int, by notes: AsyncOutbox<Note, String>, isAlone: Bool) async throws {
    let numbers = [number] + [number + 3].filter { !isAlone && (Note.isChild($0) || Note.isRemoved($0)) }
    for number in numbers { report("performing \(number)") }
    let tasks = numbers.map { notes.perform(Note($0)) }
    for (number, task) in zip(numbers, tasks) {
      do {
        try await task.accepted()
      } catch {
        report("refused \(number) \(error)")
        throw error
      }
      report("accepted \(number)")
      guard !isAlone, Note.isRemoved(number) else { continue }
      report("removing \(number)")
      for entry in notes.entries where entry.input.number == number { notes.discard(entry) }
      if case .cancelled = await task.outcome() { report("removed \(number)") }
    }
  }

  /// Sends what is left. What is bad holds up its lane until there is a reason to try again.
  private static func drain(_ notes: AsyncOutbox<Note, String>) async {
    var former = -1
    while notes.state.waitingCount > 0 || former < 0 {
      await notes.resume().finished()
      let attempts = notes.entries.reduce(notes.state.waitingCount * 1_000_000) { $0 + $1.attempts }
      if attempts == former { break }
      former = attempts
    }
    report("left \(notes.state.waitingCount)")
  }

  private static func makeMutation(
    _ kind: String, _ path: String, socket: String
  ) throws -> AsyncOutbox<Note, String> {
    AsyncOutbox(
      store: try makeStore(kind, path),
      // What is bad waits for a reason to be tried again, which is mostly another process.
      options: LoadOptions(retry: RetryPolicy { $0.error is Bad ? nil : .milliseconds($0.count) }),
      lane: { "\($0.number % 3)" }, isPermanent: { error, attempts in error is Bad && attempts >= 3 }
    ) { note, request in
      try await post("\(request.idempotencyKey) \(note.number) \(note.parent) \(note.text.count)", to: socket)
    }
    .rewriting { note, name in
      guard Note.isParent(note.number) else { return nil }
      return { other in
        guard other.parent == Note.temporaryName(note.number) else { return nil }
        var other = other
        other.parent = name
        return other
      }
    }
  }

  /// The way to the server, away from the main actor.
  @concurrent private static func post(_ line: String, to socket: String) async throws -> String {
    let answer = try Socket.request(line, at: socket)
    if answer == "busy" { throw Busy() }
    if answer == "bad" { throw Bad() }
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
    return FileOutboxStore<Note>(at: URL(fileURLWithPath: path))
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

  /// Remembers keys, and carries out an input once. Each seventh request finds it busy, and each tenth input is bad.
  nonisolated private static func serve(at socket: String) throws {
    var done: Set<String> = []
    var numbers: [String] = []
    var bad: [String: Int] = [:]
    var strays: [String] = []
    var count = 0
    try Socket.listen(at: socket) { line in
      switch line {
      case "all": return numbers.joined(separator: " ")
      case "bad": return bad.map { "\($0.key) \($0.value)" }.joined(separator: " ")
      case "strays": return strays.joined(separator: " ")
      default: break
      }
      count += 1
      if count % 7 == 0 { return "busy" }
      let parts = line.split(separator: " ").map(String.init)
      let number = parts[1]
      if number.hasSuffix("9") {
        bad[number, default: 0] += 1
        return "bad"
      }
      if done.insert(parts[0]).inserted { numbers.append(number) }
      if parts[2].hasPrefix("temporary") { strays.append(number) }
      return "name-\(number)"
    }
  }
}
