#if os(macOS) || os(Linux)
import AsyncState

/// The cell of one file: shows its name at once, and its details when they are there.
@MainActor
final class FileRow {
  /// What one row is about.
  struct Model: Hashable {
    let entry: FileEntry
    let path: FilePath
  }

  let view = Box(FileRowView())
  private(set) var model: Model?

  private let details = AsyncData<FileDetails>()
  private let service: FolderService

  init(service: FolderService) {
    self.service = service
    view.bind(\.details, to: details.observed.map { determineState($0) }.map(FileRowView.Details.init))
  }
}

extension FileRow: @MainActor ReusableController {
  func configure(with model: Model) {
    self.model = model
    view.unbox.name = "\(model.entry)"
  }

  func willAppear(animated: Bool) {
    guard let path = model?.path else { return }
    details.start { [service] in try await service.details(of: path) }
  }

  func didDisappear(animated: Bool) {
    details.cancel()
  }

  func prepareForReuse() {
    model = nil
    details.reset()
  }
}
#endif
