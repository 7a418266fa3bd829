import Foundation

/// The way to a file or folder: absolute, and without "." and "..".
struct FilePath: Hashable, Sendable {
  /// From the root to the file; none for the root.
  private(set) var names: [FileName]

  /// The path that the user means by `text`, seen from the current folder.
  init(_ text: String) {
    let isAbsolute = text.utf8.first == UInt8(ascii: "/")
    let absolute = isAbsolute ? text : FileManager.default.currentDirectoryPath + "/" + text
    names = []
    for part in absolute.split(separator: "/") {
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
