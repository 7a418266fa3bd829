// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState

/// Draws the inspector: lanes over time, what their signs mean, and how an entry came about.
struct InspectorPanel {
  /// The name of each lane, from the data to the children. The rows of a folder are left out where there is little
  /// room.
  private static let names: [(id: JournalLanes.ID, name: String, isOptional: Bool)] = [
    (.init("folder", .requests), "folder load", false), (.init("folder", .content), "folder data", false),
    (.init("rows", .requests), "rows load", true), (.init("rows", .content), "rows data", true),
    (.init("details", .requests), "details load", true),
    (.init("screen", .status), "status", false), (.init("screen", .transitions), "container", false),
    (.init("screen", .children), "children", false),
  ]
  /// The rule, the axis and the legend.
  private static let otherRows = 3
  private static let causeRows = 1...3

  /// How many rows it has where there is room, and with how many it does without the optional ones.
  static let mostRows = otherRows + names.count + causeRows.upperBound
  static let leastRows = otherRows + names.count { !$0.isOptional } + causeRows.lowerBound

  let lanes: JournalLanes
  /// The end of the axis, if that is later than the last entry.
  let now: Duration
  /// The entry that is selected, its cause, the cause of that, and so on.
  let causes: [StateJournal.Entry]
  /// How many entries the journal has removed.
  let dropped: Int
  /// How many scales larger the time axis is.
  var zoom = 0

  /// The rows for this much room.
  func rows(in size: Size) -> [Row] {
    guard size.rows >= Self.leastRows else { return [] }
    let optionalRoom = size.rows - Self.leastRows
    let optionalCount = Self.names.count { $0.isOptional }
    let names = Self.names.filter { !$0.isOptional || optionalRoom >= optionalCount }
    let axis = LaneAxis(
      stretches: lanes.stretches, now: now, columns: LaneChart.axisColumns(of: size.columns - 2), zoom: zoom,
      showing: causes.first?.time)
    let chart = LaneChart(lanes: names.map { lanes.lane($0.id, named: $0.name) }, axis: axis)
    let chartRows = chart.drawn(limit: names.count + 1, marking: causes.first?.time)
    let why = whyRows(columns: size.columns - 2, limit: size.rows - Self.otherRows - names.count)
    let inside = chartRows.rows + [chartRows.legend] + why
    return [rule(columns: size.columns)] + inside.map { $0.indented(by: 1) }
  }

  private func rule(columns: Int) -> Row {
    let selected = causes.first.map { "#\($0.number)" } ?? "none"
    let count = "entry \(selected) of \(lanes.lastNumber)"
    let removed = dropped == 0 ? "" : ", \(dropped) dropped"
    var row = Row("──", .faint)
    row.put(" inspector ", .strong)
    // Which keys select another one: in words, where there is room for them.
    let texts = [
      " \(count)\(removed) · , . others · < > zoom ──", " \(count)\(removed) · , . others ──", " \(count)\(removed) ──",
      " \(count) ──", " \(selected) ──",
    ]
    let room = columns - row.endColumn - 1
    let text = texts.first { $0.columns <= room } ?? ""
    row.put(String(repeating: "─", count: max(columns - row.endColumn - text.columns, 0)) + text, .faint)
    return row
  }

  /// The selected entry, and behind each arrow what led to it.
  private func whyRows(columns: Int, limit: Int) -> [Row] {
    var texts = causes.map { "#\($0.number) \($0.subject): \($0.event)" }
    if let removed = causes.last?.cause { texts.append("#\(removed), dropped") }
    let text = texts.isEmpty ? "Nothing has happened yet." : texts.joined(separator: " ← ")
    let lines = PrintableText.of(text).wrapped(toColumns: columns)
    return lines.prefix(limit).enumerated().map { index, line in
      let isCut = index + 1 == limit && lines.count > limit
      return Row(isCut ? "\(line) …".truncated(toColumns: columns) : line, index == 0 ? .plain : .faint)
    }
  }
}
#endif
