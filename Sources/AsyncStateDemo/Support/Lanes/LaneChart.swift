// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Draws lanes over time: the names at the left, and an axis below.
struct LaneChart {
  static let nameColumns = 13

  /// The meaning of each sign, and in fewer letters. Where there is too little room for all, the last ones are left
  /// out.
  private static let meanings: [(sign: Character, words: String, short: String)] = [
    ("━", "running", "run"), ("●", "answered", "ok"), ("✗", "failed", "fail"), ("○", "cancelled", "cancel"),
    ("⊘", "superseded", "old"), ("◇", "will", "will"), ("◆", "did", "did"), ("▪", "part", "part"),
    ("⏸", "waiting", "wait"), ("▸", "continued", "go"), ("┤", "disappeared", "out"), ("⋯", "pause", "pause"),
    ("▲", "selected", "this"),
  ]

  let lanes: [Lane]
  let axis: LaneAxis

  /// How many columns there are for an axis.
  static func axisColumns(of columns: Int) -> Int { columns - nameColumns }

  /// A row for each lane, and the axis below them; none where there is no room. And what the signs in these rows mean.
  ///
  /// - Parameter time: A time that is marked on the axis.
  func drawn(limit: Int, marking time: Duration? = nil) -> (rows: [Row], legend: Row) {
    guard limit > 1, axis.columns > 10 else { return ([], Row()) }
    var signs: Set<Character> = []
    let rows = lanes.prefix(limit - 1).map { row(of: $0, &signs) } + [axisRow(marking: time, &signs)]
    return (rows, Row(legend(of: signs), .faint))
  }

  private func legend(of signs: Set<Character>) -> String {
    let shown = Self.meanings.filter { signs.contains($0.sign) }
    let full = shown.map { "\($0.sign) \($0.words)" }.joined(separator: "  ")
    if full.columns <= axis.columns + Self.nameColumns { return full }
    return shown.reduce(into: "") { legend, meaning in
      let next = (legend.isEmpty ? "" : legend + " ") + "\(meaning.sign)\(meaning.short)"
      if next.columns <= axis.columns + Self.nameColumns { legend = next }
    }
  }

  private func row(of lane: Lane, _ signs: inout Set<Character>) -> Row {
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
        signs.formUnion(sign.sign)
        row.put(sign.sign, at: Self.nameColumns + column, limit: axis.columns - column, sign.style)
        column += sign.sign.columns
      }
      if !mark.text.isEmpty, end > column {
        row.put(mark.text, at: Self.nameColumns + column, limit: end - column, mark.style)
      } else if mark.isRunning, end > column {
        signs.insert("━")
        row.put(String(repeating: "━", count: end - column), at: Self.nameColumns + column, .accent)
      }
    }
    return row
  }

  private func axisRow(marking time: Duration?, _ signs: inout Set<Character>) -> Row {
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
    signs.formUnion(pieces.compactMap(\.text.first))
    var row = Row()
    for piece in pieces.sorted(by: { $0.column < $1.column }) {
      row.put(piece.text, at: Self.nameColumns + piece.column, piece.style)
    }
    return row
  }
}
#endif
