#if os(macOS) || os(Linux)
import AsyncState

/// A terminal: lines that scroll, and below them the screen as it is at the moment.
final class LiveDisplay: Display {
  private static let height = 3

  private let palette: Palette
  private var children: () -> [any ChildController] = { [] }
  private var redrawing: Redrawing?
  /// How many rows the screen takes up that stands below the lines.
  private var drawnRows = 0

  init(_ palette: Palette) {
    self.palette = palette
  }

  func print(_ row: Row) {
    StandardStream.output.write(erasure + row.styledText(palette) + "\n")
    drawnRows = 0
    redrawing?.drawNow()
  }

  func show(_ children: @escaping () -> [any ChildController]) {
    self.children = children
    if let redrawing { redrawing.drawNow() } else { redrawing = Redrawing { [weak self] in self?.draw() } }
  }

  /// The screen is over: only the lines stay.
  func end() {
    redrawing = nil
    StandardStream.output.write(erasure)
    drawnRows = 0
  }

  private func draw() {
    let size = StandardStream.output.size
    let isLargeEnough = size.columns > 20 && size.rows > Self.height + 4
    let screen = isLargeEnough ? screen(width: min(size.columns - 1, 60)) : []
    StandardStream.output.write(erasure + screen.map { $0.styledText(palette) + "\n" }.joined())
    drawnRows = screen.count
  }

  /// What takes the screen off: up to its first row, and from there everything.
  private var erasure: String { drawnRows == 0 ? "" : "\u{1B}[\(drawnRows)A\u{1B}[J" }

  private func screen(width: Int) -> [Row] {
    let room = Size(columns: width - 4, rows: Self.height)
    var inside = children().compactMap { $0 as? any Drawable }.flatMap { $0.rows(in: room) }.prefix(Self.height)
    inside += Array(repeating: Row(), count: Self.height - inside.count)
    let line = String(repeating: "─", count: width - 2)
    let edged = inside.map { content in
      var row = Row("│", .faint)
      row.put(content.truncated(toColumns: room.columns), at: 2)
      row.put("│", at: width - 1, .faint)
      return row
    }
    return [Row("╭\(line)╮", .faint)] + edged + [Row("╰\(line)╯", .faint)]
  }
}
#endif
