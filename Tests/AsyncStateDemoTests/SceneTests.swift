// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Testing

@testable import AsyncStateDemo

@Suite("The scenes")
@MainActor
struct SceneTests {
  /// The smallest and the largest screen, and those at which something is left out or moves: the lanes with fewer than 28
  /// columns, code of both halves side by side with fewer than 80 or 120, the summary below the title with fewer than 20 rows,
  /// and boxes, code and lanes one after another as rows are taken away.
  private static let sizes = [
    (1, 1), (1, 40), (2, 2), (12, 5), (27, 24), (28, 10), (60, 19), (80, 20), (80, 24), (120, 1), (120, 40),
  ].map { Size(columns: $0, rows: $1) }

  // Each scene is played once, beside the others: a step of its clock waits for all that is ready on the main actor.
  @Test(
    "A scene is as long as its axis, has the lanes that the screen expects, and fits into every frame",
    arguments: 0..<10)
  func played(index: Int) async throws {
    let playing = Playing(Programme.scenes[index], speed: 1000)
    try await playing.play()
    #expect(playing.time.milliseconds == playing.scene.size.milliseconds)
    #expect(playing.stage.recording.lanes.count == playing.scene.size.lanes)
    for size in Self.sizes {
      let frame = SceneFrame(playing: playing, position: "1 of 10", footer: Row("q quit"), size: size).frame
      let isRight =
        frame.rows.count == size.rows && frame.rows.allSatisfy { $0.endColumn <= size.columns }
        && frame.rows.last?.plainText == "q quit".truncated(toColumns: size.columns)
      #expect(isRight, "\(size.columns) columns, \(size.rows) rows")
    }
  }

  @Test("There are as many scenes as are played here, and each has code of both halves")
  func code() {
    #expect(Programme.scenes.count == 10)
    #expect(Programme.scenes.allSatisfy { $0.code.count > 2 && $0.codeByHand.contains { $0.hasPrefix("✗") } })
  }
}
#endif
