// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// A quick answer and a slow one: an indicator that is displayed for a moment is only noise.
struct Flicker: Scene {
  let name = "flicker"
  let summary = "an indicator for a quick answer, and for a slow one"

  func play(on stage: Stage) async throws {
    var lag = 40...60
    func answer() async throws -> [String]? {
      try await stage.server.answer("price", in: lag) { ["€ 12.50"] }
    }
    let byHand = HandWritten()
    let clock = stage.clock

    // snippet.show
    let price = AsyncResource {
      try await answer()
    }
    let paced = PacedStatus(
      price, pacer: DisplayPacer(clock: clock))
    let screen = { paced.status }
    // snippet.hide
    stage.journal.attach(price, name: "resource")
    stage.box("by hand") { byHand.status }
    stage.box("AsyncState", status: screen)

    for (load, next) in [("opens the screen", 40...60), ("reloads", 40...60), ("reloads, and waits", 300...350)] {
      stage.user(load)
      lag = next
      stage.keep(byHand.start(answer))
      // snippet.show
      price.reload()
      // snippet.hide
      try await stage.pause(250)
    }
    try await stage.pause(600)
    stage.conclude(
      byHand: "the indicator flashes at each quick answer.",
      library: "it is displayed for the slow one, long enough to be seen.")
  }
}
#endif
