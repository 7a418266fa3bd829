#if os(macOS) || os(Linux)
import Foundation

/// What the file system refuses, and why.
struct FileError: Error, CustomStringConvertible {
  let path: FilePath
  let code: Int32

  /// The error that the system's last call has left behind.
  static func last(at path: FilePath) -> FileError {
    FileError(path: path, code: errno)
  }

  /// Why, in the system's words.
  var reason: String { String(cString: strerror(code)) }

  var description: String { "\(path.label): \(reason)" }
}
#endif
