#if os(macOS) || os(Linux)
import AsyncState

/// Real folders: an error of the disk is an error, and a reload recovers from it.
struct Files: Scene {
  let name = "files"
  let summary = "folders of the disk: one that exists, and one that does not"

  func play(on stage: Stage) async throws {
    func open(_ folder: FilePath) async throws -> [String]? {
      try await stage.server.answer("read \(folder.label)", in: 150...300) {
        try FileSystem.sortedEntries(of: folder).map(\.description)
      }
    }

    // snippet.show
    let folder = Input<FilePath?>(stage.folder)
    let entries = AsyncResource(following: folder) {
      try await open($0)
    }
    // snippet.hide
    stage.journal.attach(folder, name: "folder")
    stage.journal.attach(entries, name: "entries")
    // snippet.show
    stage.box("screen") {
      entries.status(policy: .emptyIsNoData())
    }
    await entries.load()
    // snippet.hide
    for next in [stage.folder.appending("missing"), stage.folder] {
      try await stage.pause(250)
      stage.user("opens \(next.label)")
      folder.write(next)
      await entries.load()
    }
    try await stage.pause(200)
    stage.conclude(library: "the data of one folder are never displayed for another.")
  }
}
#endif
