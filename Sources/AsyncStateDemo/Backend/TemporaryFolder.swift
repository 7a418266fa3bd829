import Foundation

/// A folder on the disk that is there for a while.
struct TemporaryFolder {
  let path: FilePath

  /// Makes an empty one, where the system keeps what is temporary.
  ///
  /// - Throws: ``FileError``.
  init() throws {
    path = try FilePath("\(NSTemporaryDirectory())/AsyncStateDemo-\(UUID())")
    try FileSystem.makeFolder(path)
  }

  /// Removes it with all that is in it.
  func remove() {
    // If it cannot be removed now, the system does it one day.
    try? FileSystem.remove(path)
  }
}
