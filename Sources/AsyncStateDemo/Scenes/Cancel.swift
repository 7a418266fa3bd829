// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// A reload that is cancelled: what was displayed before is displayed again.
struct Cancel: Scene {
  let name = "cancel"
  let summary = "a reload hides the content, and is cancelled"
  let byHand = "the cancel is displayed as an error."
  let library = "the note is back."
  let size = (milliseconds: 1000, lanes: 4)

  func play(on stage: Stage) async throws {
    func fetch() async throws -> [String] {
      try await stage.server.answer("GET note", in: 250) { ["Bread", "Milk"] }
    }
    let byHand = HandWritten()

    // snippet.show
    let note = AsyncResource {
      try await fetch()
    }
    let screen = { note.status }
    // snippet.hide
    stage.journal.attach(note, name: "note")
    stage.display(byHand: { byHand.state }, library: screen)
    byHand.start(fetch)
    // snippet.show
    await note.load()
    // snippet.hide
    try await stage.pause(200)

    stage.user("reloads")
    byHand.start(fetch)
    // snippet.show
    note.reload()
    // snippet.hide
    try await stage.pause(150)

    stage.user("cancels")
    byHand.cancel()
    // snippet.show
    note.cancel()
    // snippet.hide
    try await stage.pause(400)
  }
}
#endif
