// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Observation

/// Displays what the container did last, and what failed beside the content.
@MainActor @Observable
final class StatusBar {
  /// The transition that began last.
  var will = ""
  /// The transition that ended last.
  var did = ""
  /// The failure; empty: none.
  var failure = ""
  /// The preview of a file; empty: there is none.
  var note = ""

  /// Three rows.
  func rows(columns: Int, cells: String) -> [Row] {
    var first = Row()
    first.put(note.isEmpty ? failure : note, at: 1, limit: columns - 2, note.isEmpty ? .bad : .accent)
    var second = Row()
    second.put("will \(will) · did \(did)", at: 1, limit: columns - cells.columns - 4, .faint)
    second.put(cells, at: columns - cells.columns - 1, .faint)
    return [first, second, Self.hints(columns: columns)]
  }

  /// The meaning of some keys: as many as there is room for, and how to look behind the scenes and to get out in any
  /// case.
  private static func hints(columns: Int) -> Row {
    let hints = Hints(
      hints: [
        ("⏎", "open"), ("⌫", "up"), ("r", "reload"), ("f", "refresh"), ("c", "cancel"), ("±", "lag"), ("e", "faults"),
      ], last: [("i", "inspect"), ("q", "quit")])
    return hints.row(columns: columns)
  }
}
#endif
