#if os(macOS) || os(Linux)
import Foundation

/// A folder on the disk that is there for a while.
struct TemporaryFolder {
  let path: FilePath

  /// Makes an empty one, where the system keeps what is temporary.
  ///
  /// - Throws: ``FileError``.
  init() throws {
    // Apple's function does not look at the variable, which is how a user names another folder.
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? NSTemporaryDirectory()
    path = try FilePath("\(parent)/AsyncStateDemo-\(UUID())")
    try FileSystem.makeFolder(path)
  }

  /// Removes it with all that is in it.
  func remove() {
    // If it cannot be removed now, the system does it one day.
    try? FileSystem.remove(path)
  }
}
#endif
