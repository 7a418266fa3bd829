#if os(macOS) || os(Linux)
import AsyncState

/// Goes from folder to folder. The facts of the browser: it knows nothing of what is shown.
///
/// Of several folders that are opened quickly the latest wins, and a cancel leads back to where one was: both are what
/// ``AsyncData`` does by itself.
@MainActor
final class Navigation {
  /// The folder that one is in, as far as it is known.
  let folder = AsyncData<Folder>()
  /// The way to that folder, or to the one that is being opened.
  let location: Observed<FilePath>
  /// The folder that was asked for last.
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

  /// Asks for the folder that was asked for last. If it is under way already, that request is joined; a request for
  /// another one is superseded, and its answer never shown.
  func request() {
    let next = Folder(target.value, startingAt: startingName, service: service)
    folder.start(id: LoadID(next.path)) {
      try await next.load()
      return next
    }
  }

  /// Goes to a folder.
  ///
  /// - Parameter name: The row to begin with.
  func open(_ path: FilePath, startingAt name: FileName? = nil) {
    target.write(path)
    startingName = name
    request()
  }

  /// Goes to the folder that this one is in.
  func goUp() {
    let path = location.value
    guard let name = path.name else { return }
    if !folder.isRunning, folder.error != nil, folder.value?.path == path.parent {
      // What was there before the error is still known.
      folder.error = nil
    } else {
      open(path.parent, startingAt: name)
    }
  }

  /// Reads the folder again, and keeps its rows meanwhile. Where there are none, it is opened again.
  func refresh() {
    guard let present = presentFolder else { return open(location.value) }
    Task {
      let wasEmpty = present.isEmpty
      await present.refresh()
      // Whether it is empty decides how it is shown: the same value, set again, is shown anew.
      if present.isEmpty != wasEmpty, present === presentFolder { folder.value = present }
    }
  }

  /// Gives up whatever is under way.
  func cancel() {
    folder.cancel()
    folder.value?.rows.cancel()
  }

  /// The folder that one is in; nil while another is being opened, and where an error is in its place.
  private var presentFolder: Folder? {
    folder.isRunning || folder.error != nil ? nil : folder.value
  }
}
#endif
