// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Arranges a scene on a screen: both boxes side by side, their code below them, lanes over time, and how it ends.
///
/// Where there is too little room the boxes get smaller, then the code is left out, then the lanes.
@MainActor
struct SceneFrame {
  private static let boxHeights = [5, 4, 3]
  /// With fewer rows than these a summary that does not fit into the title is left out.
  private static let summaryRows = 20

  let playing: Playing
  /// Where it is in the tour; empty if it is alone.
  let position: String
  let footer: Row?
  let size: Size

  private var scene: any Scene { playing.scene }
  private var columns: Int { size.columns }

  var frame: Frame {
    let verdicts = verdictRows
    let end = max(size.rows - (footer == nil ? 0 : 1), 0)
    let header = header
    var room = end - header.count - verdicts.count
    let chart = LaneChart(
      lanes: playing.stage.recording.lanes, length: .milliseconds(scene.size.milliseconds), now: playing.time,
      columns: columns - 2)
    let expected = max(scene.size.lanes, chart.lanes.count) + LaneChart.rowsBelow
    let body = Array(body(rows: room, withLanes: room - expected).prefix(max(room, 0)))
    room -= body.count
    let lanes = chart.rows(limit: room).map { $0.indented(by: 1) }
    room -= expected

    let rows =
      header + (room > 0 ? [Row()] : []) + body + (room > 1 ? [Row()] : []) + lanes + (playing.isOver ? verdicts : [])
    let filled = rows.prefix(end) + Array(repeating: Row(), count: max(end - rows.count, 0))
    return Frame(size: size, rows: filled + [footer].compactMap(\.self))
  }

  /// The title, and the summary beside it; below it where there is too little room, if there are rows for it.
  private var header: [Row] {
    var title = Row(" \(scene.name)", .strong)
    let column = columns - position.columns - 1
    let isBeside = scene.summary.columns < column - 10
    if isBeside { title.put(scene.summary, at: 10) }
    if column > title.endColumn { title.put(position, at: column, .faint) }
    let below = isBeside || size.rows < Self.summaryRows ? [] : scene.summary.wrapped(toColumns: columns - 2)
    return [title] + below.map { Row($0).indented(by: 1) }
  }

  private var verdictRows: [Row] {
    scene.verdicts.flatMap { verdict in
      verdict.text.wrapped(toColumns: columns - 2).map { Row($0, verdict.style).indented(by: 1) }
    }
  }

  // MARK: Boxes and code

  /// The first arrangement that fits into the rows beside the lanes, else boxes alone, as high as there is room for.
  private func body(rows room: Int, withLanes beside: Int) -> [Row] {
    let code = code
    if let height = Self.boxHeights.first(where: { $0 + code.count <= beside }) { return boxes(height: height) + code }
    let limit = Self.boxHeights.contains { $0 <= beside } ? beside : room
    return boxes(height: Self.boxHeights.first { $0 <= limit } ?? 3)
  }

  /// The column of the right half.
  private var middle: Int {
    let (left, right) = (Self.columns(of: scene.codeByHand), Self.columns(of: scene.code))
    let spare = columns - 3 - left - right
    return spare >= 0 ? left + spare / 2 + 2 : columns / 2 + 1
  }

  private func boxes(height: Int) -> [Row] {
    let (left, right) = (middle - 2, columns - middle - 1)
    return Self.joined(
      playing.stage.byHand.rows(in: Size(columns: left, rows: height), time: playing.time),
      playing.stage.library.rows(in: Size(columns: right, rows: height), time: playing.time), at: middle)
  }

  /// The code of both halves side by side; below each other where the terminal is narrow.
  private var code: [Row] {
    let (byHand, library) = (scene.codeByHand, scene.code)
    let (left, right) = (byHand.map(Self.row), library.map(Self.row))
    if columns - 3 >= Self.columns(of: byHand) + Self.columns(of: library) {
      return Self.joined(left, right, at: middle)
    }
    return Self.joined(left + [Row()] + right, [], at: 0)
  }

  private static func columns(of code: [String]) -> Int { code.map(\.columns).max() ?? 0 }

  private static func row(of line: String) -> Row { Row(line, line.hasPrefix("✗") ? .bad : .plain) }

  private static func joined(_ left: [Row], _ right: [Row], at column: Int) -> [Row] {
    (0..<max(left.count, right.count)).map { index in
      var row = index < left.count ? left[index].indented(by: 1) : Row()
      if index < right.count { row.put(right[index], at: column) }
      return row
    }
  }
}
#endif
