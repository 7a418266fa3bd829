// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Lists a folder in lines: the browser where there is no terminal.
@MainActor
final class PlainListing {
  private let entries: AsyncResource<[FileEntry]>
  private let path: FilePath
  private var failure: OutputError?

  init(of path: FilePath, through service: FolderService) {
    self.path = path
    entries = AsyncResource { try await service.entries(of: path) }
  }

  /// Prints each status when it is determined, and returns when the listing is complete.
  ///
  /// - Throws: Why the folder cannot be listed, or the list not be written.
  func print() async throws {
    let host = AsyncHost(entries, policy: .emptyIsNoData())
    host.presenter = self
    let outcome = await host.start().outcome()
    if let failure { throw failure }
    _ = try outcome.get()
  }

  private func write(_ line: String) {
    guard failure == nil else { return }
    do throws(OutputError) { try StandardStream.output.write(line + "\n") } catch { failure = error }
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

  func transitionToIdle(animated: Bool) {
    write("\(path): not read")
  }

  func transitionToWaiting(animated: Bool) {
    write("\(path): waiting")
  }

  func transitionToData(_ entries: [FileEntry], animated: Bool) {
    write("\(path): data")
    write(entries.map { "  \($0)" }.joined(separator: "\n"))
  }
}
#endif
