// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Testing

@testable import AsyncStateDemo

@Suite("The chart of lanes")
struct LaneChartTests {
  private func chart(_ lanes: [Lane], now: Int = 1000, columns: Int = 53) -> LaneChart {
    LaneChart(lanes: lanes, length: .milliseconds(1000), now: .milliseconds(now), columns: columns)
  }

  private func lane(_ marks: Lane.Mark...) -> Lane { Lane(name: "list", marks: marks) }

  @Test("A load is a bar between its times, with its sign at the end, and the legend has what is drawn")
  func bars() {
    let load = lane(Lane.Mark(time: .zero, isRunning: true), Lane.Mark(time: .milliseconds(500), sign: "●"))
    let rows = chart([load]).rows(limit: 3).map(\.plainText)
    #expect(rows[0] == "list         " + String(repeating: "━", count: 20) + "●")
    #expect(rows[1].contains("▏0 s") && rows[1].contains("▏0.5 s"))
    #expect(rows[2] == "━ running  ● answered")
  }

  @Test("What is running reaches until now")
  func now() {
    let rows = chart([lane(Lane.Mark(time: .zero, isRunning: true))], now: 250).rows(limit: 3)
    #expect(rows[0].plainText == "list         " + String(repeating: "━", count: 10))
  }

  @Test("A text is cut off where the next mark begins, and left out where only its first letter fits")
  func texts() {
    let shown = lane(
      Lane.Mark(time: .zero, sign: "▏", text: "Loading"),
      Lane.Mark(time: .milliseconds(50), sign: "▏", text: "content"),
      Lane.Mark(time: .milliseconds(200), sign: "▏", text: "✗ closed"))
    #expect(chart([shown]).rows(limit: 3)[0].plainText == "list         ▏ ▏cont…▏✗ closed")
  }

  @Test("A sign within a text is not in the legend")
  func legend() {
    let rows = chart([lane(Lane.Mark(time: .zero, sign: "▏", text: "✗ closed"))]).rows(limit: 3)
    #expect(rows[2].plainText == "")
  }

  @Test("Where there is too little room for all lanes there is none: half of them would be misleading")
  func room() {
    let lanes = [lane(Lane.Mark(time: .zero, sign: "●")), lane(Lane.Mark(time: .zero, sign: "●"))]
    #expect(chart(lanes).rows(limit: 3).isEmpty)
    #expect(chart(lanes).rows(limit: 4).count == 4)
    #expect(chart(lanes, columns: 20).rows(limit: 4).isEmpty)
  }

  @Test("Every mark is within the columns, also after the end")
  func columns() {
    for columns in 26...200 {
      for time in [0, 1, 999, 1000, 5000] {
        let late = lane(Lane.Mark(time: .milliseconds(time), sign: "▏", text: "a long text", isRunning: false))
        #expect(chart([late], columns: columns).rows(limit: 3)[0].endColumn <= columns)
      }
    }
  }
}
#endif
