// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Real folders, and a race between them: a folder that does not exist is opened, and left before its error arrives.
struct Files: Scene {
  let name = "files"
  let summary = "folders of the disk: the error of another one arrives last"

  func play(on stage: Stage) async throws {
    let home = stage.folder
    let missing = home.appending("missing")
    func open(_ folder: FilePath) async throws -> [String]? {
      let lag = folder == home ? 150...250 : 400...500
      return try await stage.server.answer("read \(folder.label)", in: lag, isDeaf: true) {
        let names = try FileSystem.sortedEntries(of: folder).map(\.description)
        return names.isEmpty ? nil : names
      }
    }
    let byHand = HandWritten()

    // snippet.show
    let path = Input<FilePath?>(home)
    let list = AsyncResource(following: path) {
      try await open($0)
    }
    let screen = { list.status() }
    // snippet.hide
    stage.journal.attach(path, name: "path")
    stage.journal.attach(list, name: "list")
    stage.box("by hand") { byHand.status }
    stage.box("AsyncState", status: screen)
    stage.keep(byHand.start { try await open(home) })
    // snippet.show
    await list.load()
    // snippet.hide
    for next in [missing, home] {
      try await stage.pause(150)
      stage.user("opens \(next.label)")
      // snippet.show
      path.write(next)
      // snippet.hide
      stage.keep(byHand.start { try await open(next) })
    }
    try await stage.pause(550)
    stage.conclude(
      byHand: "the error of the folder that was left is displayed.",
      library: "the folder that was opened last is displayed.")
  }
}
#endif
