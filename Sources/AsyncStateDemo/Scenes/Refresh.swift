// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// A refresh keeps the content, and so does its failure.
struct Refresh: Scene {
  let name = "refresh"
  let summary = "the content stays during a refresh, and beside its failure"
  let byHand = "the letters disappear, and a failure takes their place."
  let library = "the letters stay, and the failure stands beside them."
  let size = (milliseconds: 1260, lanes: 4)

  func play(on stage: Stage) async throws {
    var letters: [String]? = ["Hi"]
    func fetch() async throws -> [String] {
      try await stage.server.answer("letters", in: 170) {
        guard let letters else { throw Refusal("closed") }
        return letters
      }
    }
    let byHand = HandWritten()

    // snippet.show
    let inbox = AsyncResource {
      try await fetch()
    }
    let screen = { inbox.status }
    let banner = { inbox.error }
    // snippet.hide
    stage.journal.attach(inbox, name: "inbox")
    stage.display(byHand: { byHand.state }, beside: banner, library: screen)
    byHand.start(fetch)
    // snippet.show
    await inbox.load()
    // snippet.hide

    for next in [["Hi", "News"], nil] {
      try await stage.pause(200)
      letters = next
      stage.user("refreshes")
      byHand.start(fetch)
      // snippet.show
      await inbox.load()
      // snippet.hide
    }
    try await stage.pause(350)
  }
}
#endif
