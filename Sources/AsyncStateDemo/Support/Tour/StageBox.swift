// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState
import Observation

/// One box of a scene: a title, and a status as a screen displays it.
@MainActor @Observable
final class StageBox {
  /// The rows of the frame.
  static let edges = 2

  private static let glyphs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  let name: String
  private var status: AsyncStatus<[String]>?
  private var beside: String?
  @ObservationIgnored private var summary = ""

  init(_ name: String) {
    self.name = name
  }

  /// Displays a status from now on; nil: that which was displayed stays.
  ///
  /// - Parameter text: An error that is displayed below the content.
  /// - Returns: What is displayed, in one line, if that has changed.
  func update(to next: AsyncStatus<[String]>?, beside text: String? = nil) -> (text: String, style: Style)? {
    if let next { status = next }
    beside = text
    guard let status else { return nil }
    let (words, style) = Self.words(for: status)
    let all = text.map { "\(words) (✗ \($0))" } ?? words
    guard all != summary else { return nil }
    summary = all
    return (all, text == nil ? style : .bad)
  }

  private static func words(for status: AsyncStatus<[String]>) -> (String, Style) {
    switch status {
    case .loading: ("Loading", .faint)
    case .error(let error): ("✗ \(error)", .bad)
    case .data(let lines) where lines.count > 5:
      (lines.prefix(3).joined(separator: ", ") + ", … \(lines.count) in all", .good)
    case .data(let lines): (lines.joined(separator: ", "), .good)
    case .waiting: ("Waiting for the network", .accent)
    case .noData: ("Nothing here", .faint)
    case .idle: ("Not loaded", .faint)
    }
  }

  /// The box as it is at a time.
  func rows(in size: Size, time: Duration) -> [Row] {
    let columns = size.columns
    let room = Size(columns: max(columns - 4, 0), rows: max(size.rows - Self.edges, 0))
    let below = beside.map { [Row("✗ \($0)", .bad)].prefix(room.rows) } ?? []
    var inside = contentRows(in: Size(columns: room.columns, rows: room.rows - below.count), time: time)
    inside += Array(repeating: Row(), count: room.rows - below.count - inside.count) + below
    let title = "╭─ \(name) ".truncated(toColumns: max(columns - 1, 0))
    let edged = inside.map { content in
      var row = Row("│", .faint)
      row.put(content.truncated(toColumns: room.columns), at: 2)
      row.put("│", at: max(columns - 1, 0), .faint)
      return row
    }
    let rest = String(repeating: "─", count: max(columns - title.columns - 1, 0))
    return [Row(title + rest + "╮", .faint)] + edged + [
      Row("╰\(String(repeating: "─", count: max(columns - 2, 0)))╯", .faint)
    ]
  }

  private func contentRows(in room: Size, time: Duration) -> [Row] {
    guard let status else { return [] }
    switch status {
    case .loading:
      let glyph = Self.glyphs[Int(time / .milliseconds(80)) % Self.glyphs.count]
      return Array([Row("\(glyph) Loading …", .accent)].prefix(room.rows))
    case .data(let lines): return Self.rows(of: lines, in: room)
    case .error, .noData, .idle, .waiting:
      let (text, style) = Self.words(for: status)
      let lines = text.wrapped(toColumns: room.columns)
      let isCut = lines.count > room.rows
      return lines.prefix(room.rows).enumerated().map { index, line in
        Row(isCut && index + 1 == room.rows ? "\(line) …".truncated(toColumns: room.columns) : line, style)
      }
    }
  }

  /// A row for each line; where there are too few rows the lines share them, and the last one says how many are left out.
  private static func rows(of lines: [String], in room: Size) -> [Row] {
    if lines.count <= room.rows { return lines.map { Row($0, .good) } }
    let shared = lines.joined(separator: ", ").wrapped(toColumns: room.columns)
    if shared.count <= room.rows { return shared.map { Row($0, .good) } }
    let shown = max(room.rows - 1, 0)
    return lines.prefix(shown).map { Row($0, .good) }
      + [Row("… \(lines.count - shown) more", .faint)].prefix(room.rows)
  }
}
#endif
