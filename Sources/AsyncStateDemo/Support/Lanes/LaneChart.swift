// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Draws lanes over time: the names at the left, and an axis below.
struct LaneChart {
  static let nameColumns = 13

  private static let legends = [
    "━ running  ● answered  ✗ failed  ○ cancelled  ⊘ superseded  ◇ will  ◆ did  ⋯ pause",
    "━ running  ● answered  ✗ failed  ○ cancelled  ⊘ superseded  ◇ will  ◆ did",
    "━run ●ok ✗fail ○cancel ⊘old ◇will ◆did",
  ]

  let lanes: [Lane]
  let axis: LaneAxis

  /// What the signs mean, in as many words as there is room for.
  static func legend(columns: Int) -> String {
    legends.first { $0.columns <= columns } ?? ""
  }

  /// How many columns there are for an axis.
  static func axisColumns(of columns: Int) -> Int { columns - nameColumns }

  /// A row for each lane, and the axis below them; none where there is no room.
  ///
  /// - Parameter time: A time that is marked on the axis.
  func rows(limit: Int, marking time: Duration? = nil) -> [Row] {
    guard limit > 1, axis.columns > 10 else { return [] }
    return lanes.prefix(limit - 1).map(row) + [axisRow(marking: time)]
  }

  private func row(of lane: Lane) -> Row {
    var row = Row(lane.name.truncated(toColumns: Self.nameColumns - 1))
    let columns = lane.marks.map { axis.column(at: $0.time) }
    let now = axis.column(at: axis.now)
    var sign: Lane.Mark?
    for (index, mark) in lane.marks.enumerated() {
      if !mark.sign.isEmpty { sign = mark }
      let start = columns[index]
      let isLast = index + 1 == columns.count
      let end = min(isLast ? (mark.isRunning ? now : axis.columns) : columns[index + 1], axis.columns)
      // Of several marks in one column the last one is drawn, with the last sign that there was.
      if !isLast && end == start { continue }
      guard start < axis.columns else { break }
      defer { sign = nil }
      guard isLast || end > 0 else { continue }
      var column = max(start, 0)
      if start >= 0, let sign {
        row.put(sign.sign, at: Self.nameColumns + column, limit: axis.columns - column, sign.style)
        column += sign.sign.columns
      }
      if !mark.text.isEmpty, end > column {
        row.put(mark.text, at: Self.nameColumns + column, limit: end - column, mark.style)
      } else if mark.isRunning, end > column {
        row.put(String(repeating: "━", count: end - column), at: Self.nameColumns + column, .accent)
      }
    }
    return row
  }

  private func axisRow(marking time: Duration?) -> Row {
    let marked = time.map(axis.column) ?? -1
    var pieces = axis.labels.map { (column: $0.column, text: "▏" + $0.text, style: Style.faint) }
    for pause in axis.pauses {
      pieces.removeAll { ($0.column..<$0.column + $0.text.columns).contains(pause) }
      pieces.append((pause, "⋯", .faint))
    }
    if (0..<axis.columns).contains(marked) {
      pieces.removeAll { ($0.column..<$0.column + $0.text.columns).contains(marked) }
      pieces.append((marked, "▲", .accent))
    }
    var row = Row()
    for piece in pieces.sorted(by: { $0.column < $1.column }) {
      row.put(piece.text, at: Self.nameColumns + piece.column, piece.style)
    }
    return row
  }
}
#endif
