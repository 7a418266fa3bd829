// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// Two requests, of which the older one does not heed its cancel, and is answered last.
struct Race: Scene {
  let name = "race"
  let summary = "a cancelled request answers all the same, and last"
  let byHand = "the text is “sw”, and the list is that of “s”."
  let library = "the list is that of the text."
  let size = (milliseconds: 900, lanes: 6)

  func play(on stage: Stage) async throws {
    let birds = ["sparrow", "swan", "wren"]
    func search(_ text: String) async throws -> [String] {
      try await stage.server.answer("search “\(text)”", in: text == "s" ? 600 : 200, isDeaf: true) {
        birds.filter { $0.hasPrefix(text) }
      }
    }
    let byHand = HandWritten()

    // snippet.show
    let text = Input<String?>(nil)
    let list = AsyncResource(
      following: text
    ) { try await search($0) }
    let screen = { list.status }
    // snippet.hide
    stage.journal.attach(text, name: "text")
    stage.journal.attach(list, name: "list")
    stage.display(
      byHand: { byHand.state }, requested: { "Search: \(text.current ?? "")" }, library: screen)
    // snippet.show
    list.start()
    // snippet.hide
    for typed in ["s", "sw"] {
      stage.user("types “\(typed)”")
      // snippet.show
      text.write(typed)
      // snippet.hide
      byHand.start { try await search(typed) }
      try await stage.pause(200)
    }
    try await stage.pause(500)
  }
}
#endif
