// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// One name in a folder, and what kind of thing has it.
struct FileEntry: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case folder
    case file
    case link
    /// A pipe, a socket, a device; or the kind is unknown.
    case other
  }

  let name: FileName
  let kind: Kind
}

extension FileEntry: Comparable {
  /// Folders first, and then by name.
  static func < (left: FileEntry, right: FileEntry) -> Bool {
    let (isLeftFolder, isRightFolder) = (left.kind == .folder, right.kind == .folder)
    return isLeftFolder == isRightFolder ? left.name < right.name : isLeftFolder
  }
}

extension FileEntry: CustomStringConvertible {
  /// The name as it may be printed, with the mark that `ls -F` gives to its kind.
  var description: String {
    switch kind {
    case .folder: "\(name)/"
    case .link: "\(name)@"
    case .file, .other: "\(name)"
    }
  }
}
#endif
