#if os(macOS) || os(Linux)
import AsyncState

/// Lists a folder in lines: the browser where there is no terminal.
@MainActor
final class PlainListing {
  private let entries = AsyncData<[FileEntry]>()
  private let path: FilePath
  private let service: FolderService

  init(of path: FilePath, through service: FolderService) {
    self.path = path
    self.service = service
  }

  /// Prints each status as it comes, and returns when the listing is complete.
  ///
  /// - Throws: Why the folder cannot be listed.
  func print() async throws {
    let host = AsyncHost(
      data: entries, policy: .emptyIsNoData(),
      request: { [service, path] data, mode in data.start(mode) { try await service.entries(of: path) } })
    host.presenter = self
    host.load()
    await entries.settled()
    if let error = entries.error { throw error }
  }

  private func write(_ line: String) {
    StandardStream.output.write(line + "\n")
  }
}

extension PlainListing: @MainActor AsyncStatusPresenter {
  func transitionToLoading(animated: Bool) {
    write("\(path): loading")
  }

  func transitionToError(_ error: any Error, animated: Bool) {
    write("\(path): error")
  }

  func transitionToNoData(animated: Bool) {
    write("\(path): no data")
  }

  func transitionToData(_ entries: [FileEntry], animated: Bool) {
    write("\(path): data")
    write(entries.map { "  \($0)" }.joined(separator: "\n"))
  }
}
#endif
