// SPDX-License-Identifier: MIT
public import AsyncState
public import Foundation

/// A store that keeps each value in a file of its own.
///
/// A write makes another file and renames it, so after a crash there is the old value or the new one. A file that cannot
/// be decoded is left alone: reading it throws.
public struct FileStore<Key: Hashable & Sendable & CustomStringConvertible, Value: Codable & Sendable>: ValueStore,
  Sendable
{
  private let folder: URL

  /// What is in a file.
  private struct Record: Codable {
    var value: Value?
    /// Nil: unknown.
    var answeredAt: Date?
    var isInvalidated: Bool
  }

  /// A store in a folder, which is made if need be. No other store may use it.
  public init(in folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  public func read(_ key: Key, isolation: isolated (any Actor)?) async throws -> StoredValue<Value>? {
    try await read(key)
  }

  public func save(
    _ values: [Key: StoredValue<Value>], removing keys: Set<Key>, isolation: isolated (any Actor)?
  ) async throws {
    for (key, stored) in values { try await write(stored, for: key) }
    for key in keys { try await remove(key) }
  }

  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await removeAll()
  }

  // These leave the actor of the family.

  private func read(_ key: Key) async throws -> StoredValue<Value>? {
    let data: Data
    do {
      data = try Data(contentsOf: file(for: key))
    } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
    let record = try JSONDecoder().decode(Record.self, from: data)
    return StoredValue(
      record.value, age: record.answeredAt.map(age(since:)), isInvalidated: record.isInvalidated)
  }

  private func write(_ stored: StoredValue<Value>, for key: Key) async throws {
    let record = Record(
      value: stored.value, answeredAt: stored.age.map(time(before:)), isInvalidated: stored.isInvalidated)
    let file = file(for: key)
    let draft = draft(of: file)
    try JSONEncoder().encode(record).write(to: draft)
    // What is renamed must be on the disk before its name is.
    let handle = try FileHandle(forWritingTo: draft)
    try handle.synchronize()
    try handle.close()
    guard rename(draft.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  private func remove(_ key: Key) async throws {
    let file = file(for: key)
    // A process that was killed may have left a draft.
    for file in [file, draft(of: file)] {
      do {
        try FileManager.default.removeItem(at: file)
      } catch CocoaError.fileNoSuchFile {}
    }
  }

  private func removeAll() async throws {
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      try FileManager.default.removeItem(at: file)
    }
  }

  private func draft(of file: URL) -> URL { file.appendingPathExtension("draft") }

  /// A name that no other key has. File systems take those of up to eighty bytes of a key.
  private func file(for key: Key) -> URL {
    let name = key.description.utf8.map { String($0, radix: 16) }.joined(separator: "-")
    return folder.appendingPathComponent("k\(name).json")
  }
}

/// The time since `date` by the system's clock, which runs between launches. Less than zero if it was set back.
func age(since date: Date) -> Duration {
  .seconds(Date.now.timeIntervalSince(date))
}

func time(before age: Duration) -> Date {
  Date.now.addingTimeInterval(-(age / .seconds(1)))
}
