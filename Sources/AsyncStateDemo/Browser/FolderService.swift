// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// The folders of the disk, a page at a time, through a laggy backend.
@MainActor
final class FolderService {
  typealias Page = Paged<FileEntry, FolderCursor>.Page

  private let backend: LaggyBackend

  init(_ backend: LaggyBackend) {
    self.backend = backend
  }

  /// All entries of a folder, in order.
  func entries(of folder: FilePath) async throws -> [FileEntry] {
    try await backend.answer("folder \(folder.label)") { try await FileSystem.entries(of: folder) }
  }

  /// Reads a folder, and gives the first page of it.
  ///
  /// - Parameters:
  ///   - count: How many entries the page has at least, if there are as many.
  ///   - name: What is to be on it, if it is in the folder.
  func firstPage(of folder: FilePath, atLeast count: Int = 0, reaching name: FileName? = nil) async throws -> Page {
    let entries = try await entries(of: folder)
    let index = name.flatMap { name in entries.firstIndex { $0.name == name } } ?? 0
    return FolderCursor(folder: folder, entries: entries).page(atLeast: max(count, index + 1))
  }

  /// Gives the page that begins at a cursor. The names are those that the first page was made of.
  func page(at cursor: FolderCursor) async throws -> Page {
    try await backend.answer("page of \(cursor.folder.label)") { cursor.page() }
  }

  func preview(of file: FilePath) async throws -> String {
    try await backend.answer("preview of \(file.label)") { try await FileSystem.preview(of: file) }
  }

  func details(of file: FilePath) async throws -> FileDetails {
    try await backend.answer("details of \(file.label)") { try await FileSystem.details(of: file) }
  }
}
#endif
