// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Testing

@testable import AsyncStateDemo

@Suite("The scenes")
@MainActor
struct SceneTests {
  @Test("A scene is as long as its axis, and has as many lanes as the screen expects", arguments: 0..<10)
  func size(index: Int) async throws {
    let playing = Playing(Programme.scenes[index], speed: 1000)
    try await playing.play()
    #expect(playing.time.milliseconds == playing.scene.size.milliseconds)
    #expect(playing.stage.recording.lanes.count == playing.scene.size.lanes)
  }

  @Test("There are as many scenes as are played here, and each has code of both halves")
  func code() {
    #expect(Programme.scenes.count == 10)
    #expect(Programme.scenes.allSatisfy { $0.code.count > 2 && $0.codeByHand.contains { $0.hasPrefix("✗") } })
  }

  @Test("Every frame fits, from one column and one row on")
  func frames() async throws {
    for scene in Programme.scenes {
      let playing = Playing(scene, speed: 1000)
      try await playing.play()
      for columns in [1, 2, 5, 12, 25, 40, 60, 80, 120] {
        for rows in [1, 2, 5, 10, 24, 40] {
          let size = Size(columns: columns, rows: rows)
          let frame = SceneFrame(playing: playing, position: "1 of 10", footer: Row("q quit"), size: size).frame
          #expect(frame.rows.count == rows)
          #expect(frame.rows.allSatisfy { $0.endColumn <= columns })
          #expect(frame.rows.last?.plainText == "q quit".truncated(toColumns: columns))
        }
      }
    }
  }
}
#endif
