// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// The path of a file or folder: absolute, and without "." and "..".
struct FilePath: Hashable, Sendable {
  /// From the root to the file; none for the root.
  private(set) var names: [FileName]

  /// The path that the bytes mean, relative to the current folder.
  ///
  /// - Throws: ``CurrentFolderGone``, when it is needed to make the path absolute.
  init(_ bytes: [UInt8]) throws(CurrentFolderGone) {
    let slash = UInt8(ascii: "/")
    var whole = bytes
    if bytes.first != slash {
      guard let folder = unsafe getcwd(nil, 0) else { throw CurrentFolderGone() }
      defer { unsafe free(folder) }
      whole = unsafe Array(UnsafeRawBufferPointer(start: folder, count: strlen(folder))) + [slash] + bytes
    }
    names = []
    for part in whole.split(separator: slash) {
      switch FileName(bytes: Array(part)) {
      case ".": break
      case "..": _ = names.popLast()
      case let name: names.append(name)
      }
    }
  }

  private init(names: [FileName]) {
    self.names = names
  }

  /// The last name; nil for the root.
  var name: FileName? { names.last }

  /// The last name as it may be printed; a slash for the root.
  var label: String { name?.description ?? "/" }

  /// The folder that this is in; the root is in itself.
  var parent: FilePath { FilePath(names: names.dropLast()) }

  /// The path of what has this name in this folder.
  func appending(_ name: FileName) -> FilePath {
    FilePath(names: names + [name])
  }

  /// Calls `body` with the path as the system's functions want it.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    let slash = [UInt8(ascii: "/")]
    let bytes = slash + names.map(\.bytes).joined(separator: slash) + [0]
    return try unsafe bytes.withUnsafeBytes { try unsafe body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}

extension FilePath: CustomStringConvertible {
  /// The path as it may be printed.
  var description: String { "/" + names.map(\.description).joined(separator: "/") }
}

/// The current folder was removed.
struct CurrentFolderGone: Error, CustomStringConvertible {
  var description: String { "the current folder was removed; possible: the whole path of another" }
}
#endif
