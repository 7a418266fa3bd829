// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// A reload that is cancelled: what was displayed before is displayed again.
struct Cancel: Scene {
  let name = "cancel"
  let summary = "a reload hides the content, and is cancelled"

  func play(on stage: Stage) async throws {
    func fetch() async throws -> [String]? {
      try await stage.server.answer("note", in: 250...350) { ["Buy bread.", "Call home."] }
    }
    let byHand = HandWritten()

    // snippet.show
    let note = AsyncResource {
      try await fetch()
    }
    let screen = { note.status() }
    // snippet.hide
    stage.journal.attach(note, name: "resource")
    stage.box("by hand") { byHand.status }
    stage.box("AsyncState", status: screen)
    stage.keep(byHand.start(fetch))
    // snippet.show
    await note.load()
    // snippet.hide
    try await stage.pause(200)

    stage.user("reloads")
    let task = byHand.start(fetch)
    // snippet.show
    note.reload()
    // snippet.hide
    try await stage.pause(150)

    stage.user("cancels")
    task.cancel()
    // snippet.show
    note.cancel()
    // snippet.hide
    try await stage.pause(300)
    stage.conclude(byHand: "a cancel is displayed as an error.", library: "the note is back.")
  }
}
#endif
