// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// Moves from folder to folder. The data of the browser: it does not depend on what is displayed.
///
/// Of several folders that are opened quickly the latest wins, and a cancel restores the folder before: both are what
/// ``AsyncData`` does by itself.
@MainActor
final class Navigation {
  /// The current folder.
  let folder = AsyncData<Folder>()
  /// The path of that folder, or of the one that is being opened.
  let location: Observed<FilePath>
  /// The folder that was requested last.
  var destination: Observed<FilePath> { target }

  private let target: Input<FilePath>
  private var startingName: FileName?
  private let service: FolderService

  init(to path: FilePath, service: FolderService) {
    self.service = service
    target = Input(path)
    location = folder.observed.zip(target).map { facts, target in
      if facts.isRunning { return target }
      if let error = facts.error as? FolderError { return error.path }
      return facts.value?.path ?? target
    }
  }

  /// Requests the folder that was requested last. If that request is running already, it is joined; a request for
  /// another folder is superseded, and its answer is never displayed.
  func request() {
    let next = Folder(target.current, startingAt: startingName, service: service)
    folder.start(.reload, id: LoadID(next.path)) {
      try await next.load()
      return next
    }
  }

  /// Opens a folder.
  ///
  /// - Parameter name: The row to begin with.
  func open(_ path: FilePath, startingAt name: FileName? = nil) {
    target.write(path)
    startingName = name
    request()
  }

  /// Opens the folder that this one is in.
  func goUp() {
    let path = location.current
    guard let name = path.name else { return }
    if !folder.isRunning, folder.error != nil, folder.value?.path == path.parent {
      // The value before the error is still there.
      folder.error = nil
    } else {
      open(path.parent, startingAt: name)
    }
  }

  /// Reads the folder again, and keeps its rows meanwhile. Where there are none, it is opened again.
  func refresh() {
    guard let present = presentFolder else { return open(location.current) }
    Task {
      let wasEmpty = present.isEmpty
      await present.refresh()
      // Whether it is empty decides how it is displayed: the same value, set again, is displayed anew.
      if present.isEmpty != wasEmpty, present === presentFolder { folder.value = present }
    }
  }

  /// Cancels the requests for the folder and its pages.
  func cancel() {
    folder.cancel()
    folder.value?.rows.cancel()
  }

  /// The current folder; nil while another is being opened, and where an error is in its place.
  private var presentFolder: Folder? {
    folder.isRunning || folder.error != nil ? nil : folder.value
  }
}
#endif
