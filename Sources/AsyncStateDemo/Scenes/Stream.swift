// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Values before the answer, and the progress of the load.
struct Stream: Scene {
  let name = "stream"
  let summary = "an answer that arrives in parts, with progress"

  func play(on stage: Stage) async throws {
    let lines = ["I wandered lonely", "as a cloud", "that floats on high", "o'er vales and hills"]
    func pages(upTo count: Int) async throws -> [String] {
      try await stage.server.answer("pages", in: 100...250) { Array(lines.prefix(count)) } ?? []
    }

    // snippet.show
    let poem = AsyncResource { reporter in
      for index in 1...4 {
        let lines = try await pages(upTo: index)
        try reporter.yield(lines)
        reporter.report(progress: Double(index) / 4)
      }
      return reporter.current
    }
    let screen = { poem.status() }
    // snippet.hide
    stage.journal.attach(poem, name: "poem")
    stage.box("screen", status: screen)
    stage.box("progress") {
      let progress = poem.snapshot.activity?.progress.map { "\(Int($0 * 100)) %" }
      return .data([progress ?? (poem.isRunning || poem.snapshot.isIdle ? "not known" : "complete")])
    }
    await poem.load()
    stage.conclude(library: "each part is displayed as it arrives, provisional until the end.")
  }
}
#endif
