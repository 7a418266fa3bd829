// SPDX-License-Identifier: MIT
import AsyncState
import Foundation

struct Entry: Identifiable, Sendable, Equatable {
  let id: String
  let isFolder: Bool
  var name: String { id.split(separator: "/").last.map(String.init) ?? "/" }
}

struct Details: Sendable, Equatable {
  let size: Int
  let modified: Date
  let preview: String
}

struct Refusal: Error, CustomStringConvertible {
  let description: String
}

/// The files below a root. A path is relative to it; what leads out of it, and what is no regular file, is refused.
struct Files: Sendable {
  let root: String
  static let pageSize = 30

  init(root: String) throws {
    guard let real = realpath(root, nil) else { throw Refusal(description: "There is no folder \(root).") }
    defer { free(real) }
    self.root = String(cString: real)
  }

  /// The place of a path on disk. No part may be hidden, `.`, `..` or a link, so a path has one spelling, and none leads out.
  func resolve(_ path: String) throws -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.isEmpty || parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) }) else {
      throw Refusal(description: "This path is not served.")
    }
    var place = root
    for part in path.isEmpty ? [] : parts {
      place += "/" + part
      guard let kind = kind(place), kind == S_IFDIR || kind == S_IFREG else {
        throw Refusal(description: "There is no such file.")
      }
    }
    return place
  }

  /// `S_IFLNK` for a link: it is not followed.
  private func kind(_ place: String) -> mode_t? {
    var status = stat()
    return lstat(place, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  @concurrent func page(of folder: String, from start: Int) async throws -> Paged<Entry, Int>.Page {
    let all = try entries(of: folder)
    let items = Array(all.dropFirst(start).prefix(Self.pageSize))
    let next = start + items.count
    return Paged.Page(items: items, next: next < all.count ? next : nil)
  }

  private func entries(of folder: String) throws -> [Entry] {
    let place = try resolve(folder)
    return try FileManager.default.contentsOfDirectory(atPath: place).compactMap { name in
      guard !name.hasPrefix("."), let kind = kind(place + "/" + name), kind == S_IFDIR || kind == S_IFREG else {
        return nil
      }
      return Entry(id: folder.isEmpty ? name : folder + "/" + name, isFolder: kind == S_IFDIR)
    }.sorted { ($0.isFolder ? 0 : 1, $0.name) < ($1.isFolder ? 0 : 1, $1.name) }
  }

  /// At most 100 entries whose name contains the text, of at most 20,000.
  @concurrent func search(_ text: String) async throws -> [Entry] {
    var (found, folders, seen): ([Entry], [String], Int) = ([], [""], 0)
    while let folder = folders.popLast(), found.count < 100, seen < 20_000 {
      try Task.checkCancellation()
      for entry in (try? entries(of: folder)) ?? [] {
        seen += 1
        if entry.isFolder { folders.append(entry.id) }
        if entry.name.localizedCaseInsensitiveContains(text) { found.append(entry) }
      }
    }
    return Array(found.prefix(100))
  }

  @concurrent func details(of path: String) async throws -> Details {
    // Opened without following a link and without waiting for a FIFO, and judged by what was opened.
    let descriptor = open(try resolve(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Refusal(description: "The file cannot be read.") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal(description: "This is not a regular file.")
    }
    var bytes = [UInt8](repeating: 0, count: 2_000)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    #if os(Linux)
      let seconds = status.st_mtim.tv_sec
    #else
      let seconds = status.st_mtimespec.tv_sec
    #endif
    return Details(
      size: Int(status.st_size), modified: Date(timeIntervalSince1970: Double(seconds)),
      preview: bytes[..<count].contains(0) ? "" : String(decoding: bytes[..<count], as: UTF8.self))
  }

  /// Changes when an entry is added to a folder, or removed.
  func stamp(of folder: String) -> Date? {
    guard let place = try? resolve(folder) else { return nil }
    return try? FileManager.default.attributesOfItem(atPath: place)[.modificationDate] as? Date
  }
}
