// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// The preview of one file: its size and its first line, beside the list.
@MainActor
final class FilePreview {
  private let file = Input<FilePath?>(nil)
  private let content: AsyncResource<String>

  init(service: FolderService) {
    content = AsyncResource(following: file) { file in
      try await "\(service.details(of: file)): \(service.preview(of: file))"
    }
    content.start()
  }

  /// The text that is displayed; empty while no file is open.
  var text: Observed<String> {
    content.observed.zip(file).map { content, file in
      guard let file else { return "" }
      switch content.status() {
      case .loading: return "\(file.label): loading …"
      case .error(let error): return "✗ \(error)"
      case .data(let text): return "\(file.label), \(text)"
      case .noData, .idle, .waiting: return ""
      }
    }
  }

  func open(_ path: FilePath) {
    file.write(path)
  }

  func close() {
    file.write(nil)
  }
}
#endif
