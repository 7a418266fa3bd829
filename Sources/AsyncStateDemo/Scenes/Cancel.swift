#if os(macOS) || os(Linux)
import AsyncState

/// A reload that is cancelled: what was displayed before is displayed again.
struct Cancel: Scene {
  let name = "cancel"
  let summary = "a reload hides the content, and is cancelled"

  func play(on stage: Stage) async throws {
    func note() async throws -> [String]? {
      try await stage.server.answer("note", in: 250...350) { ["Buy bread.", "Call home."] }
    }
    let byHand = HandWritten()
    stage.box("by hand") { byHand.status }

    stage.keep(byHand.load(note))

    // snippet.show
    let resource = AsyncResource {
      try await note()
    }
    stage.journal.attach(resource, name: "resource")
    stage.box("AsyncState") { resource.status() }
    await resource.load()
    // snippet.hide
    try await stage.pause(200)

    stage.user("reloads")
    let task = byHand.load(note)
    // snippet.show
    resource.reload()
    // snippet.hide
    try await stage.pause(150)

    stage.user("cancels")
    task.cancel()
    // snippet.show
    resource.cancel()
    // snippet.hide
    try await stage.pause(300)
    stage.conclude(byHand: "a cancel is displayed as an error.", library: "the note is back.")
  }
}
#endif
