#if os(macOS) || os(Linux)
/// Draws the lanes of a recording over time.
struct LaneChart {
  private static let nameColumns = 13
  /// Milliseconds for a column, the first that lets everything fit.
  private static let scales = [10, 20, 25, 50, 100, 200, 500, 1000, 2000]
  /// A chart is as wide as this time from its beginning, so that its scale changes seldom.
  private static let shortest = Duration.milliseconds(1000)

  let lanes: [Recording.Lane]
  /// The time up to which the lanes are drawn.
  let time: Duration
  let columns: Int

  private var room: Int { columns - Self.nameColumns - 1 }

  /// Milliseconds for a column.
  private var scale: Int {
    let milliseconds = Int(max(time, Self.shortest) / .milliseconds(1))
    return Self.scales.first { milliseconds / $0 < room } ?? 5000
  }

  private func column(at time: Duration) -> Int {
    Self.nameColumns + min(Int(time / .milliseconds(1)) / scale, max(room, 0))
  }

  /// A row for each lane, and an axis below them.
  func rows(limit: Int) -> [Row] {
    guard limit > 1, room > 10 else { return [] }
    // From the cause to the effect: the user, the requests, what is displayed.
    let ordered = [0, 1, 2].flatMap { rank in lanes.filter { Self.rank(of: $0) == rank } }
    return ordered.prefix(limit - 1).map(row) + [axis]
  }

  private static func rank(of lane: Recording.Lane) -> Int {
    switch lane.entries.first?.kind {
    case .point: 0
    case .begin, .end, nil: 1
    case .display: 2
    }
  }

  private func row(of lane: Recording.Lane) -> Row {
    var row = Row(lane.name.truncated(toColumns: Self.nameColumns - 1))
    for (index, entry) in lane.entries.enumerated() {
      let start = column(at: entry.time)
      let next = lane.entries.dropFirst(index + 1).first
      let end = next.map { column(at: $0.time) } ?? column(at: time)
      // Nothing can be seen of what another entry replaces at once.
      switch entry.kind {
      case .point, .display:
        let limit = next == nil ? columns - start : end - start
        if limit > 0 { row.put("▏" + entry.text, at: start, limit: limit, entry.style) }
      case .begin:
        if end > start { row.put(String(repeating: "━", count: end - start), at: start, .accent) }
      case .end(let mark):
        row.put(String(mark), at: start, entry.style)
      }
    }
    return row
  }

  private var axis: Row {
    let step = 20
    var row = Row()
    for offset in stride(from: 0, to: room, by: step) {
      let milliseconds = offset * scale
      let text = milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
      if offset + text.columns < room { row.put("▏" + text, at: Self.nameColumns + offset, .faint) }
    }
    return row
  }
}
#endif
