// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// A connection that is lost and found again: what is requested without one waits, says so, and is sent when it is back.
struct Offline: Scene {
  let name = "offline"
  let summary = "a request without a network waits for it"

  func play(on stage: Stage) async throws {
    func fetch() async throws -> [String]? {
      try await stage.server.answer("request", in: 60...90) { ["Rain", "Sun"] }
    }
    let clock = stage.clock

    // snippet.show
    let online = LoadGate()
    let news = AsyncResource(
      options: LoadOptions(clock: clock, gate: online)
    ) {
      try await fetch()
    }
    // snippet.hide
    stage.journal.attach(news, name: "news")
    // snippet.show
    let screen = { news.status() }
    // snippet.hide
    stage.box("screen", status: screen)

    stage.user("loses the network")
    online.close()
    let first = news.start()
    try await stage.pause(200)
    stage.user("has a network again")
    online.open()
    _ = await first.outcome()
    try await stage.pause(100)
    stage.user("loses the network")
    online.close()
    stage.user("reloads: the content stays")
    let second = news.reload()
    try await stage.pause(150)
    online.open()
    _ = await second.outcome()
    stage.conclude(library: "no error, no endless indicator, and one request each time.")
  }
}
#endif
