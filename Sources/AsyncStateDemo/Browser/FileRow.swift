// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateLists
import AsyncState

/// The cell of one file: displays its name at once, and its details when they arrive.
@MainActor
final class FileRow {
  /// The file of a row.
  struct Model: Hashable {
    let entry: FileEntry
    let path: FilePath
  }

  let view = Box(FileRowView())
  private(set) var model: Model?

  let details = AsyncData<FileDetails>()
  private let service: FolderService

  init(service: FolderService) {
    self.service = service
    let status = details.observed.map { determineState($0, policy: DisplayPolicy(idle: .idle)) }
    view.bind(\.details, to: status.map(FileRowView.Details.init))
  }
}

extension FileRow {
  /// Requests the details; those that are displayed stay until the new ones arrive.
  func load(_ mode: LoadMode = .reload) {
    guard let path = model?.path else { return }
    details.start(mode) { [service] in try await service.details(of: path) }
  }

  /// Cancels the request for the details.
  func cancel() {
    details.cancel()
  }
}

extension FileRow: @MainActor ReusableController {
  func configure(with model: Model) {
    self.model = model
    view.unbox.name = "\(model.entry)"
  }

  func willAppear(animated: Bool) {
    load()
  }

  func didDisappear(animated: Bool) {
    cancel()
  }

  func prepareForReuse() {
    model = nil
    details.reset()
  }
}
#endif
