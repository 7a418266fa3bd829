// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Two changes that are displayed at once; one of them fails, and is taken back alone.
struct Like: Scene {
  let name = "like"
  let summary = "two optimistic changes, of which one fails"

  func play(on stage: Stage) async throws {
    func send(_ city: String) async throws {
      try await stage.server.answer("like \(city)", in: city == "Rome" ? 400...500 : 200...300) {
        if city == "Rome" { throw Refusal("Rome was removed") }
        return nil
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
    stage.box("by hand") { .data(lines(of: byHand.cities)) }
    stage.box("AsyncState") { cities.snapshot.status().map(lines) }

    try await stage.pause(100)
    for city in ["Rome", "Oslo"] {
      stage.user("likes \(city)")
      stage.keep(Task { await byHand.like(city, send: send) })
      stage.keep(Task { await like(city) })
      try await stage.pause(100)
    }
    try await stage.pause(500)
    stage.conclude(byHand: "the like for Oslo is lost, too.", library: "only the like for Rome is taken back.")
  }
}

private func lines(of cities: [String: Bool]) -> [String] {
  cities.sorted { $0.key < $1.key }.map { city, isLiked in isLiked ? "♥ \(city)" : "♡ \(city)" }
}
#endif
