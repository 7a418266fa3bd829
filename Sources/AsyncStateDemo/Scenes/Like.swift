// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// Two changes that are displayed at once; one of them fails, and is taken back alone.
struct Like: Scene {
  let name = "like"
  let summary = "two optimistic changes, of which one fails"
  let byHand = "the like for Oslo is lost, too."
  let library = "only the like for Rome is taken back."
  let size = (milliseconds: 900, lanes: 6)

  func play(on stage: Stage) async throws {
    func send(_ city: String) async throws {
      try await stage.server.answer("like \(city)", in: city == "Rome" ? 450 : 200) {
        if city == "Rome" { throw Refusal("Rome was removed") }
        return []
      }
    }
    let byHand = HandWrittenLikes()

    let cities = AsyncData<[String: Bool]>(seed: ["Oslo": false, "Rome": false])
    func like(_ city: String) async {
      // snippet.show
      await cities.mutate {
        $0[city] = true
      } commit: {
        try await send(city)
      }
      // snippet.hide
    }
    stage.journal.attach(cities, name: "cities")
    stage.display(
      byHand: { .data(lines(of: byHand.cities)) }, library: { cities.snapshot.status.map(lines) })

    try await stage.pause(100)
    for city in ["Rome", "Oslo"] {
      stage.user("likes \(city)")
      Task { await byHand.like(city, send: send) }
      Task { await like(city) }
      try await stage.pause(150)
    }
    try await stage.pause(500)
  }
}

private func lines(of cities: [String: Bool]) -> [String] {
  cities.sorted { $0.key < $1.key }.map { city, isLiked in isLiked ? "♥ \(city)" : "♡ \(city)" }
}
#endif
