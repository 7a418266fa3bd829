// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Draws lanes over time: the names at the left, an axis below, and what the signs mean.
struct LaneChart {
  static let nameColumns = 13
  /// The rows below the lanes: the axis, and the legend.
  static let rowsBelow = 2

  private static let meanings: [(sign: Character, words: String)] = [
    ("━", "running"), ("●", "answered"), ("✗", "failed"), ("○", "cancelled"), ("⊘", "superseded"), ("◇", "will"),
    ("◆", "did"), ("▪", "part"), ("⏸", "waiting"), ("▸", "continued"), ("┤", "disappeared"),
  ]
  /// How far a label of the axis is from the next one at least.
  private static let labelColumns = 12

  let lanes: [Lane]
  /// The length of the axis.
  let length: Duration
  /// What is running reaches until now.
  let now: Duration
  let columns: Int

  private var axisColumns: Int { columns - Self.nameColumns }

  /// A row for each lane, the axis below them, and the legend; none where there is too little room for all.
  func rows(limit: Int) -> [Row] {
    guard limit >= lanes.count + Self.rowsBelow, axisColumns > Self.labelColumns else { return [] }
    let rows = lanes.map(row)
    // A sign or a bar, and no text that has a sign in it.
    let signs = Set(rows.flatMap(\.pieces).map { Set($0.text) }.filter { $0.count == 1 }.joined())
    let legend = Self.meanings.filter { signs.contains($0.sign) }.map { "\($0.sign) \($0.words)" }
    return rows + [axis, Row(legend.joined(separator: "  "), .faint)]
  }

  /// The column of a time.
  func column(at time: Duration) -> Int { min(Int(time / length * Double(axisColumns)), axisColumns) }

  private func row(of lane: Lane) -> Row {
    var row = Row(lane.name.truncated(toColumns: Self.nameColumns - 1))
    var sign: Lane.Mark?
    for (index, mark) in lane.marks.enumerated() {
      if !mark.sign.isEmpty { sign = mark }
      let isLast = index + 1 == lane.marks.count
      let start = column(at: mark.time)
      let end = isLast ? (mark.isRunning ? column(at: now) : axisColumns) : column(at: lane.marks[index + 1].time)
      // Of several marks in one column the last one is drawn, with the last sign that there was.
      if !isLast && end == start { continue }
      var begin = start
      if let sign {
        row.put(sign.sign, at: Self.nameColumns + start, limit: axisColumns - start, sign.style)
        begin += sign.sign.columns
      }
      sign = nil
      guard end > begin else { continue }
      let text = mark.text.isEmpty && mark.isRunning ? String(repeating: "━", count: end - begin) : mark.text
      // The beginning of a word says something, its first letter does not.
      guard text.columns <= end - begin || end - begin > 3 else { continue }
      row.put(text, at: Self.nameColumns + begin, limit: end - begin, mark.isRunning ? .plain : mark.style)
    }
    return row
  }

  private var axis: Row {
    let step = [100, 200, 500, 1000].first { column(at: .milliseconds($0)) >= Self.labelColumns } ?? 2000
    var row = Row()
    for time in stride(from: 0, to: length.milliseconds, by: step) {
      let text = "▏\(time == 0 ? "0" : "\(Double(time) / 1000)") s"
      let start = column(at: .milliseconds(time))
      if start + text.columns <= axisColumns { row.put(text, at: Self.nameColumns + start, .faint) }
    }
    return row
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int { Int(self / .milliseconds(1)) }
}
#endif
