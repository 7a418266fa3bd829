// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// One line of a scene's source, as it is displayed.
struct CodeLine: Equatable {
  static let markColumns = 2

  let text: String
  /// Whether this is the line because of which the screen displays the wrong thing.
  var isFaulty = false

  /// The line behind its mark.
  var row: Row {
    var row = Row(isFaulty ? "✗" : "", .bad)
    row.put(text, at: Self.markColumns, isFaulty ? .bad : .plain)
    return row
  }
}

extension [CodeLine] {
  /// How many columns the lines and their marks take up.
  var columns: Int { (map(\.text.columns).max() ?? 0) + CodeLine.markColumns }
}
#endif
