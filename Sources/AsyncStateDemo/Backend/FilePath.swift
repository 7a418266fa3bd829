#if os(macOS) || os(Linux)
import Foundation

/// The way to a file or folder: absolute, and without "." and "..".
struct FilePath: Hashable, Sendable {
  /// From the root to the file; none for the root.
  private(set) var names: [FileName]

  /// The path that the user means by `text`, seen from the current folder.
  ///
  /// - Throws: ``CurrentFolderGone``, when it is needed to make the path absolute.
  init(_ text: String) throws(CurrentFolderGone) {
    let isAbsolute = text.utf8.first == UInt8(ascii: "/")
    let start = isAbsolute ? "" : FileManager.default.currentDirectoryPath
    guard isAbsolute || !start.isEmpty else { throw CurrentFolderGone() }
    names = []
    for part in "\(start)/\(text)".split(separator: "/") {
      switch part {
      case ".": break
      case "..": _ = names.popLast()
      default: names.append(FileName(part))
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

  /// What has this name in this folder.
  func appending(_ name: FileName) -> FilePath {
    FilePath(names: names + [name])
  }

  /// Calls `body` with the path as the system's functions want it.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    let slash = [UInt8(ascii: "/")]
    let bytes = slash + names.map(\.bytes).joined(separator: slash) + [0]
    return try bytes.withUnsafeBytes { try body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
  }
}

extension FilePath: CustomStringConvertible {
  /// The path as it may be printed.
  var description: String { "/" + names.map(\.description).joined(separator: "/") }
}

/// Somebody has removed the folder that the process is in.
struct CurrentFolderGone: Error, CustomStringConvertible {
  var description: String { "the current folder is gone; possible: the whole path of another" }
}
#endif
