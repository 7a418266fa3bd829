// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import AsyncStateJournal

/// Values before the answer, and the progress of the load.
struct Stream: Scene {
  let name = "stream"
  let summary = "an answer that arrives in parts, with progress"
  let byHand = "nothing is displayed until the last part."
  let library = "each part is displayed as it arrives, with the progress."
  let size = (milliseconds: 1000, lanes: 4)

  func play(on stage: Stage) async throws {
    let lines = ["I wandered lonely", "as a cloud", "that floats on high", "o'er vales and hills"]
    func read(_ part: Double) async throws -> [String] {
      try await stage.server.answer("pages", in: 180) { Array(lines.prefix(Int(part * 4))) }
    }
    let byHand = HandWritten()

    // snippet.show
    let poem = AsyncResource(
      .value { load in
        for part in [0.25, 0.5, 0.75, 1] {
          try await load.yield(read(part))
          load.report(progress: part)
        }
        return load.current
      })
    let screen = { poem.status() }
    // snippet.hide
    stage.journal.attach(poem, name: "poem")
    stage.display(byHand: { byHand.state }, counting: .init(unit: "update") { $0.kind == .data }) {
      let progress = poem.snapshot.activity?.progress.map { ["\(Int($0 * 100)) %"] } ?? []
      return screen().map { progress + $0 }
    }
    byHand.start {
      var text: [String] = []
      for part in [0.25, 0.5, 0.75, 1] { text = try await read(part) }
      return text
    }
    await poem.load()
    try await stage.pause(280)
  }
}
#endif
