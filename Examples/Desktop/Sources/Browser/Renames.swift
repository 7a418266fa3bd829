// SPDX-License-Identifier: MIT
import AsyncState
import AsyncStateGTK
import AsyncStateJournal

/// Another name for a file, in the same folder.
struct Rename: Sendable, Equatable {
  let from, to: String

  /// What takes it back.
  var undo: Rename { Rename(from: to, to: from) }
}

/// Renames files: the list displays the new name at once, and the one before if the backend refuses.
@Gtk final class Renames {
  /// What became of the last one.
  enum Notice: Equatable {
    case renamed(Rename)
    case refused(String)
  }

  /// What a window says until it is closed, or another file is renamed; nil: nothing.
  var notice: Observed<Notice?> { last.observed }

  private let last = Input<Notice?>(nil)
  private let mutation: AsyncMutation<Rename, Void>

  init(in folders: AsyncFamily<String, Listing>, board: AsyncTagBoard, options: LoadOptions, journal: StateJournal) {
    mutation = AsyncMutation(isolation: Gtk.shared, overlap: .queue, options: options) { try await Files.rename($0) }
      .changing({ folders[($0 as Rename).folder] }) { listing, rename in
        guard let index = listing.items.firstIndex(where: { $0.path == rename.from }) else { return }
        listing[index].path = rename.to
      }
      .invalidating(board) { rename, _ in [.folder(rename.folder)] }
    journal.attach(mutation, name: "rename")
  }

  func perform(_ rename: Rename, offersUndo: Bool = true) {
    last.write(nil)
    let task = mutation.perform(rename)
    Task {
      switch await task.outcome() {
      case .success: if offersUndo { last.write(.renamed(rename)) }
      case .failure(let error): last.write(.refused("Not renamed: \(error)"))
      case .cancelled, .superseded, .notRequested: break
      }
    }
  }

  func undo() {
    if case .renamed(let rename) = last.observed.current { perform(rename.undo, offersUndo: false) }
  }

  func closeNotice() { last.write(nil) }
}

extension Rename {
  var folder: String { Entry(id: 0, path: from, isFolder: false).folder }
}

extension AsyncTag {
  static func folder(_ path: String) -> AsyncTag { AsyncTag("folder", path) }
}
