#if os(macOS) || os(Linux)
import AsyncState

/// The four statuses of a screen side by side, without a request: as in previews.
struct Gallery: Scene {
  let name = "gallery"
  let summary = "the four statuses of a screen, as in a preview"

  func play(on stage: Stage) async throws {
    let articles = ["Rain", "Sun", "Wind"]

    // snippet.show
    let gallery: [AsyncSnapshot<[String]>] = [
      AsyncSnapshot(),
      AsyncSnapshot(value: articles),
      AsyncSnapshot(value: []),
      AsyncSnapshot(error: Refusal("No connection")),
    ]
    let screens = gallery.map { AsyncData(snapshot: $0) }
    // snippet.hide
    for screen in screens {
      let status = screen.snapshot.status(policy: .emptyIsNoData())
      stage.box("\(status.kind)") { status }
    }
    try await stage.pause(1000)
    stage.conclude(library: "a preview has data in any state, and needs no server.")
  }
}
#endif
