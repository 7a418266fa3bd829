// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// A connection that is found again: what was requested without one waits, says so, and is sent when it is back.
struct Offline: Scene {
  let name = "offline"
  let summary = "a request without a network waits for it"
  let byHand = "the error stays, though the network is back."
  let library = "no error, no endless indicator, and one request."
  let size = (milliseconds: 850, lanes: 5)

  func play(on stage: Stage) async throws {
    var isOnline = false
    func fetch() async throws -> [String] {
      guard isOnline else { throw Refusal("No network") }
      return try await stage.server.answer("request", in: 120) { ["Rain", "Sun"] }
    }
    let byHand = HandWritten()
    let clock = stage.clock

    // snippet.show
    let online = LoadGate()
    let news = AsyncResource(
      options: LoadOptions(
        clock: clock, gate: online)
    ) { try await fetch() }
    let screen = { news.status }
    // snippet.hide
    stage.journal.attach(news, name: "news")
    stage.display(byHand: { byHand.state }, library: screen)
    online.close()
    stage.user("opens it in a tunnel")
    byHand.start(fetch)
    let load = news.start()

    try await stage.pause(350)
    stage.user("has a network again")
    isOnline = true
    // snippet.show
    online.open()
    // snippet.hide
    _ = await load.outcome()
    try await stage.pause(380)
  }
}
#endif
