// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// One folder: its rows, as many pages as were requested.
@MainActor
final class Folder {
  let path: FilePath
  let rows = AsyncData<Paged<FileEntry, FolderCursor>>()
  /// The row to begin with.
  let startingName: FileName?

  private let service: FolderService

  init(_ path: FilePath, startingAt name: FileName? = nil, service: FolderService) {
    self.path = path
    startingName = name
    self.service = service
  }

  var isEmpty: Bool { rows.value?.items.isEmpty ?? true }

  /// Reads the first page. When no caller waits for it any more, it is cancelled.
  ///
  /// - Throws: ``FolderError``, or `CancellationError`.
  func load() async throws {
    let outcome = await rows.loadFirst { [service, path, startingName] _ in
      try await service.firstPage(of: path, reaching: startingName)
    }
    if case .failure(let error) = outcome { throw FolderError(path: path, reason: error) }
    _ = try outcome.get()
  }

  /// Reads the folder again, and keeps its rows until the answer arrives, and if it is an error.
  func refresh() async {
    let count = rows.value?.items.count ?? 0
    await rows.loadFirst(.refresh) { [service, path] _ in try await service.firstPage(of: path, atLeast: count) }
  }

  /// Reads the next page; returns when it has arrived.
  ///
  /// - Returns: Whether the last page may not have been reached.
  func loadNext() async -> Bool {
    let outcome = await rows.loadNext { [service] in try await service.page(at: $0) }
    guard case .success(let pages?) = outcome else { return false }
    return pages.next != nil
  }

  /// Requests more when the end is near.
  func noteDisplay(of index: Int) {
    guard !rows.isRunning, let pages = rows.value, pages.wantsNextPage(displaying: index, threshold: 50) else { return }
    Task { await loadNext() }
  }
}

/// A folder could not be opened.
struct FolderError: Error, CustomStringConvertible {
  let path: FilePath
  let reason: any Error

  var description: String { "\(reason)" }
}
#endif
