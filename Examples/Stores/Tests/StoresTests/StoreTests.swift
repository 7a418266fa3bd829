// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateTesting
import Foundation
import Testing

@testable import Stores

#if DATABASE
  import GRDB
#endif

enum Kind: String, CaseIterable {
  case files
  #if DATABASE
    case database
  #endif
}

/// A place in the file system that is removed when it is released.
final class TemporaryPlace: Sendable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stores-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ kind: Kind) -> String {
    folder.appendingPathComponent(kind == .files ? "files" : "values.sqlite").path
  }

  func store(_ kind: Kind) throws -> any ValueStore<Int, String> & Sendable {
    switch kind {
    case .files: return try FileStore<Int, String>(in: URL(fileURLWithPath: path(.files)))
    #if DATABASE
      case .database:
        let database = try DatabasePool(path: path(.database))
        try StoreSchema.prepare(database)
        return DatabaseStore<Int, String>(database, family: "texts")
    #endif
    }
  }
}

@Suite("12 stores in files and in a database", .timeLimit(.minutes(5)))
struct StoreTests {
  @Test("12.1 what was written is read with its age, by the same store and by the next one", arguments: Kind.allCases)
  func roundTrip(kind: Kind) async throws {
    let place = try TemporaryPlace()
    let store = try place.store(kind)
    #expect(try await store.read(1, isolation: nil) == nil)
    try await store.save(
      [1: StoredValue("Rain", age: .seconds(100), isInvalidated: true)], removing: [], isolation: nil)
    try await store.save([2: StoredValue(nil)], removing: [], isolation: nil)
    for store in [store, try place.store(kind)] {
      let first = try #require(try await store.read(1, isolation: nil))
      #expect(first.value == "Rain")
      #expect(first.isInvalidated)
      #expect(try #require(first.age) >= .seconds(99))
      let second = try #require(try await store.read(2, isolation: nil))
      #expect(second == StoredValue(nil))
    }
    try await store.save([:], removing: [1], isolation: nil)
    try await store.save([:], removing: [1], isolation: nil)
    #expect(try await store.read(1, isolation: nil) == nil)
    try await store.removeAll(isolation: nil)
    #expect(try await store.read(2, isolation: nil) == nil)
  }

  @Test(
    "12.1 a value of the future, because a clock was set back, has an age of less than zero", arguments: Kind.allCases)
  func future(kind: Kind) async throws {
    let place = try TemporaryPlace()
    let store = try place.store(kind)
    try await store.save([1: StoredValue("Rain", age: .seconds(-3_600))], removing: [], isolation: nil)
    #expect(try #require(try await store.read(1, isolation: nil)?.age) < .zero)
  }

  @Test("12.4 what a killed process had begun to write is removed, too")
  func draft() async throws {
    let place = try TemporaryPlace()
    let store = try place.store(.files)
    try await store.save([1: StoredValue("Rain")], removing: [], isolation: nil)
    let folder = URL(fileURLWithPath: place.path(.files))
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    try Data("half of".utf8).write(to: try #require(files.first).appendingPathExtension("draft"))
    #expect(try await store.read(1, isolation: nil)?.value == "Rain")
    try await store.save([:], removing: [1], isolation: nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("12.4 a file that cannot be decoded throws and stays")
  func damaged() async throws {
    let place = try TemporaryPlace()
    let store = try place.store(.files)
    try await store.save([1: StoredValue("Rain")], removing: [], isolation: nil)
    let files = try FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: place.path(.files)), includingPropertiesForKeys: nil)
    let file = try #require(files.first)
    try Data("half of".utf8).write(to: file)
    await #expect(throws: DecodingError.self) { _ = try await store.read(1, isolation: nil) }
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  #if DATABASE
    @Test("12.1 a database of the first version is migrated, and keeps its values")
    func migration() async throws {
      let place = try TemporaryPlace()
      let database = try DatabasePool(path: place.path(.database))
      try StoreSchema.migrator.migrate(database, upTo: "1: values and their times")
      try await database.write { database in
        try database.execute(
          sql: "INSERT INTO storedValue (family, key, value) VALUES ('texts', '1', ?)",
          arguments: [Data("\"Rain\"".utf8)]
        )
      }
      try database.close()
      let store = try place.store(.database)
      #expect(try await store.read(1, isolation: nil) == StoredValue("Rain"))
    }

    @Test("12.1 the database is in write-ahead mode")
    func writeAhead() async throws {
      let place = try TemporaryPlace()
      _ = try place.store(.database)
      let database = try DatabasePool(path: place.path(.database))
      #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
  #endif

  @Test("12.1 another launch displays what the last one knew, and confirms it", arguments: Kind.allCases)
  @MainActor
  func launches(kind: Kind) async throws {
    let place = try TemporaryPlace()
    for launch in 1...3 {
      let store = try place.store(kind)
      let family = AsyncFamily<Int, String>(
        options: LoadOptions(staleAfter: .seconds(3_600)), keepUnused: .max, store: store
      ) { _ in
        "answer \(launch)"
      }
      let outcome = await family[1].load(when: .stale)
      // The first launch requests; the others find it fresh enough.
      switch outcome {
      case .success("answer 1") where launch == 1: break
      case .notRequested("answer 1") where launch > 1: break
      default: Issue.record("launch \(launch): \(outcome)")
      }
      #expect(family[1].snapshot.isProvisional == (launch > 1))
      await family.settled()
    }
  }

  @Test("12.1 a process that is killed while it writes leaves the old value or the new one", arguments: Kind.allCases)
  func killed(kind: Kind) async throws {
    let place = try TemporaryPlace()
    for round in 1...10 {
      let last = try await writeAndKill(kind, place, after: round)
      let stored = try #require(try await place.store(kind).read(1, isolation: nil)?.value)
      let numbers = stored.split(separator: ",")
      let number = try #require(numbers.first.flatMap { Int($0) })
      #expect(numbers.count == 100_000)
      #expect(numbers.allSatisfy { $0 == numbers[0] })
      // What was reported is stored; the next one may be.
      #expect(number >= last)
    }
  }

  /// Runs a process that writes one value after another, and kills it when it has reported some.
  ///
  /// - Returns: The number of the last value that it reported.
  private func writeAndKill(_ kind: Kind, _ place: TemporaryPlace, after count: Int) async throws -> Int {
    let process = Process()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("StoreWriter")
    let built = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../.build/debug/StoreWriter")
    if !FileManager.default.isExecutableFile(atPath: process.executableURL?.path ?? "") {
      process.executableURL = built
    }
    process.arguments = [kind.rawValue, place.path(kind)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while text.split(separator: "\n").count < count {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Int($0) }.last ?? 0
  }
}
