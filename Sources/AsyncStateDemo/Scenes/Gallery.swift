// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Four of the statuses of a screen: one after another as the server answers, and side by side without a request, as in
/// previews.
struct Gallery: Scene {
  let name = "gallery"
  let summary = "four statuses of a screen, live and in previews"

  func play(on stage: Stage) async throws {
    let lines = ["such text"]
    let refusal = Refusal("such an error")
    var answers: [Result<[String]?, Refusal>] = [.success(lines), .success(nil), .failure(refusal)]
    func fetch() async throws -> [String]? {
      let answer = answers.removeFirst()
      return try await stage.server.answer("answer", in: 150...350) { try answer.get() }
    }

    // snippet.show
    let text = AsyncResource { try await fetch() }
    let screen = { text.status() }
    let previews: [AsyncSnapshot<[String]>] = [
      .untouched,
      .value(lines),
      .value(nil),
      .failed(refusal),
    ]
    // snippet.hide
    stage.journal.attach(text, name: "text")
    stage.box("live", status: screen)
    for preview in previews {
      let status = preview.status()
      stage.preview("\(status.kind)", status)
    }
    // snippet.show
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
    stage.conclude(library: "loading, data, no data and error; a preview needs no server.")
  }
}
#endif
