// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Testing

@testable import AsyncStateDemo

@Suite("The time axis")
struct LaneAxisTests {
  private func milliseconds(_ range: ClosedRange<Int>) -> ClosedRange<Duration> {
    .milliseconds(range.lowerBound) ... .milliseconds(range.upperBound)
  }

  @Test("An axis from zero lets everything fit, in a scale that changes seldom")
  func whole() {
    let short = LaneAxis(to: .milliseconds(300), columns: 66)
    #expect([0, 20, 300].map { short.column(at: .milliseconds($0)) } == [0, 1, 15])
    #expect(short.labels.map { "\($0.column) \($0.text)" } == ["0 0 s", "20 0.4 s", "40 0.8 s"])
    #expect(LaneAxis(to: .milliseconds(999), columns: 66).column(at: .milliseconds(300)) == 15)
    for length in stride(from: 0, through: 200_000, by: 97) {
      let axis = LaneAxis(to: .milliseconds(length), columns: 66)
      #expect((0..<66).contains(axis.column(at: .milliseconds(length))))
    }
  }

  @Test("A terminal without room for an axis has none", arguments: [-13, 0, 1])
  func narrow(columns: Int) {
    #expect(LaneAxis(to: .seconds(1), columns: columns).labels == [])
    #expect(LaneAxis(stretches: [milliseconds(0...900)], now: .zero, columns: columns).labels == [])
  }

  @Test("A pause is as wide as a few columns, however long it is")
  func pauses() {
    let stretches = [milliseconds(0...500), milliseconds(9000...9100), milliseconds(3_600_000...3_600_200)]
    let axis = LaneAxis(stretches: stretches, now: .zero, columns: 66)
    #expect(
      [0, 500, 8999, 9000, 9100, 3_600_000].map { axis.column(at: .milliseconds($0)) } == [0, 25, 25, 29, 34, 41])
    #expect(axis.labels.map { "\($0.column) \($0.text)" } == ["0 0 s", "20 0.4 s", "29 9 s", "41 3600 s"])
  }

  @Test("The end is in view, with room for a text behind it, and what is too much is to the left")
  func excess() {
    for (columns, room) in [(25, 8), (66, 12), (200, 12)] {
      for count in 1...20 {
        let stretches = (0..<count).map { milliseconds($0 * 5000...$0 * 5000 + 137 * $0) }
        let axis = LaneAxis(stretches: stretches, now: .zero, columns: columns)
        let end = axis.column(at: axis.now)
        #expect((0...columns - room).contains(end))
        let times = stretches.flatMap { [$0.lowerBound, $0.upperBound] }
        #expect(times.map(axis.column) == times.map(axis.column).sorted())
        #expect(axis.labels.allSatisfy { $0.column >= 0 && $0.column + $0.text.columns < columns })
      }
    }
    let axis = LaneAxis(stretches: [milliseconds(10...20)], now: .zero, columns: 66)
    #expect(axis.column(at: .zero) < 0)
  }

  @Test("A pause that was left out is marked before what follows it")
  func pauseMarks() {
    let axis = LaneAxis(stretches: [milliseconds(0...500), milliseconds(9000...9100)], now: .zero, columns: 66)
    #expect(axis.pauses == [28])
    #expect(axis.column(at: .milliseconds(9000)) == 29)
    let rows = LaneChart(lanes: [], axis: axis).drawn(limit: 2).rows.map { String($0.plainText.dropFirst(13)) }
    #expect(rows == ["▏0 s                ▏0.4 s  ⋯▏9 s"])
  }

  @Test("The axis is panned to a time that is further left than its columns, and zoomed")
  func panAndZoom() {
    let stretches = (0..<20).map { milliseconds($0 * 5000...$0 * 5000 + 200) }
    for zoom in -12...12 {
      for selected in [0, 5100, 40_000, 95_200] {
        let time = Duration.milliseconds(selected)
        let axis = LaneAxis(stretches: stretches, now: .zero, columns: 66, zoom: zoom, showing: time)
        #expect((0..<66).contains(axis.column(at: time)), "zoom \(zoom), \(selected) ms")
        let lane = Lane(name: "a", marks: [Lane.Mark(time: .zero, sign: "●", text: "long", isRunning: true)])
        #expect(LaneChart(lanes: [lane], axis: axis).drawn(limit: 2).rows.allSatisfy { $0.endColumn <= 79 })
      }
    }
    let wide = LaneAxis(stretches: [milliseconds(0...200)], now: .zero, columns: 66, zoom: 1)
    #expect(wide.column(at: .milliseconds(200)) == 40)
  }

  @Test("What is running reaches until now")
  func now() {
    let axis = LaneAxis(stretches: [milliseconds(0...0)], now: .milliseconds(200), columns: 66)
    #expect(axis.column(at: axis.now) == 20)
  }

  @Test("Without anything there is nothing to see")
  func empty() {
    let axis = LaneAxis(stretches: [], now: .zero, columns: 66)
    #expect(axis.labels == [])
    #expect(axis.column(at: .zero) < 0)
  }
}
#endif
