// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The disk as the demo reads it. A read that may take its time is done off the actor that calls.
enum FileSystem {
  /// All entries of a folder, in order.
  ///
  /// - Throws: ``FileError``, or `CancellationError`.
  @concurrent
  static func entries(of folder: FilePath) async throws -> [FileEntry] {
    try sortedEntries(of: folder)
  }

  /// All entries of a folder, in order, read on the caller's thread.
  ///
  /// - Throws: ``FileError``, or `CancellationError`.
  static func sortedEntries(of folder: FilePath) throws -> [FileEntry] {
    var entries: [FileEntry] = []
    try forEachEntry(of: folder) { entries.append($0) }
    entries.sort()
    return entries
  }

  /// The kind of a file, and its size.
  ///
  /// - Throws: ``FileError``, or `CancellationError`.
  @concurrent
  static func details(of path: FilePath) async throws -> FileDetails {
    var status = stat()
    guard unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 else { throw FileError.last(at: path) }
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

  /// Whether the path, or what it links to, is no folder but exists.
  static func isFile(_ path: FilePath) -> Bool {
    var status = stat()
    return unsafe path.withCString { unsafe stat($0, &status) } == 0 && status.st_mode & S_IFMT != S_IFDIR
  }

  /// The first line of a file, or that it has none.
  ///
  /// - Throws: ``FileError``.
  @concurrent
  static func preview(of file: FilePath) async throws -> String {
    // Anything else is not opened: the writer of a pipe would be stopped when it is closed again.
    var status = stat()
    guard unsafe file.withCString({ unsafe stat($0, &status) }) == 0 else { throw FileError.last(at: file) }
    guard status.st_mode & S_IFMT == S_IFREG else { return notRegular }
    // Not blocking, as it may have been exchanged for a pipe meanwhile.
    let descriptor = unsafe file.withCString { unsafe open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { throw FileError.last(at: file) }
    defer { close(descriptor) }
    return try preview(of: descriptor, at: file)
  }

  private static let notRegular = "not a regular file"

  /// The first line of an open file. Only a regular one is read: what is read from a pipe is lost to its reader.
  static func preview(of descriptor: Int32, at file: FilePath) throws(FileError) -> String {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileError.last(at: file) }
    guard status.st_mode & S_IFMT == S_IFREG else { return notRegular }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw FileError.last(at: file) }
    let text = bytes.prefix(count)
    if text.isEmpty { return "empty" }
    if text.contains(0) { return "not a text" }
    let line = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).first ?? []
    return "“\(PrintableText.of(Array(line)))”"
  }

  private static func forEachEntry(of folder: FilePath, _ body: (FileEntry) -> Void) throws {
    guard let stream = unsafe folder.withCString(opendir) else { throw FileError.last(at: folder) }
    defer { unsafe closedir(stream) }
    while true {
      try Task.checkCancellation()
      // At the end and after an error there is no record; only the error sets the number.
      errno = 0
      guard let record = unsafe readdir(stream) else { break }
      let name = unsafe FileName(record)
      if name != "." && name != ".." { unsafe body(FileEntry(name: name, kind: FileEntry.Kind(record))) }
    }
    if errno != 0 { throw FileError.last(at: folder) }
  }
}

extension FileName {
  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    // Read in place: the name ends at its zero, and the record may be shorter than its type says.
    let start = unsafe UnsafeRawPointer(record) + MemoryLayout<dirent>.offset(of: \.d_name)!
    let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
    unsafe self.init(bytes: Array(UnsafeRawBufferPointer(start: start, count: length)))
  }
}

extension FileEntry.Kind {
  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    switch unsafe Int32(record.pointee.d_type) {
    case Int32(DT_DIR): self = .folder
    case Int32(DT_REG): self = .file
    case Int32(DT_LNK): self = .link
    default: self = .other
    }
  }
}
#endif
