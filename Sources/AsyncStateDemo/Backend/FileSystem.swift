#if os(macOS) || os(Linux)
import Foundation

/// What the demo asks of the disk. Whatever may take its time is asked off the actor that calls.
enum FileSystem {
  /// All that a folder has, in order.
  ///
  /// - Throws: ``FileError``, or `CancellationError`.
  @concurrent
  static func entries(of folder: FilePath) async throws -> [FileEntry] {
    var entries: [FileEntry] = []
    try forEachEntry(of: folder) { entries.append($0) }
    entries.sort()
    return entries
  }

  /// What there is to tell about one file.
  ///
  /// - Throws: ``FileError``, or `CancellationError`.
  @concurrent
  static func details(of path: FilePath) async throws -> FileDetails {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { throw FileError.last(at: path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      var count = 0
      try forEachEntry(of: path) { _ in count += 1 }
      return .folder(entryCount: count)
    case S_IFREG: return .file(byteCount: Int(status.st_size))
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// The lines of a text.
  ///
  /// - Throws: ``FileError``.
  @concurrent
  static func lines(of file: FilePath) async throws -> [String] {
    guard let stream = file.withCString({ fopen($0, "r") }) else { throw FileError.last(at: file) }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk.prefix(count) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes a text, in place of what the file had.
  ///
  /// - Throws: ``FileError``.
  static func write(_ text: String, to file: FilePath) throws {
    guard let stream = file.withCString({ fopen($0, "w") }) else { throw FileError.last(at: file) }
    defer { fclose(stream) }
    guard fputs(text, stream) >= 0, fflush(stream) == 0 else { throw FileError.last(at: file) }
  }

  /// Makes an empty folder.
  ///
  /// - Throws: ``FileError``.
  static func makeFolder(_ folder: FilePath) throws {
    guard folder.withCString({ mkdir($0, 0o777) }) == 0 else { throw FileError.last(at: folder) }
  }

  /// Removes a file, or a folder with all that is in it.
  ///
  /// - Throws: What `FileManager` throws.
  static func remove(_ path: FilePath) throws {
    try path.withCString { try FileManager.default.removeItem(atPath: String(cString: $0)) }
  }

  private static func forEachEntry(of folder: FilePath, _ body: (FileEntry) -> Void) throws {
    guard let stream = folder.withCString(opendir) else { throw FileError.last(at: folder) }
    defer { closedir(stream) }
    while true {
      try Task.checkCancellation()
      // At the end and after an error there is no record; only the error sets the number.
      errno = 0
      guard let record = readdir(stream) else { break }
      let name = FileName(record)
      if name != "." && name != ".." { body(FileEntry(name: name, kind: FileEntry.Kind(record))) }
    }
    if errno != 0 { throw FileError.last(at: folder) }
  }
}

extension FileName {
  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    // Read in place: the name ends at its zero, and the record may be shorter than its type says.
    let start = UnsafeRawPointer(record) + MemoryLayout<dirent>.offset(of: \.d_name)!
    let length = strlen(start.assumingMemoryBound(to: CChar.self))
    self.init(bytes: Array(UnsafeRawBufferPointer(start: start, count: length)))
  }
}

extension FileEntry.Kind {
  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    switch Int32(record.pointee.d_type) {
    case Int32(DT_DIR): self = .folder
    case Int32(DT_REG): self = .file
    case Int32(DT_LNK): self = .link
    default: self = .other
    }
  }
}
#endif
