// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// A quick answer and a slow one: an indicator that is displayed for a moment is only noise.
struct Flicker: Scene {
  let name = "flicker"
  let summary = "an indicator for a quick answer, and for a slow one"
  let byHand = "the indicator flashes at each quick answer."
  let library = "it is displayed for the slow one, long enough to be seen."
  let size = (milliseconds: 1450, lanes: 4)

  func play(on stage: Stage) async throws {
    var lag = 50
    func answer() async throws -> [String] {
      try await stage.server.answer("GET price", in: lag) { ["€ 12.50"] }
    }
    let byHand = HandWritten()
    let clock = stage.clock

    // snippet.show
    let price = AsyncResource {
      try await answer()
    }
    let paced = PacedStatus(
      price,
      pacer: DisplayPacer(clock: clock))
    let screen = { paced.status }
    // snippet.hide
    stage.journal.attach(price, name: "price")
    stage.display(
      byHand: { byHand.state }, counting: .init(unit: "indicator") { $0.kind == .loading }, library: screen)

    for (load, next) in [("opens it", 50), ("reloads", 50), ("reloads, and waits", 320)] {
      stage.user(load)
      lag = next
      byHand.start(answer)
      // snippet.show
      price.reload()
      // snippet.hide
      try await stage.pause(250)
    }
    try await stage.pause(700)
  }
}
#endif
