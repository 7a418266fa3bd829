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
    case .files: return FileOutboxStore<String>(at: URL(fileURLWithPath: outboxPath(.files)))
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
      let count = try await store.entries(isolation: nil).count
      try await store.save([entry(input, at: count)], removing: [], isolation: nil)
    }
  }

  private func entry(
    _ input: String, at position: Int, attempts: Int = 0, failure: String? = nil
  ) -> StoredEntry<String> {
    StoredEntry(key: "key \(input)", position: position, input: input, attempts: attempts, failure: failure)
  }

  private func words(_ store: any OutboxStore<String> & Sendable) async throws -> [String] {
    try await store.entries(isolation: nil).map { entry in
      switch entry {
      case .success(let entry): entry.failure.map { "(\($0))" } ?? entry.input
      case .failure(let entry): "\(entry.key) at \(entry.position)?"
      }
    }
  }

  @Test(
    "17.1, 17.3, 17.5 what was stored is there in order, for the same store and for the next", arguments: Kind.allCases)
  func roundTrip(kind: Kind) async throws {
    let place = try TemporaryPlace()
    func use(_ body: (any OutboxStore<String> & Sendable) async throws -> Void) async throws {
      try await body(place.outbox(kind))
    }
    try await use { store in
      #expect(try await words(store) == [])
      try await append(["a1", "b1", "a2"], to: store)
      #expect(try await words(store) == ["a1", "b1", "a2"])
      try await store.save([entry("a1", at: 0, attempts: 3, failure: "no")], removing: [], isolation: nil)
      try await store.save([], removing: ["key none"], isolation: nil)
    }
    try await use { store in
      #expect(try await words(store) == ["(no)", "b1", "a2"])
      let rewritten = StoredEntry(key: "key a2", position: 2, input: "rewritten", attempts: 1)
      // As one change; what is saved twice is there once, in its place.
      for _ in 0..<2 {
        try await store.save(
          [entry("c1", at: 3), rewritten, entry("a1", at: 0, attempts: 4)], removing: ["key b1"], isolation: nil)
      }
      #expect(try await words(store) == ["a1", "rewritten", "c1"])
    }
    try await use { store in
      let entries = try await store.entries(isolation: nil).map { try $0.get() }
      #expect(entries.map(\.attempts) == [4, 1, 0] && entries.map(\.position) == [0, 2, 3])
      try await store.save([], removing: ["key a1", "key c1", "key a2"], isolation: nil)
      #expect(try await words(store) == [])
      try await append(["d1"], to: store)
      try await store.removeAll(isolation: nil)
    }
    try await use { store in
      #expect(try await words(store) == [])
      try await append(["e1"], to: store)
    }
    try await use { store in
      let left = try await words(store)
      #expect(left == ["e1"])
    }
  }

  @Test("17.15 an input of another version of the app is named, and stays", arguments: Kind.allCases)
  func otherVersion(kind: Kind) async throws {
    let place = try TemporaryPlace()
    try await append(["a1", "a2", "a3"], to: place.outbox(kind))
    let read = try await notes(place, kind)
    #expect(read.map { entry in if case .failure(let entry) = entry { entry.position } else { -1 } } == [0, 1, 2])
    #expect(try await words(place.outbox(kind)) == ["a1", "a2", "a3"])
  }

  @Test("17.4 two stores of one path in a process have the same entries", arguments: Kind.allCases)
  func twoStores(kind: Kind) async throws {
    let place = try TemporaryPlace()
    let first = try place.outbox(kind)
    try await append(["a1"], to: first)
    #expect(try await words(place.outbox(kind)) == ["a1"])
    withExtendedLifetime(first) {}
  }

  @Test("17.1 a change that was half written is not there, and the next one is whole")
  func tornLine() async throws {
    let place = try TemporaryPlace()
    try await append(["a1", "a2"], to: place.outbox(.files))
    try await place.outbox(.files).save([entry("b1", at: 2), entry("b2", at: 3)], removing: ["key a1"], isolation: nil)
    let file = URL(fileURLWithPath: place.outboxPath(.files))
    let whole = try Data(contentsOf: file)
    let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    let blank = Data(repeating: UInt8(ascii: " "), count: 700)
    for length in stride(from: ends[4], to: 0, by: -7) {
      // With the reserve behind it, as it was written before.
      try (whole.prefix(length) + blank).write(to: file)
      let store = try place.outbox(.files)
      let expected =
        length >= ends[4] ? ["a2", "b1", "b2"] : Array(["a1", "a2"].prefix(ends.prefix(2).count { $0 <= length }))
      #expect(try await words(store) == expected)
      try await store.save([entry("a3", at: 9)], removing: [], isolation: nil)
      #expect(try await words(store) == expected + ["a3"])
      #expect(try await words(place.outbox(.files)) == expected + ["a3"])
    }
  }

  @Test("a file does not grow for ever")
  func compaction() async throws {
    let place = try TemporaryPlace()
    let store = try place.outbox(.files)
    let text = String(repeating: "x", count: 20_000)
    try await append(["a0"], to: store)
    for number in 1...300 {
      let input = "b\(number)\(text)"
      try await store.save([entry(input, at: number)], removing: [], isolation: nil)
      try await store.save([], removing: ["key \(input)"], isolation: nil)
    }
    #expect(try await words(store) == ["a0"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.outboxPath(.files))).count < 2 << 20)
    #expect(try await words(place.outbox(.files)) == ["a0"])
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
    var (accepted, performed, removing, removed): (Set<Int>, Set<Int>, Set<Int>, Set<Int>) = ([], [], [], [])
    for _ in 0..<killCount {
      let first = (performed.max() ?? 0) + 1
      let program = try Program(["perform", kind.rawValue, place.outboxPath(kind), server.socket, "\(first)"])
      // Killed after a random line, and whatever it does by then.
      let lines = program.linesAndKill(after: Int.random(in: 0...12, using: &random))
      accepted.formUnion(numbers(in: lines, after: "accepted"))
      performed.formUnion(numbers(in: lines, after: "performing"))
      removing.formUnion(numbers(in: lines, after: "removing"))
      removed.formUnion(numbers(in: lines, after: "removed"))
      #expect(numbers(in: lines, after: "refused").isEmpty)
    }
    try await check(place, kind, server, accepted: accepted.subtracting(removing), performed: performed)
    // One that was removed had just been sent at most.
    #expect(try removed.isEmpty || !removed.isSubset(of: server.done()))
  }

  @Test(
    "17.2, 17.9 a full disk: perform fails, nothing half is left, and what is stored is sent before there is room again",
    arguments: Kind.allCases)
  func fullDisk(kind: Kind) async throws {
    let place = try TemporaryPlace()
    // Made before the disk is full.
    _ = try place.outbox(kind)
    let server = try Server(place, isRunning: false)
    var (accepted, performed, refused): (Set<Int>, Set<Int>, Set<Int>) = ([], [], [])
    var last = 0
    for limit in stride(from: 100_000, through: 500_000, by: 40_000) {
      let first = (performed.max() ?? 0) + 1
      last = limit
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
    let full = try Program(["drain", kind.rawValue, place.outboxPath(kind), server.socket, "\(last)"]).lines()
    #expect(full == ["left 0"])
    #expect(try accepted.filter { $0 % 10 != 9 }.isSubset(of: server.done()))
    try await check(
      place, kind, server, accepted: accepted, performed: performed.subtracting(refused), isCounted: false)
  }

  @Test(
    "17.8 killed around a log-out: what it has removed is never sent, and what is performed after it arrives once",
    arguments: Kind.allCases)
  func loggedOut(kind: Kind) async throws {
    let place = try TemporaryPlace()
    let server = try Server(place)
    var (next, forbidden, accepted): (Int, Set<Int>, Set<Int>) = (1, [], [])
    for _ in 0..<(killCount / 4) {
      let program = try Program(["logout", kind.rawValue, place.outboxPath(kind), server.socket, "\(next)"])
      let lines = program.linesAndKill(after: Int.random(in: 0...14))
      let numbers = next..<(next + 6)
      next = max(next + 6, self.numbers(in: lines, after: "performing").max().map { $0 + 1 } ?? 0)
      if lines.contains("left") {
        // All that was there before.
        accepted = []
        forbidden.formUnion(try Set(0..<numbers.upperBound).subtracting(server.done()))
      }
      accepted.formUnion(self.numbers(in: lines, after: "accepted").filter { $0 >= numbers.upperBound })
    }
    _ = try Program(["drain", kind.rawValue, place.outboxPath(kind), server.socket]).lines()
    let done = try server.done()
    #expect(forbidden.isDisjoint(with: done), "\(forbidden.intersection(done).sorted())")
    #expect(Set(done).count == done.count)
    #expect(accepted.filter { $0 % 10 != 9 }.isSubset(of: done))
  }

  @Test("17.4 a second process is refused with a clear error, until the first one dies", arguments: Kind.allCases)
  func twoProcesses(kind: Kind) throws {
    let place = try TemporaryPlace()
    let arguments = ["hold", kind.rawValue, place.outboxPath(kind), "none"]
    let first = try Program(arguments)
    #expect(first.firstLine() == "holds")
    let second = try Program(arguments)
    let refusal = second.firstLine()
    #expect(refusal.hasPrefix("refused the outbox at ") && refusal.hasSuffix(" is used by another process"))
    second.kill()
    first.kill()
    let third = try Program(arguments)
    #expect(third.firstLine() == "holds")
    third.kill()
  }

  /// Sends what is left, and compares what the server has carried out.
  private func check(
    _ place: TemporaryPlace, _ kind: Kind, _ server: Server, accepted: Set<Int>, performed: Set<Int>,
    isCounted: Bool = true
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
    // Each attempt was counted before it was made, by whichever process, but on a full disk.
    let left = try await notes(place, kind).map { try $0.get() }
    let bad = try server.numbers("bad")
    let attempts = Dictionary(
      uniqueKeysWithValues: zip(bad.indices, bad).filter { $0.0 % 2 == 0 }.map { ($1, bad[$0 + 1]) })
    #expect(Set(left.map(\.input.number)).isSuperset(of: accepted.subtracting(good)))
    for entry in left {
      #expect(entry.failure != nil && entry.input.number % 10 == 9 && entry.attempts >= 3)
      #expect(!isCounted || attempts[entry.input.number] ?? 0 <= entry.attempts)
    }
  }

  /// What the program stores.
  private struct Note: Codable { var number: Int }

  private func notes(
    _ place: TemporaryPlace, _ kind: Kind
  ) async throws -> [Result<StoredEntry<Note>, UnreadableEntry>] {
    switch kind {
    case .files:
      let store = FileOutboxStore<Note>(at: URL(fileURLWithPath: place.outboxPath(kind)))
      return try await store.entries(isolation: nil)
    #if DATABASE
      case .database:
        let name = FileManager.default.fileExists(atPath: place.outboxPath(kind) + ".notes.lock") ? "notes" : "texts"
        let store = DatabaseOutboxStore<Note>(try DatabasePool(path: place.outboxPath(kind)), name: name)
        return try await store.entries(isolation: nil)
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
  private let input = Pipe()

  init(_ arguments: [String]) throws {
    let tests = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("OutboxProgram")
    let built = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../.build/debug/OutboxProgram")
    let isThere = FileManager.default.isExecutableFile(atPath: tests?.path ?? "")
    process.executableURL = isThere ? tests : built
    process.arguments = arguments
    process.standardOutput = output
    process.standardInput = input
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

  @discardableResult
  func firstLine() -> String {
    String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
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
