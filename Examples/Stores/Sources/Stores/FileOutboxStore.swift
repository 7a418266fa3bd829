// SPDX-License-Identifier: MIT
public import AsyncState
public import Foundation

/// A store of an outbox in a file that only grows: a line for each input, and one for each change of it.
///
/// A change counts when its last line is complete, so a process that is killed in the middle of a write leaves what was there before.
/// A write that fails, because the disk is full, is taken back. Each input has some room reserved behind the lines, so that it can be
/// counted, set aside and removed when the disk is full. The file is rewritten when most of it is not needed any more.
///
/// Another process that has the file makes the first use throw ``StoreInUse``.
public struct FileOutboxStore<Input: Codable & Sendable>: OutboxStore, Sendable {
  private let log: OutboxLog
  public let place: String

  /// An outbox in a file, which is made at the first use if need be.
  public init(at file: URL) {
    place = file.standardizedFileURL.path
    log = OutboxLog(place)
  }

  public func entries(
    isolation: isolated (any Actor)?
  ) async throws -> [Result<StoredEntry<Input>, UnreadableEntry>] {
    try await log.read().map { line in
      let (key, position) = (line.key, line.position ?? 0)
      do {
        let input = try JSONDecoder().decode(Input.self, from: line.input ?? Data())
        return .success(
          StoredEntry(key: key, position: position, input: input, attempts: line.attempts ?? 0, failure: line.failure))
      } catch {
        return .failure(UnreadableEntry(key: key, position: position, reason: String(describing: error)))
      }
    }
  }

  public func save(
    _ entries: [StoredEntry<Input>], removing keys: Set<String>, isolation: isolated (any Actor)?
  ) async throws {
    let encoder = JSONEncoder()
    // An equal input is encoded equally, so that one that has not changed is not written again.
    encoder.outputFormatting = .sortedKeys
    let saves = try entries.map { entry in
      OutboxLog.Line(
        key: entry.key, position: entry.position, input: try encoder.encode(entry.input), attempts: entry.attempts,
        failure: entry.failure)
    }
    try await log.write(saves, removing: keys)
  }

  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await log.removeAll()
  }
}

/// The file, away from the actor of the outbox.
private actor OutboxLog {
  /// A line of the file: an input, or what has become of it.
  struct Line: Codable {
    let key: String
    var position: Int?
    /// Nil: as before.
    var input: Data?
    var attempts: Int?
    var failure: String?
    /// It is removed.
    var isRemoved: Bool?
    /// Another line of the same change follows.
    var isContinued: Bool?
  }

  /// The room for each input behind the lines, of which its attempts leave some to set it aside, and that some to remove it.
  private static let reserve: (all: UInt64, aside: UInt64, removal: UInt64) = (512, 384, 128)

  private let path: String
  private var lock: ProcessLock?
  /// Nil until the first use.
  private var file: FileHandle?
  /// The length of what is complete, and of the file with its reserve.
  private var (length, end): (UInt64, UInt64) = (0, 0)
  /// Of each input the lines that say what it is by now: the one with the input first.
  private var lines: [String: (input: Range<UInt64>, state: Line)] = [:]

  init(_ path: String) {
    self.path = path
  }

  // MARK: Opening

  /// The file, which was read if this is the first use.
  private func opened() throws -> FileHandle {
    if let file { return file }
    // In a file of its own, which is never replaced.
    lock = try ProcessLock.take(path + ".lock")
    let file = try Self.handle(of: path)
    (lines, length) = try Self.lines(of: file)
    end = try file.seekToEnd()
    // Instead of what a killed process has left: the reserve is blank.
    try Self.blank(file, length..<end)
    self.file = file
    return file
  }

  private static func blank(_ file: FileHandle, _ range: Range<UInt64>) throws {
    try file.seek(toOffset: range.lowerBound)
    try file.write(contentsOf: Data(repeating: UInt8(ascii: " "), count: range.count))
  }

  private static func handle(of path: String) throws -> FileHandle {
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// What the complete changes of a file say, and where they end.
  private static func lines(
    of file: FileHandle
  ) throws -> ([String: (input: Range<UInt64>, state: Line)], length: UInt64) {
    var lines: [String: (input: Range<UInt64>, state: Line)] = [:]
    var change: [(Line, Range<UInt64>)] = []
    var (start, length): (UInt64, UInt64) = (0, 0)
    var rest = Data()
    reading: while let data = try file.read(upToCount: 1 << 16), !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        guard let line = try? JSONDecoder().decode(Line.self, from: rest[rest.startIndex..<end]) else { break reading }
        let range = start..<(start + UInt64(end - rest.startIndex + 1))
        start = range.upperBound
        rest = Data(rest[(end + 1)...])
        change.append((line, range))
        if line.isContinued == true { continue }
        for (line, range) in change { apply(line, at: range, to: &lines) }
        change = []
        length = start
      }
    }
    return (lines, length)
  }

  private static func apply(
    _ line: Line, at range: Range<UInt64>, to lines: inout [String: (input: Range<UInt64>, state: Line)]
  ) {
    if line.isRemoved == true {
      lines[line.key] = nil
      return
    }
    var state = line
    state.position = line.position ?? lines[line.key]?.state.position
    state.input = nil
    let input = line.input == nil ? lines[line.key]?.input : range
    if let input { lines[line.key] = (input, state) }
  }

  // MARK: Reading

  /// The entries as they are by now, in order.
  func read() throws -> [Line] {
    let file = try opened()
    return try lines.values.map { input, state in
      var line = state
      line.input = try Self.line(at: input, in: file).input
      return line
    }.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
  }

  private static func line(at range: Range<UInt64>, in file: FileHandle) throws -> Line {
    try file.seek(toOffset: range.lowerBound)
    return try JSONDecoder().decode(Line.self, from: file.read(upToCount: range.count) ?? Data())
  }

  // MARK: Changes

  func write(_ saves: [Line], removing keys: Set<String>) throws {
    let file = try opened()
    var change: [Line] = []
    for var line in saves {
      // What has not changed is not written again.
      if let known = lines[line.key], try Self.line(at: known.input, in: file).input == line.input {
        (line.input, line.position) = (nil, nil)
      }
      change.append(line)
    }
    change += keys.filter { lines[$0] != nil }.sorted().map { Line(key: $0, isRemoved: true) }
    guard !change.isEmpty else { return }
    for index in change.indices.dropLast() { change[index].isContinued = true }
    try append(change, to: file)
    // The last one needs no room.
    if lines.isEmpty { try removeAll() } else { try compact() }
  }

  func removeAll() throws {
    let file = try opened()
    try file.truncate(atOffset: 0)
    try file.synchronize()
    (length, end, lines) = (0, 0, [:])
  }

  /// Appends a change, and nothing if that fails.
  private func append(_ change: [Line], to file: FileHandle) throws {
    var data = Data()
    var ranges: [Range<UInt64>] = []
    for line in change {
      let start = length + UInt64(data.count)
      data += try JSONEncoder().encode(line) + [UInt8(ascii: "\n")]
      ranges.append(start..<(length + UInt64(data.count)))
    }
    let count = lines.count + change.count { lines[$0.key] == nil && $0.isRemoved != true }
    let end = length + UInt64(data.count)
    let left: UInt64 =
      if change.contains(where: { $0.input != nil }) {
        Self.reserve.all
      } else if change.allSatisfy({ $0.isRemoved == true }) {
        0
      } else {
        change.contains { $0.failure == nil && $0.isRemoved != true } ? Self.reserve.aside : Self.reserve.removal
      }
    let needed = end + UInt64(count) * left
    do {
      if needed > self.end { try extend(file, to: needed) }
      try file.seek(toOffset: length)
      try file.write(contentsOf: data)
      try file.synchronize()
    } catch {
      // Blanks again: a part of it may have been written.
      try? Self.blank(file, length..<max(length, min(end, self.end)))
      throw error
    }
    for (line, range) in zip(change, ranges) { Self.apply(line, at: range, to: &lines) }
    length = end
    self.end = max(self.end, end)
  }

  /// Makes the reserve larger, by blanks: room in a file that was never written need not be there.
  private func extend(_ file: FileHandle, to end: UInt64) throws {
    do {
      try Self.blank(file, self.end..<end)
    } catch {
      try? file.truncate(atOffset: self.end)
      throw error
    }
    self.end = end
  }

  /// Rewrites the file if less than a quarter of it is needed.
  private func compact() throws {
    guard length > 1 << 20, let file else { return }
    let needed = lines.values.reduce(0) { $0 + UInt64($1.input.count) }
    guard needed * 4 < length else { return }
    let draft = path + ".draft"
    try? FileManager.default.removeItem(atPath: draft)
    let former = (lines, length, end)
    do {
      let kept = try read()
      let copy = try Self.handle(of: draft)
      (lines, length, end) = ([:], 0, 0)
      for line in kept { try append([line], to: copy) }
      guard rename(draft, path) == 0 else { throw POSIXError(.EIO) }
      self.file = copy
      try file.close()
    } catch {
      // There is no room for another file: the old one stays.
      (lines, length, end) = former
      try? FileManager.default.removeItem(atPath: draft)
    }
  }
}
