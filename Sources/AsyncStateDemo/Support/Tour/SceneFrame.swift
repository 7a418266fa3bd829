// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// Arranges a scene on a screen: boxes with their code below or beside them, lanes over time, and how it ended.
///
/// Where there is too little room the boxes get smaller, then the code is left out, then the legend; then rows are cut off.
@MainActor
struct SceneFrame {
  /// Rows of a box: with room, and with less.
  private static let boxRows = (large: 5, small: 4)
  /// As many lanes are expected, the axis among them, so that the arrangement stays while lanes are added.
  private static let expectedLanes = 7
  private static let widestBox = 60
  /// With fewer rows than these a summary that does not fit into the title is left out.
  private static let summaryRows = 20

  let stage: Stage
  let scene: any Scene
  let position: String
  let time: Duration
  let footer: Row?
  let size: Size

  var frame: Frame {
    let verdicts = verdictRows
    let header = header
    let ends = header.count + (footer == nil ? 0 : 1)
    let reserved = max(verdicts.count, scene.codeByHand.isEmpty ? 1 : 2)
    let chart = LaneChart(
      lanes: stage.recording.lanes, axis: LaneAxis(to: time, columns: LaneChart.axisColumns(of: size.columns - 2)))
    var room = size.rows - ends - reserved
    let body = body(rows: room - max(Self.expectedLanes, chart.lanes.count + 1))
    let boxes = body.prefix(max(room, 0))
    room -= boxes.count
    let (lanes, meanings) = chart.drawn(limit: room)
    room -= lanes.count
    let legend = room > 0 && !lanes.isEmpty ? [meanings] : []
    room -= legend.count

    var rows = header
    if room > 0 { rows.append(Row()) }
    rows += boxes
    if room > 1 { rows.append(Row()) }
    rows += (lanes + legend).map { $0.indented(by: 1) } + verdicts
    let end = size.rows - (footer == nil ? 0 : 1)
    rows = Array(rows.prefix(max(end, 0))) + Array(repeating: Row(), count: max(end - rows.count, 0))
    return Frame(size: size, rows: rows + [footer].compactMap(\.self))
  }

  /// The title, and the summary beside it; below it where there is too little room.
  private var header: [Row] {
    let columns = size.columns
    var title = Row(" \(scene.name)", .strong)
    var summary: [Row] = []
    if scene.summary.columns <= columns - 13 - position.columns {
      title.put(scene.summary, at: 10)
    } else if size.rows >= Self.summaryRows {
      summary = scene.summary.wrapped(toColumns: columns - 2).map { Row($0).indented(by: 1) }
    }
    let column = columns - position.columns - 1
    if column > title.endColumn { title.put(position, at: column, .faint) }
    return [title] + summary
  }

  private var verdictRows: [Row] {
    stage.recording.verdicts.flatMap { verdict in
      verdict.text.wrapped(toColumns: size.columns - 2).map { Row($0, verdict.style).indented(by: 1) }
    }
  }

  // MARK: Boxes and code

  /// The first arrangement that has no more rows than these, or the smallest.
  private func body(rows room: Int) -> [Row] {
    // Large boxes leave a row to the legend.
    let large = arranged(height: Self.boxRows.large, isWithCode: true)
    if large.count < room { return large }
    let small = arranged(height: Self.boxRows.small, isWithCode: true)
    return small.count <= room ? small : arranged(height: Self.boxRows.small, isWithCode: false)
  }

  private func arranged(height: Int, isWithCode: Bool) -> [Row] {
    let (byHand, library) = (scene.codeByHand, scene.code)
    let previews = previewRows(height: height)
    // One column more to the left, and a gap.
    let spare = size.columns - 3 - byHand.columns - library.columns
    if byHand.isEmpty {
      let width = min(size.columns - library.columns - 4, 48)
      guard width >= 22 else { return stacked(height: height, isWithCode: isWithCode) + previews }
      let left = stage.boxes.flatMap { boxRows($0, width: width, height: height) }
      return Self.joined(left, isWithCode ? library.map(\.row) : [], at: width + 3) + previews
    }
    guard spare >= 0, let first = stage.boxes.first, let second = stage.boxes.dropFirst().first else {
      return stacked(height: height, isWithCode: isWithCode) + previews
    }
    let width = byHand.columns + spare / 2
    let left = boxRows(first, width: width, height: height) + (isWithCode ? byHand.map(\.row) : [])
    let right =
      boxRows(second, width: size.columns - 3 - width, height: height) + (isWithCode ? library.map(\.row) : [])
    return Self.joined(left, right, at: width + 2) + previews
  }

  /// All below each other, where the terminal is narrow.
  private func stacked(height: Int, isWithCode: Bool) -> [Row] {
    let width = min(size.columns - 2, Self.widestBox)
    let boxes = stage.boxes.flatMap { boxRows($0, width: width, height: height) }
    let code = (scene.codeByHand + scene.code).map { $0.row.indented(by: 1) }
    return boxes.map { $0.indented(by: 1) } + (isWithCode ? code : [])
  }

  /// Boxes that do not change, side by side.
  private func previewRows(height: Int) -> [Row] {
    let count = stage.previews.count
    let width = (size.columns - 1) / max(count, 1)
    guard count > 0, width > 12 else { return [] }
    let blocks = stage.previews.map { boxRows($0, width: width - 1, height: height - 1) }
    return (0..<height - 1).map { index in
      blocks.enumerated().reduce(into: Row()) { row, block in
        row.put(block.element[index], at: 1 + block.offset * width)
      }
    }
  }

  private func boxRows(_ box: StageBox, width: Int, height: Int) -> [Row] {
    box.rows(in: Size(columns: width, rows: height), time: time)
  }

  private static func joined(_ left: [Row], _ right: [Row], at column: Int) -> [Row] {
    (0..<max(left.count, right.count)).map { index in
      var row = index < left.count ? left[index].indented(by: 1) : Row()
      if index < right.count { row.put(right[index], at: column) }
      return row
    }
  }
}
#endif
