// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

/// A file or a folder. It is the same one when it has another name.
package struct Entry: Identifiable, Sendable, Hashable {
  /// The number that the file system knows it by.
  package let id: UInt64
  package var path: String
  package let isFolder: Bool

  var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }
  var folder: String { (path as NSString).deletingLastPathComponent }

  /// Folders are first.
  func precedes(_ other: Entry) -> Bool {
    isFolder == other.isFolder ? path.utf8.lexicographicallyPrecedes(other.path.utf8) : isFolder
  }
}

/// The names of a folder that was read, and where the next page begins.
package struct Cursor: Sendable {
  static let pageSize = 500
  let entries: [Entry]
  var offset = 0

  var page: Listing.Page {
    let end = min(offset + Self.pageSize, entries.count)
    return Listing.Page(
      items: Array(entries[offset..<end]), next: end < entries.count ? Cursor(entries: entries, offset: end) : nil)
  }
}

package typealias Listing = Paged<Entry, Cursor>

struct Details: Sendable, Equatable {
  let name, facts, preview: String
}

/// What a row displays beside the name.
struct Summary: Sendable, Equatable {
  let kind: Kind
  let text: String

  /// The kind of an entry, with the words for it.
  enum Kind: String, Sendable {
    case folder = "Folder"
    case text = "Text"
    case program = "Program or data"

    var icon: String {
      switch self {
      case .folder: "folder-symbolic"
      case .text: "text-x-generic-symbolic"
      case .program: "application-x-executable-symbolic"
      }
    }
  }
}

struct Refusal: Error, CustomStringConvertible { let description: String }

/// The disk.
enum Files {
  @concurrent static func page(of folder: String, at cursor: Cursor?) async throws -> Listing.Page {
    if let cursor { return cursor.page }
    return Cursor(entries: try entries(of: folder).sorted { $0.precedes($1) }).page
  }

  /// All but hidden ones, unsorted.
  private static func entries(of path: String) throws -> [Entry] {
    guard let folder = opendir(path) else { throw Refusal(description: "This folder cannot be read.") }
    defer { closedir(folder) }
    var entries: [Entry] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
      }
      guard let name, !name.hasPrefix(".") else { continue }
      entries.append(
        Entry(
          id: UInt64(entry.pointee.d_ino), path: path == "/" ? "/" + name : path + "/" + name,
          isFolder: Int32(entry.pointee.d_type) == DT_DIR))
    }
    return entries
  }

  /// At most 200 entries whose name contains the text.
  @concurrent static func search(_ text: String, below root: String) async throws -> [Entry] {
    var (found, folders): ([Entry], [String]) = ([], [root])
    while let folder = folders.popLast(), found.count < 200 {
      try Task.checkCancellation()
      // A folder that was removed, or cannot be read, has no results.
      for entry in (try? entries(of: folder)) ?? [] {
        if entry.isFolder { folders.append(entry.path) }
        if entry.name.localizedCaseInsensitiveContains(text) { found.append(entry) }
      }
    }
    return found.sorted { $0.precedes($1) }
  }

  @concurrent static func summary(of entry: Entry) async throws -> Summary {
    if entry.isFolder {
      let count = try entries(of: entry.path).count
      return Summary(kind: .folder, text: count == 1 ? "1 entry" : "\(count) entries")
    }
    let isText = !(try beginning(of: entry.path, count: 64)).contains(0)
    return Summary(kind: isText ? .text : .program, text: try size(of: entry.path))
  }

  @concurrent static func details(of entry: Entry) async throws -> Details {
    guard !entry.isFolder else {
      return Details(name: entry.name, facts: try await summary(of: entry).text, preview: "")
    }
    let bytes = try beginning(of: entry.path, count: 2_000)
    return Details(
      name: entry.name, facts: try size(of: entry.path),
      preview: bytes.contains(0) ? "" : String(decoding: bytes, as: UTF8.self))
  }

  @concurrent static func rename(_ rename: Rename) async throws {
    guard access(rename.to, F_OK) != 0 else { throw Refusal(description: "There is a file of this name already.") }
    guard Foundation.rename(rename.from, rename.to) == 0 else {
      throw Refusal(description: "The name was refused: \(String(cString: strerror(errno))).")
    }
  }

  private static func size(of path: String) throws -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Refusal(description: "There is no such file.") }
    let size = Double(status.st_size)
    return size < 1_000 ? size == 1 ? "1 byte" : "\(Int(size)) bytes" : "\((size / 100).rounded() / 10) kB"
  }

  private static func beginning(of path: String, count: Int) throws -> [UInt8] {
    // A FIFO or a device would not answer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal(description: "This file cannot be read.") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    return Array(bytes[..<max(read(descriptor, &bytes, count), 0)])
  }
}
