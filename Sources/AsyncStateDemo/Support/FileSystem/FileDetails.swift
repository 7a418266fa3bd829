// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The details of one file, which are displayed besides its name.
enum FileDetails: Equatable, Sendable {
  case folder(entryCount: Int)
  case file(byteCount: Int)
  case link
  case other
}

extension FileDetails: CustomStringConvertible {
  var description: String {
    switch self {
    case .folder(1): "folder, 1 entry"
    case .folder(let count): "folder, \(count) entries"
    case .file(let count): "file, \(ByteCount(count))"
    case .link: "link"
    case .other: "special file"
    }
  }
}
#endif
