// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// A path relative to the root, which is empty. It is bytes: an "é" has two spellings, which are equal as text, and may be
/// two files.
struct Path: Sendable, Hashable, Codable, CustomStringConvertible {
  let text: String
  init(_ text: String) { self.text = text }

  var description: String { text.isEmpty ? "/" : text }

  var name: String { text.split(separator: "/").last.map(String.init) ?? "" }
  var folder: Path { Path(text.split(separator: "/").dropLast().joined(separator: "/")) }
  func appending(_ name: String) -> Path { Path(text.isEmpty ? name : text + "/" + name) }

  static func == (lhs: Path, rhs: Path) -> Bool { lhs.text.utf8.elementsEqual(rhs.text.utf8) }
  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

struct Entry: Identifiable, Sendable, Hashable {
  let id: Path
  let isFolder: Bool

  /// Folders are first.
  func precedes(_ other: Entry) -> Bool {
    isFolder == other.isFolder ? id.text.utf8.lexicographicallyPrecedes(other.id.text.utf8) : isFolder
  }
}

struct Details: Sendable, Equatable {
  let path: Path
  let size: String
  let modified: Date
  /// The beginning of the text; empty for one that is none.
  let preview: String
  let isWhole: Bool
}

struct Refusal: Error, Equatable, CustomStringConvertible {
  let description: String
  /// What was there may have been removed.
  static let notThere = Refusal(description: "There is no such file or folder.")
}

/// A file or a folder that is open, and closed with its owner.
private struct Opened: ~Copyable {
  let descriptor: CInt
  let status: stat
  var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }

  /// Follows no link, waits for no FIFO, and opens no device. What was opened is examined again: it may have been replaced.
  init(_ name: String, in folder: CInt) throws {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, Self.isServed(status) else {
      throw Refusal.notThere
    }
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal(description: "This cannot be read.") }
    guard fstat(descriptor, &status) == 0, Self.isServed(status) else {
      close(descriptor)
      throw Refusal.notThere
    }
    (self.descriptor, self.status) = (descriptor, status)
  }

  deinit { close(descriptor) }

  static func isServed(_ status: stat) -> Bool { [S_IFDIR, S_IFREG].contains(status.st_mode & S_IFMT) }

  /// The names in a folder, but for hidden ones, and whether each is a folder.
  func forEachName(_ body: (_ name: String, _ isFolder: Bool) -> Void) throws {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0, let folder = fdopendir(copy) else {
      if copy >= 0 { close(copy) }
      throw Refusal(description: "This cannot be read.")
    }
    defer { closedir(folder) }
    rewinddir(folder)
    while let entry = readdir(folder) {
      // A name that is no UTF-8 has no address.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      var status = stat()
      guard let name, name.utf8.first != UInt8(ascii: "."),
        fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, Self.isServed(status)
      else { continue }
      body(name, status.st_mode & S_IFMT == S_IFDIR)
    }
  }

  /// Differs when a file was written or replaced, and when an entry was added to a folder or removed. It is never 0.
  var stamp: Int {
    let (modified, changed) = times
    var hasher = Hasher()
    hasher.combine([modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec, Int(status.st_size)])
    hasher.combine(status.st_ino)
    return hasher.finalize() | 1
  }

  /// Of the content, and of anything about it.
  var times: (modified: timespec, changed: timespec) {
    #if os(Linux)
      (status.st_mtim, status.st_ctim)
    #else
      (status.st_mtimespec, status.st_ctimespec)
    #endif
  }
}

/// The files below a root. What leads out of it, and what is no regular file, is refused.
struct Files: Sendable {
  let root: String
  static let pageSize = 30
  /// Notes what is read.
  var stamps: Stamps?

  init(root: String) throws {
    guard let real = realpath(root, nil) else { throw Refusal(description: "There is no folder \(root).") }
    defer { free(real) }
    self.root = String(cString: real)
    guard try open(Path("")).isFolder else { throw Refusal(description: "\(root) is not a folder.") }
  }

  /// Opens each part of a path in the folder before it, so that no other process can lead it out of the root meanwhile. No
  /// part may be empty or hidden, so a path has one spelling. Bytes are compared: "/" with an accent is a separator, too.
  private func open(_ path: Path) throws -> Opened {
    let bytes = path.text.utf8
    let parts = bytes.isEmpty ? [] : bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ ![nil, UInt8(ascii: ".")].contains($0.first) && !$0.contains(0) }) else {
      throw Refusal(description: "This path is not served.")
    }
    var opened = try Opened(root, in: AT_FDCWD)
    for part in parts { opened = try Opened(String(decoding: part, as: UTF8.self), in: opened.descriptor) }
    return opened
  }

  /// Throws if a path is not served.
  @concurrent func check(_ path: Path) async throws { _ = try open(path) }

  /// Opens what is read to be displayed.
  private func read(_ path: Path) throws -> Opened {
    let opened = try open(path)
    stamps?.note(path, opened.stamp)
    return opened
  }

  /// The entries after one, which need not be there any more.
  @concurrent func page(of folder: Path, after last: Entry?) async throws -> Paged<Entry, Entry>.Page {
    let rest = try Self.entries(read(folder), folder).filter { entry in last.map { $0.precedes(entry) } ?? true }
    let items = rest.sorted { $0.precedes($1) }.prefix(Self.pageSize)
    return Paged.Page(items: Array(items), next: items.count < rest.count ? items.last : nil)
  }

  private static func entries(_ opened: borrowing Opened, _ folder: Path) throws -> [Entry] {
    var entries: [Entry] = []
    try opened.forEachName { entries.append(Entry(id: folder.appending($0), isFolder: $1)) }
    return entries
  }

  /// At most 100 entries whose name contains the text, of at most 20,000.
  @concurrent func search(_ text: String) async throws -> [Entry] {
    var (found, folders, seen): ([Entry], [Path], Int) = ([], [Path("")], 0)
    while let folder = folders.popLast(), found.count < 100, seen < 20_000 {
      try Task.checkCancellation()
      // A folder that was removed, or cannot be read, has no results.
      for entry in (try? Self.entries(open(folder), folder)) ?? [] {
        seen += 1
        if entry.isFolder { folders.append(entry.id) }
        if entry.id.name.localizedCaseInsensitiveContains(text) { found.append(entry) }
      }
    }
    return found.sorted { $0.precedes($1) }.prefix(100).map { $0 }
  }

  /// The size of a file, or the number of entries of a folder.
  @concurrent func summary(of path: Path) async throws -> String { try Self.summary(try read(path)) }

  private static func summary(_ opened: borrowing Opened) throws -> String {
    guard opened.isFolder else {
      let size = Double(opened.status.st_size)
      return size < 1_000 ? size == 1 ? "1 byte" : "\(Int(size)) bytes" : "\((size / 100).rounded() / 10) kB"
    }
    var count = 0
    try opened.forEachName { _, _ in count += 1 }
    return count == 1 ? "1 entry" : "\(count) entries"
  }

  @concurrent func details(of path: Path) async throws -> Details {
    let opened = try read(path)
    guard !opened.isFolder else { throw Refusal(description: "This is a folder.") }
    var bytes = [UInt8](repeating: 0, count: 2_000)
    let count = pread(opened.descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw Refusal(description: "This cannot be read.") }
    return Details(
      path: path, size: try Self.summary(opened),
      modified: Date(timeIntervalSince1970: Double(opened.times.modified.tv_sec)),
      preview: bytes[..<count].contains(0) ? "" : String(decoding: bytes[..<count], as: UTF8.self),
      isWhole: count == Int(opened.status.st_size))
  }

  /// The stamps of paths; 0 for one that is not there.
  @concurrent func stamps(of paths: Set<Path>) async -> [Path: Int] {
    Dictionary(uniqueKeysWithValues: paths.map { ($0, (try? open($0).stamp) ?? 0) })
  }
}
