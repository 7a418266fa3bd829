// SPDX-License-Identifier: MIT
public import AsyncState
public import Foundation

/// A store of an outbox in a file that only grows: a line for each input, and one for each change of it.
///
/// A line counts when it is complete, so a process that is killed in the middle of a write leaves what was there before.
/// A write that fails, because the disk is full, is taken back. The file is rewritten when most of it is not needed any
/// more. The inputs themselves are read when they are sent; what is in memory of each is its place.
public struct FileOutboxStore<Input: Codable & Sendable>: OutboxStore, Sendable {
  private let log: OutboxLog
  public let place: String

  /// An outbox in a file, which is made if need be.
  ///
  /// - Throws: The error of the file system, also if another outbox uses the file.
  public init(at file: URL) throws {
    log = try OutboxLog(file.path)
    place = file.path
  }

  public func append(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
    var line = OutboxLog.Line(key: entry.key, lane: entry.lane, input: try JSONEncoder().encode(entry.input))
    line.attempts = entry.attempts
    try await log.append(line)
  }

  public func first(besides lanes: Set<String>, isolation: isolated (any Actor)?) async throws -> OutboxEntry<Input>? {
    try await log.first(besides: lanes).map(Self.entry)
  }

  public func entries(
    after key: String?, limit: Int, isolation: isolated (any Actor)?
  ) async throws -> [OutboxEntry<Input>] {
    try await log.entries(after: key, limit: limit).map(Self.entry)
  }

  public func update(_ entry: OutboxEntry<Input>, isolation: isolated (any Actor)?) async throws {
    var line = OutboxLog.Line(key: entry.key, lane: entry.lane, input: try JSONEncoder().encode(entry.input))
    line.attempts = entry.attempts
    line.failure = entry.failure
    try await log.update(line)
  }

  public func remove(_ key: String, isolation: isolated (any Actor)?) async throws -> Bool {
    try await log.remove(key)
  }

  public func removeAll(isolation: isolated (any Actor)?) async throws {
    try await log.removeAll()
  }

  private static func entry(_ line: OutboxLog.Line) throws -> OutboxEntry<Input> {
    guard let input = line.input else { throw CocoaError(.fileReadCorruptFile) }
    return OutboxEntry(
      key: line.key, lane: line.lane ?? "", input: try JSONDecoder().decode(Input.self, from: input),
      attempts: line.attempts ?? 0, failure: line.failure)
  }
}

/// The file, away from the actor of the mutation.
actor OutboxLog {
  /// A line of the file: an input, or what has become of it.
  struct Line: Codable {
    let key: String
    var lane: String?
    var input: Data?
    var attempts: Int?
    var failure: String?
    /// It waits as this line says, is set aside, or is removed.
    var change: Change?

    enum Change: String, Codable {
      case waits, aside, removed
    }
  }

  /// What is in memory of an input.
  private struct Place {
    let key: String
    var lane: String
    /// The line that has the input.
    var line: Range<UInt64>
    var attempts = 0
    var failure: String?

    init(_ line: Line, at range: Range<UInt64>) {
      key = line.key
      lane = ""
      self.line = range
      take(line, at: range)
    }

    /// What a line says of the entry.
    mutating func take(_ line: Line, at range: Range<UInt64>) {
      if line.input != nil { self.line = range }
      if let lane = line.lane { self.lane = lane }
      attempts = line.attempts ?? attempts
      failure = line.failure
    }
  }

  private let path: String
  private var file: FileHandle
  /// The length of what is complete.
  private var length: UInt64 = 0
  /// By number, in order; and the numbers by key.
  private var places: [Int: Place] = [:]
  private var numbers: [String: Int] = [:]
  private var (start, end) = (0, 0)

  init(_ path: String) throws {
    self.path = path
    (file, places, length) = try Self.open(path)
    end = places.count
    for (number, place) in places { numbers[place.key] = number }
  }

  /// Opens the file, reads it line by line, and cuts off what a killed process has left at the end.
  private static func open(_ path: String) throws -> (FileHandle, [Int: Place], UInt64) {
    let file = try handle(of: path)
    var places: [Place?] = []
    var numbers: [String: Int] = [:]
    var start: UInt64 = 0
    var rest = Data()
    while let data = try file.read(upToCount: 1 << 16), !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = try JSONDecoder().decode(Line.self, from: rest[rest.startIndex..<end])
        let range = start..<(start + UInt64(end - rest.startIndex + 1))
        start = range.upperBound
        rest = Data(rest[(end + 1)...])
        guard let number = numbers[line.key] else {
          guard line.input != nil else { continue }
          numbers[line.key] = places.count
          places.append(Place(line, at: range))
          continue
        }
        switch line.change {
        case .waits, .aside: places[number]?.take(line, at: range)
        case .removed:
          places[number] = nil
          numbers[line.key] = nil
        // It was there already.
        case nil: break
        }
      }
    }
    try file.truncate(atOffset: start)
    return (file, Dictionary(uniqueKeysWithValues: places.compactMap(\.self).enumerated().map { ($0, $1) }), start)
  }

  private static func handle(of path: String) throws -> FileHandle {
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw POSIXError(.EWOULDBLOCK) }
    return file
  }

  // MARK: Changes

  func append(_ line: Line) throws {
    guard numbers[line.key] == nil else { return }
    insert(Place(line, at: try write(line)))
  }

  private func insert(_ place: Place) {
    numbers[place.key] = end
    places[end] = place
    end += 1
  }

  func update(_ line: Line) throws {
    guard let number = numbers[line.key], let place = places[number] else { return }
    var line = line
    line.change = line.failure == nil ? .waits : .aside
    // What has not changed is not written again.
    if try line.input == Self.read(place, from: file).input { line.input = nil }
    places[number]?.take(line, at: try write(line))
  }

  func remove(_ key: String) throws -> Bool {
    guard let number = numbers[key] else { return false }
    // The last one needs no room, even on a full disk.
    if numbers.count == 1 {
      try removeAll()
      return true
    }
    try write(Line(key: key, change: .removed))
    numbers[key] = nil
    places[number] = nil
    try compact()
    return true
  }

  func removeAll() throws {
    try file.truncate(atOffset: 0)
    try file.synchronize()
    (length, start, end) = (0, 0, 0)
    (places, numbers) = ([:], [:])
  }

  /// Writes a line, and nothing if that fails.
  @discardableResult
  private func write(_ line: Line) throws -> Range<UInt64> {
    let data = try JSONEncoder().encode(line) + [UInt8(ascii: "\n")]
    do {
      try file.seek(toOffset: length)
      try file.write(contentsOf: data)
      try file.synchronize()
    } catch {
      try? file.truncate(atOffset: length)
      throw error
    }
    defer { length += UInt64(data.count) }
    return length..<(length + UInt64(data.count))
  }

  /// Rewrites the file if less than a quarter of it is needed.
  private func compact() throws {
    let needed = places.values.reduce(0) { $0 + UInt64($1.line.count) }
    guard length > 1 << 20, needed * 4 < length else { return }
    let draft = path + ".draft"
    try? FileManager.default.removeItem(atPath: draft)
    let former = (file, length)
    do {
      file = try Self.handle(of: draft)
      length = 0
      var moved: [Int: Place] = [:]
      for (number, place) in places.sorted(by: { $0.key < $1.key }) {
        let line = try Self.read(place, from: former.0)
        moved[number] = Place(line, at: try write(line))
      }
      guard rename(draft, path) == 0 else { throw POSIXError(.EIO) }
      places = moved
    } catch {
      // There is no room for another file: the old one stays.
      (file, length) = former
      try? FileManager.default.removeItem(atPath: draft)
    }
  }

  // MARK: Reading

  func first(besides lanes: Set<String>) throws -> Line? {
    while start < end, places[start] == nil { start += 1 }
    for number in start..<end {
      if let place = places[number], place.failure == nil, !lanes.contains(place.lane) { return try Self.read(place, from: file) }
    }
    return nil
  }

  func entries(after key: String?, limit: Int) throws -> [Line] {
    let first = key.flatMap { numbers[$0] }.map { $0 + 1 } ?? start
    return try (first..<end).lazy.compactMap { self.places[$0] }.prefix(limit).map {
      try Self.read($0, from: file)
    }
  }

  /// The entry as it is by now, in one line.
  private static func read(_ place: Place, from file: FileHandle) throws -> Line {
    try file.seek(toOffset: place.line.lowerBound)
    var line = try JSONDecoder().decode(Line.self, from: file.read(upToCount: place.line.count) ?? Data())
    (line.lane, line.attempts, line.failure, line.change) = (place.lane, place.attempts, place.failure, nil)
    return line
  }
}
