// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// An answer without content, which a screen has to say.
struct Empty: Scene {
  let name = "empty"
  let summary = "an answer without content"
  let byHand = "a list of nothing is a blank screen."
  let library = "the screen says that nothing is here."
  let size = (milliseconds: 1100, lanes: 4)

  func play(on stage: Stage) async throws {
    var letters = ["Hi"]
    func fetch() async throws -> [String] {
      try await stage.server.answer("letters", in: 250) { letters }
    }
    let byHand = HandWritten()

    // snippet.show
    let inbox = AsyncResource {
      try await fetch()
    }
    let screen = {
      inbox.status(
        policy: .emptyIsNoData())
    }
    // snippet.hide
    stage.journal.attach(inbox, name: "inbox")
    stage.display(byHand: { byHand.state }, library: screen)
    byHand.start(fetch)
    // snippet.show
    await inbox.load()
    // snippet.hide
    try await stage.pause(200)

    letters = []
    stage.user("removes all letters, and reloads")
    byHand.start(fetch)
    // snippet.show
    await inbox.reload().outcome()
    // snippet.hide
    try await stage.pause(400)
  }
}
#endif
