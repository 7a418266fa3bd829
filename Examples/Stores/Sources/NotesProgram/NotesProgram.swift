// SPDX-License-Identifier: MIT
// A small server of notes, one of several processes, for Tests/processes. Each line that it reads is a command, which begins
// with a number; the answer is a line that begins with the same.
import AsyncState
import Foundation
import PostgresStores

extension SharedTag {
  static func note(_ id: Int) -> SharedTag { SharedTag("note", "\(id)") }
}

actor Notes {
  private let database: PostgresDatabase
  private let bridge: TagBridge
  private let store: PostgresStore<Int, String>
  private let board = AsyncTagBoard()
  private let sharesRequests: Bool
  /// How long a request takes, in seconds.
  private let lag: String
  private var requests = 0
  private var isNotified = false

  private lazy var notes = makeNotes()
  private lazy var followed = AsyncFamily(
    isolation: self, options: LoadOptions(retry: .exponential(first: .milliseconds(50), retries: 100))
  ) { [store] (id: Int) in .live { store.values(of: id) } }
  /// What is followed is held.
  private var watched: [Int: AsyncResource<String>] = [:]

  init(_ configuration: String, sharesRequests: Bool, lag: String) {
    database = PostgresDatabase(configuration)
    bridge = TagBridge(database)
    store = PostgresStore(database, family: "notes") { [.note($0)] }
    (self.sharesRequests, self.lag) = (sharesRequests, lag)
  }

  private func makeNotes() -> AsyncFamily<Int, String> {
    AsyncFamily(
      isolation: self,
      options: LoadOptions(retry: .exponential(first: .milliseconds(50), retries: 8), timeout: .seconds(5)),
      board: board, tags: { id, _ in TagBridge.tags([.note(id)]) }, store: sharesRequests ? nil : store
    ) { id in
      .value { [self] in
        guard sharesRequests else { return try await request(id) }
        return try await store.sharing(id, notOlderThan: .seconds(60)) { try await request(id) }
      }
    }
  }

  func run(isNotified: Bool) async {
    // The database may be down when the process begins.
    while (try? await StoreTables.prepare(database)) == nil { try? await Task.sleep(for: .milliseconds(50)) }
    guard isNotified else { return }
    self.isNotified = true
    await bridge.run(board)
  }

  /// The work that a cache spares: it takes a while, and reads what is true.
  private func request(_ id: Int) async throws -> String? {
    requests += 1
    let rows = try await database.rows(
      Statement("SELECT text, pg_sleep($2::float)::text FROM note WHERE id = $1::integer", "\(id)", lag))
    return rows.first?[0]
  }

  func answer(_ command: [String]) async -> String {
    do {
      switch command.first {
      case "get": return try await notes[Int(command[1])!].get()
      case "put":
        try await bridge.change(
          [.note(Int(command[1])!)],
          [Statement("UPDATE note SET text = $2 WHERE id = $1::integer", command[1], command[2])])
        return "done"
      // Returns when this process knows all that was notified before.
      case "mark" where isNotified:
        try await bridge.change([], [])
        return "done"
      case "follow":
        let id = Int(command[1])!
        watched[id] = followed[id]
        watched[id]?.start(when: .stale)
        return watched[id]?.value ?? "nothing"
      case "requests": return "\(requests)"
      default: return "failed: there is no such command yet"
      }
    } catch { return "failed: \(error)".replacingOccurrences(of: "\n", with: " ") }
  }
}

@main
struct NotesProgram {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let lag = arguments.firstIndex(of: "--lag").map { arguments[$0 + 1] }
    let notes = Notes(arguments.first ?? "", sharesRequests: arguments.contains("--sharing"), lag: lag ?? "0.02")
    Task { await notes.run(isNotified: !arguments.contains("--deaf")) }
    // It waits for lines on a thread of its own.
    let (lines, line) = AsyncStream<String>.makeStream()
    Thread {
      while let next = readLine() { line.yield(next) }
      line.finish()
    }.start()
    for await line in lines {
      let words = line.split(separator: " ").map(String.init)
      Task {
        let answer = await notes.answer(Array(words.dropFirst()))
        FileHandle.standardOutput.write(Data("\(words[0]) \(answer)\n".utf8))
      }
    }
  }
}
