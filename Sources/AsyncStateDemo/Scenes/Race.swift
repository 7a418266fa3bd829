#if os(macOS) || os(Linux)
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
    stage.box("by hand") { byHand.status }

    // snippet.show
    let text = Input<String?>(nil)
    let results = AsyncResource(following: text) {
      try await search($0)
    }
    stage.journal.attach(results, name: "results")
    results.start()
    stage.box("AsyncState") { results.status() }
    // snippet.hide
    stage.journal.attach(text, name: "text")

    for typed in ["s", "sw"] {
      stage.user("types “\(typed)”")
      text.write(typed)
      stage.keep(byHand.load { try await search(typed) })
      try await stage.pause(200)
    }
    try await stage.pause(500)
    stage.conclude(
      byHand: "the text is “sw”, and the list is that of “s”.", library: "the list is that of the text.")
  }
}
#endif
