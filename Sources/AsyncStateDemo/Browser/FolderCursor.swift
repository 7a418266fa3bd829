// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Where a page begins in a folder whose names have been read.
struct FolderCursor: Sendable {
  private static let pageSize = 500

  let folder: FilePath
  let entries: [FileEntry]
  private var offset = 0

  /// The beginning.
  init(folder: FilePath, entries: [FileEntry]) {
    self.folder = folder
    self.entries = entries
  }

  /// The page that begins here.
  ///
  /// - Parameter count: How many entries it has at least, if there are as many.
  func page(atLeast count: Int = 0) -> FolderService.Page {
    var next = self
    next.offset = min(offset + max(count, Self.pageSize), entries.count)
    let items = Array(entries[offset..<next.offset])
    return FolderService.Page(items: items, next: next.offset < entries.count ? next : nil)
  }
}
#endif
