// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// A refusal of the file system, and its reason.
struct FileError: Error, CustomStringConvertible {
  let path: FilePath
  let code: Int32

  /// The error of the system's last call.
  static func last(at path: FilePath) -> FileError {
    FileError(path: path, code: errno)
  }

  /// Why, in the system's words.
  var reason: String { unsafe String(cString: strerror(code)) }

  /// The reason first: it is what stays where there is little space.
  var description: String { "\(reason): \(path.label)" }
}
#endif
