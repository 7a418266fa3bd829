// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Foundation
import Sockets
import Testing

@testable import Stores

#if DATABASE
  import GRDB
#endif

extension TemporaryPlace {
  func outboxPath(_ kind: Kind) -> String {
    folder.appendingPathComponent(kind == .files ? "outbox" : "outbox.sqlite").path
  }

  func outbox(_ kind: Kind) throws -> any OutboxStore<String> & Sendable {
    switch kind {
    case .files: return try FileOutboxStore<String>(at: URL(fileURLWithPath: outboxPath(.files)))
    #if DATABASE
      case .database:
        let database = try DatabasePool(path: outboxPath(.database))
        try StoreSchema.prepare(database)
        return DatabaseOutboxStore<String>(database, name: "texts")
    #endif
    }
  }
}

@Suite("17 outboxes in a file and in a database", .timeLimit(.minutes(20)), .serialized)
struct OutboxStoreTests {
  private func append(_ inputs: [String], to store: any OutboxStore<String> & Sendable) async throws {
    for input in inputs {
      try await store.append(entry(input), isolation: nil)
    }
  }

  private func entry(_ input: String, attempts: Int = 0, failure: String? = nil) -> OutboxEntry<String> {
    OutboxEntry(
      key: "key \(input)", lane: String(input.prefix(1)), input: input, attempts: attempts, failure: failure)
  }

  private func words(_ store: any OutboxStore<String> & Sendable) async throws -> [String] {
    try await store.entries(after: nil, limit: 100, isolation: nil).map { $0.failure.map { "(\($0))" } ?? $0.input }
  }

  @Test(
    "17.1, 17.3, 17.5 what was stored is there in order, for the same store and for the next", arguments: Kind.allCases)
  func roundTrip(kind: Kind) async throws {
    let place = try TemporaryPlace()
    func use(_ body: (any OutboxStore<String> & Sendable) async throws -> Void) async throws {
      try await body(place.outbox(kind))
    }
    try await use { store in
      #expect(try await store.first(besides: [], isolation: nil) == nil)
      try await append(["a1", "b1", "a2", "a1"], to: store)
      #expect(try await words(store) == ["a1", "b1", "a2"])
      #expect(try await store.first(besides: ["a"], isolation: nil)?.input == "b1")
      #expect(try await store.first(besides: ["a", "b"], isolation: nil) == nil)
      try await store.update(entry("a1", attempts: 3, failure: "no"), isolation: nil)
      try await store.update(entry("c1"), isolation: nil)
    }
    try await use { store in
      #expect(try await words(store) == ["(no)", "b1", "a2"])
      #expect(try await store.first(besides: ["b"], isolation: nil)?.key == "key a2")
      #expect(try await store.entries(after: "key a1", limit: 1, isolation: nil).map(\.input) == ["b1"])
      #expect(try await store.entries(after: nil, limit: 1, isolation: nil).map(\.attempts) == [3])
      try await store.update(entry("a1", attempts: 4), isolation: nil)
      try await store.update(
        OutboxEntry(key: "key a2", lane: "z", input: "rewritten", attempts: 1), isolation: nil)
      #expect(try await store.remove("key b1", isolation: nil))
      #expect(try await !store.remove("key b1", isolation: nil))
    }
    try await use { store in
      #expect(try await words(store) == ["a1", "rewritten"])
      #expect(try await store.first(besides: [], isolation: nil) == entry("a1", attempts: 4))
      #expect(try await store.first(besides: ["a"], isolation: nil)?.lane == "z")
      try await store.removeAll(isolation: nil)
      #expect(try await words(store) == [])
      // One that is retried after it was removed has been sent.
      try await store.append(entry("d1", attempts: 2), isolation: nil)
    }
    try await use { store in
      let first = try await store.first(besides: [], isolation: nil)
      #expect(first == entry("d1", attempts: 2))
    }
  }

  @Test("17.4 a file is used by one outbox at a time")
  func locked() async throws {
    let place = try TemporaryPlace()
    let store = try place.outbox(.files)
    #expect(throws: POSIXError.self) { try place.outbox(.files) }
    try await append(["a1"], to: store)
  }

  @Test("17.1 a line that was half written is not there, and the next one is whole")
  func tornLine() async throws {
    let place = try TemporaryPlace()
    try await append(["a1", "a2"], to: place.outbox(.files))
    let file = URL(fileURLWithPath: place.outboxPath(.files))
    let whole = try Data(contentsOf: file)
    for length in stride(from: whole.count - 1, to: 0, by: -7) {
      try whole.prefix(length).write(to: file)
      let store = try place.outbox(.files)
      let left = try await words(store)
      #expect(left == Array(["a1", "a2"].prefix(whole.prefix(length).count { $0 == UInt8(ascii: "\n") })))
      try await append(["a3"], to: store)
      #expect(try await words(store) == left + ["a3"])
    }
  }

  @Test("17.11 a file does not grow for ever")
  func compaction() async throws {
    let place = try TemporaryPlace()
    let store = try place.outbox(.files)
    let text = String(repeating: "x", count: 20_000)
    try await append(["a0"], to: store)
    for number in 1...300 {
      try await append(["b\(number)\(text)"], to: store)
      try await store.remove("key b\(number)\(text)", isolation: nil)
    }
    #expect(try await words(store) == ["a0"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.outboxPath(.files))).count < 2 << 20)
  }

  // MARK: A process that is killed

  /// How often: fewer in a debug session, for which the environment says so.
  private var killCount: Int { ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 200 }

  @Test(
    """
    17.1, 17.3, 17.4, 17.12 to 17.14 killed at any point: what was accepted arrives once by its key, in order within its
    lane, under the name that the server gave; what is bad is given up after three attempts; what was removed is not there
    """,
    arguments: Kind.allCases)
  func killed(kind: Kind) async throws {
    let place = try TemporaryPlace()
    let server = try Server(place)
    var random = SystemRandomNumberGenerator()
    var (accepted, performed, removed): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for _ in 0..<killCount {
      let first = (performed.max() ?? 0) + 1
      let program = try Program(["perform", kind.rawValue, place.outboxPath(kind), server.socket, "\(first)"])
      // Killed after a random line, and whatever it does by then.
      let lines = program.linesAndKill(after: Int.random(in: 0...12, using: &random))
      accepted.formUnion(numbers(in: lines, after: "accepted"))
      performed.formUnion(numbers(in: lines, after: "performing"))
      removed.formUnion(numbers(in: lines, after: "removed"))
      #expect(numbers(in: lines, after: "refused").isEmpty)
    }
    try await check(place, kind, server, accepted: accepted.subtracting(removed), performed: performed)
    // One that was removed had just been sent at most.
    #expect(try removed.isEmpty || !removed.isSubset(of: server.done()))
  }

  @Test("17.2 a full disk: perform fails, and nothing half is left", arguments: Kind.allCases)
  func fullDisk(kind: Kind) async throws {
    let place = try TemporaryPlace()
    // Made before the disk is full.
    _ = try place.outbox(kind)
    let server = try Server(place, isRunning: false)
    var (accepted, performed, refused): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    for limit in stride(from: 100_000, through: 500_000, by: 40_000) {
      let first = (performed.max() ?? 0) + 1
      let program = try Program(
        ["perform", kind.rawValue, place.outboxPath(kind), server.socket, "\(first)", "\(limit)"])
      let lines = program.lines()
      accepted.formUnion(numbers(in: lines, after: "accepted"))
      performed.formUnion(numbers(in: lines, after: "performing"))
      refused.formUnion(numbers(in: lines, after: "refused"))
      #expect(lines.last?.contains("could not be stored") == true)
    }
    #expect(refused.count >= 5 && accepted.count >= 5)
    try server.start()
    try await check(place, kind, server, accepted: accepted, performed: performed.subtracting(refused))
  }

  /// Sends what is left, and compares what the server has carried out.
  private func check(
    _ place: TemporaryPlace, _ kind: Kind, _ server: Server, accepted: Set<Int>, performed: Set<Int>
  ) async throws {
    _ = try Program(["drain", kind.rawValue, place.outboxPath(kind), server.socket]).lines()
    let done = try server.done()
    #expect(Set(done).count == done.count, "twice: \(done)")
    let good = accepted.filter { $0 % 10 != 9 }
    #expect(good.isSubset(of: done), "lost: \(good.subtracting(done).sorted())")
    #expect(performed.isSuperset(of: done), "never accepted: \(Set(done).subtracting(performed).sorted())")
    for lane in 0..<3 {
      let inLane = done.filter { $0 % 3 == lane }
      #expect(inLane == inLane.sorted())
    }
    #expect(!accepted.isEmpty)
    #expect(try server.numbers("strays") == [])
    // Each attempt was counted before it was made, by whichever process.
    let left = try await entries(place, kind)
    let bad = try server.numbers("bad")
    let attempts = Dictionary(uniqueKeysWithValues: zip(bad.indices, bad).filter { $0.0 % 2 == 0 }.map { ($1, bad[$0 + 1]) })
    #expect(Set(left.map(\.input.number)).isSuperset(of: accepted.subtracting(good)))
    for entry in left {
      #expect(entry.failure != nil && entry.input.number % 10 == 9 && entry.attempts >= 3)
      #expect(attempts[entry.input.number] ?? 0 <= entry.attempts)
    }
  }

  /// What the program stores.
  private struct Note: Codable { var number: Int }

  private func entries(_ place: TemporaryPlace, _ kind: Kind) async throws -> [OutboxEntry<Note>] {
    switch kind {
    case .files:
      let store = try FileOutboxStore<Note>(at: URL(fileURLWithPath: place.outboxPath(kind)))
      return try await store.entries(after: nil, limit: .max, isolation: nil)
    #if DATABASE
      case .database:
        let store = DatabaseOutboxStore<Note>(try DatabasePool(path: place.outboxPath(kind)), name: "notes")
        return try await store.entries(after: nil, limit: .max, isolation: nil)
    #endif
    }
  }

  private func numbers(in lines: [Substring], after word: String) -> [Int] {
    lines.compactMap { line in
      let parts = line.split(separator: " ")
      return parts.first == Substring(word) && parts.count > 1 ? Int(parts[1]) : nil
    }
  }
}

/// A process of `OutboxProgram`.
final class Program {
  private let process = Process()
  private let output = Pipe()

  init(_ arguments: [String]) throws {
    let tests = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("OutboxProgram")
    let built = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../.build/debug/OutboxProgram")
    let isThere = FileManager.default.isExecutableFile(atPath: tests?.path ?? "")
    process.executableURL = isThere ? tests : built
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
  }

  /// Waits for some lines, kills the process, and returns all that it has written.
  func linesAndKill(after count: Int) -> [Substring] {
    var text = Data()
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += data
    }
    kill()
    text += output.fileHandleForReading.readDataToEndOfFile()
    return Self.whole(text)
  }

  func firstLine() {
    _ = output.fileHandleForReading.availableData
  }

  /// Waits until the process has ended.
  func lines() -> [Substring] {
    defer { process.waitUntilExit() }
    return Self.whole(output.fileHandleForReading.readDataToEndOfFile())
  }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A line that was being written does not count.
  private static func whole(_ text: Data) -> [Substring] {
    guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n")
  }
}

/// A server in a process of its own.
final class Server {
  let socket: String
  private var program: Program?

  init(_ place: TemporaryPlace, isRunning: Bool = true) throws {
    socket = place.folder.appendingPathComponent("s").path
    if isRunning { try start() }
  }

  deinit { program?.kill() }

  func start() throws {
    program = try Program(["server", socket])
    program?.firstLine()
  }

  /// The numbers that it has carried out, in order.
  func done() throws -> [Int] { try numbers("all") }

  func numbers(_ question: String) throws -> [Int] {
    try Socket.request(question, at: socket).split(separator: " ").compactMap { Int($0) }
  }
}
