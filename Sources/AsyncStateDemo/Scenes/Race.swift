// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Two requests, of which the older one is answered last. Its answer must not be displayed.
struct Race: Scene {
  let name = "race"
  let summary = "the answer to an older request arrives last"

  func play(on stage: Stage) async throws {
    let birds = ["sparrow", "swallow", "swan", "wren"]
    func search(_ text: String) async throws -> [String]? {
      let lag = text == "s" ? 600...700 : 150...250
      return try await stage.server.answer("search “\(text)”", in: lag, isDeaf: true) {
        birds.filter { $0.hasPrefix(text) }
      }
    }
    let byHand = HandWritten()

    // snippet.show
    let text = Input<String?>(nil)
    let list = AsyncResource(following: text) {
      try await search($0)
    }
    let screen = { list.status() }
    // snippet.hide
    stage.journal.attach(text, name: "text")
    stage.journal.attach(list, name: "list")
    stage.box("by hand") { byHand.status }
    stage.box("AsyncState", status: screen)
    // snippet.show
    list.start()
    // snippet.hide
    for typed in ["s", "sw"] {
      stage.user("types “\(typed)”")
      // snippet.show
      text.write(typed)
      // snippet.hide
      stage.keep(byHand.start { try await search(typed) })
      try await stage.pause(200)
    }
    try await stage.pause(500)
    stage.conclude(
      byHand: "the text is “sw”, and the list is that of “s”.", library: "the list is that of the text.")
  }
}
#endif
