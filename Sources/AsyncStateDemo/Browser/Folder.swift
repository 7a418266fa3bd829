#if os(macOS) || os(Linux)
import AsyncState

/// What is known of one folder: its rows, as many pages as were asked for.
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

  /// Reads the first page. When nobody waits for it any more, it is given up.
  ///
  /// - Throws: ``FolderError``, or `CancellationError`.
  func load() async throws {
    let outcome = await rows.loadFirst { [service, path, startingName] _ in
      try await service.firstPage(of: path, reaching: startingName)
    }
    if case .failure(let error) = outcome { throw FolderError(path: path, reason: error) }
    _ = try outcome.get()
  }

  /// Reads the folder again, and keeps what is known until the answer is there, and if it is an error.
  func refresh() async {
    let count = rows.value?.items.count ?? 0
    await rows.loadFirst(.refresh) { [service, path] _ in try await service.firstPage(of: path, atLeast: count) }
  }

  /// Asks for more when the end comes near.
  func noteDisplay(of index: Int) {
    guard !rows.isRunning, let pages = rows.value, pages.wantsNextPage(displaying: index, threshold: 50) else { return }
    Task { [rows, service] in await rows.loadNext { try await service.page(at: $0) } }
  }
}

/// A folder could not be opened.
struct FolderError: Error, CustomStringConvertible {
  let path: FilePath
  let reason: any Error

  var description: String { "\(reason)" }
}
#endif
