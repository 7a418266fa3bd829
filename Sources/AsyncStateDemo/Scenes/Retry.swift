// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// A load that fails is tried again, later each time; meanwhile it is loading, and there is no error.
struct Retry: Scene {
  let name = "retry"
  let summary = "a load that fails is tried again, later each time"
  let byHand = "the first failure stays, until a person taps again."
  let library = "four attempts, and one answer."
  let size = (milliseconds: 1180, lanes: 5)

  func play(on stage: Stage) async throws {
    var isReady = false
    func fetch() async throws -> [String] {
      try await stage.server.answer("request", in: 60) {
        guard isReady else { throw Refusal("The report is not written yet") }
        return ["All is well."]
      }
    }
    let byHand = HandWritten()
    let clock = stage.clock

    // snippet.show
    let text = AsyncResource(
      options: LoadOptions(
        retry: .exponential(
          first: .milliseconds(100),
          retries: 4, jitter: { $0 }),
        clock: clock)
    ) { try await fetch() }
    let screen = { text.status }
    // snippet.hide
    stage.journal.attach(text, name: "report")
    stage.display(byHand: { byHand.state }, library: screen)
    byHand.start(fetch)
    let load = text.start()

    try await stage.pause(650)
    stage.user("writes the report")
    isReady = true
    _ = await load.outcome()
    try await stage.pause(240)
  }
}
#endif
