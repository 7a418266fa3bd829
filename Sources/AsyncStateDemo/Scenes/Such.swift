#if os(macOS) || os(Linux)
import AsyncState

/// The four statuses of a screen: loading, data, no data, error.
struct Such: Scene {
  let name = "such"
  let summary = "a slow answer: a text, nothing, or an error"

  func play(on stage: Stage) async throws {
    var answers: [Result<[String]?, Refusal>] = [
      .success(["such text"]), .success(nil), .failure(Refusal("such an error")),
    ]
    func fetch() async throws -> [String]? {
      let answer = answers.removeFirst()
      return try await stage.server.answer("answer", in: 150...350) { try answer.get() }
    }

    // snippet.show
    let text = AsyncResource {
      try await fetch()
    }
    stage.journal.attach(text, name: "text")
    stage.box("screen") { text.status() }
    await text.load()
    // snippet.hide
    for _ in answers {
      try await stage.pause(200)
      stage.user("reloads")
      // snippet.show
      await text.reload().outcome()
      // snippet.hide
    }
    try await stage.pause(200)
    stage.conclude(library: "loading, data, no data and error, and nothing in between.")
  }
}
#endif
