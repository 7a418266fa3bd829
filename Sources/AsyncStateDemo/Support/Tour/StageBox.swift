// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncState

/// One box of a scene: a title, and a status as a screen displays it.
@MainActor
final class StageBox {
  /// The rows of the frame.
  private static let edges = 2
  private static let glyphs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  let name: String
  private var status: AsyncStatus<[String]>?
  private var beside: String?
  private var summary = ""
  /// What was requested, such as the text of a search: above the content, where there is room.
  var requested = ""
  /// What is counted of what the box displays: in its upper edge.
  var counting: DisplayCount? { didSet { count = 0 } }
  private var count = 0
  /// What was counted so far, in words; nil where nothing is.
  var countWords: String? { counting.map { $0.words(count) } }

  /// How often something was displayed.
  struct DisplayCount {
    let unit: String
    let isCounted: (AsyncStatus<[String]>) -> Bool

    func words(_ count: Int) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
  }

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
    if let counting, counting.isCounted(status) { count += 1 }
    return (all, style)
  }

  private static func words(for status: AsyncStatus<[String]>) -> (String, Style) {
    switch status {
    case .loading: ("Loading", .faint)
    case .error(let error): ("✗ \(error)", .bad)
    case .data(let lines): (lines.isEmpty ? "[]" : lines.joined(separator: ", "), .plain)
    case .waiting: ("Waiting for the network", .plain)
    case .noData: ("Nothing here", .plain)
    case .idle: ("Not loaded", .faint)
    }
  }

  /// The box as it is at a time.
  func rows(in size: Size, time: Duration) -> [Row] {
    let columns = max(size.columns, 0)
    let room = Size(columns: max(columns - 4, 0), rows: max(size.rows - Self.edges, 0))
    let below = (room.rows > 1 ? beside : nil).map { [Row("✗ \($0)", .bad)] } ?? []
    let above = requested.isEmpty || room.rows < 2 + below.count ? [] : [Row(requested, .faint)]
    let left = room.rows - above.count - below.count
    var inside = above + contentRows(in: Size(columns: room.columns, rows: left), time: time)
    inside += Array(repeating: Row(), count: room.rows - inside.count - below.count) + below
    let title = "╭─ \(name) ".truncated(toColumns: max(columns - 1, 0))
    let edged = inside.map { content in
      var row = Row("│", .faint)
      row.put(content.truncated(toColumns: room.columns), at: 2)
      row.put("│", at: max(columns - 1, 0), .faint)
      return row
    }
    var upper = Row(title, .faint)
    let words = countWords.map { " \($0) " } ?? ""
    let rest = max(columns - title.columns - 1, 0)
    let isCounted = !words.isEmpty && rest > words.columns + 1
    upper.put(String(repeating: "─", count: isCounted ? rest - words.columns - 1 : rest), .faint)
    if isCounted { upper.put(words, .strong) }
    upper.put(isCounted ? "─╮" : "╮", .faint)
    return [upper] + edged + [
      Row("╰\(String(repeating: "─", count: max(columns - 2, 0)))╯", .faint)
    ]
  }

  private func contentRows(in room: Size, time: Duration) -> [Row] {
    guard let status else { return [] }
    switch status {
    case .loading:
      let glyph = Self.glyphs[Int(time / .milliseconds(80)) % Self.glyphs.count]
      return Array([Row("\(glyph) Loading …")].prefix(room.rows))
    // By hand, a list of nothing is a blank screen.
    case .data([]): return []
    case .data(let lines) where lines.count <= room.rows: return lines.map { Row($0) }
    // Where there are too few rows the lines share them.
    case .data, .error, .noData, .idle, .waiting:
      let (text, style) = Self.words(for: status)
      let lines = text.wrapped(toColumns: room.columns)
      let isCut = lines.count > room.rows
      return lines.prefix(room.rows).enumerated().map { index, line in
        Row(isCut && index + 1 == room.rows ? "\(line) …".truncated(toColumns: room.columns) : line, style)
      }
    }
  }
}
#endif
