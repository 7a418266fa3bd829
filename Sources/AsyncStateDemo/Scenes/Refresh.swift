// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// A refresh keeps the content, and so does its failure.
struct Refresh: Scene {
  let name = "refresh"
  let summary = "the content stays during a refresh, and beside its failure"

  func play(on stage: Stage) async throws {
    var letters: [String]? = ["Hello!"]
    func fetch() async throws -> [String]? {
      try await stage.server.answer("letters", in: 200...300) {
        guard let letters else { throw Refusal("The server is closed") }
        return letters
      }
    }
    let byHand = HandWritten()

    // snippet.show
    let inbox = AsyncResource {
      try await fetch()
    }
    let screen = { inbox.status() }
    let banner = { inbox.error }
    // snippet.hide
    stage.journal.attach(inbox, name: "inbox")
    stage.box("by hand") { byHand.status }
    stage.box("AsyncState", beside: banner, status: screen)
    stage.keep(byHand.start(fetch))
    // snippet.show
    await inbox.load()
    // snippet.hide

    for next in [["Hello!", "News!"], nil] {
      try await stage.pause(150)
      letters = next
      stage.user("refreshes")
      stage.keep(byHand.start(fetch))
      // snippet.show
      await inbox.load()
      // snippet.hide
    }
    try await stage.pause(300)
    stage.conclude(
      byHand: "the letters disappear, and a failure takes their place.",
      library: "the letters stay, and the failure stands beside them.")
  }
}
#endif
