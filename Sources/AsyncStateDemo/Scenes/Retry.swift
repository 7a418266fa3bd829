// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// A load that fails is tried again, later each time; meanwhile it is loading, and there is no error.
struct Retry: Scene {
  let name = "retry"
  let summary = "a load that fails is tried again, later each time"

  func play(on stage: Stage) async throws {
    var isReady = false
    func fetch() async throws -> [String]? {
      try await stage.server.answer("request", in: 40...90) {
        guard isReady else { throw Refusal("The report is not written yet") }
        return ["All is well."]
      }
    }

    let clock = stage.clock

    // snippet.show
    let text = AsyncResource(
      options: LoadOptions(
        retry: .exponential(
          first: .milliseconds(100), retries: 4,
          jitter: { $0 }),
        clock: clock)
    ) {
      try await fetch()
    }
    // snippet.hide
    stage.journal.attach(text, name: "report")
    // snippet.show
    let screen = { text.status() }
    let banner = { text.snapshot.activity?.lastFailure }
    // snippet.hide
    stage.box("screen", beside: banner, status: screen)
    let load = text.start()

    try await stage.pause(650)
    stage.user("writes the report")
    isReady = true
    _ = await load.outcome()
    stage.conclude(library: "four attempts, and one answer.")
  }
}
#endif
