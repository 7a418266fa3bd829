#if os(macOS) || os(Linux)
import Observation

/// Displays what the container did last, and what failed beside the content.
@MainActor @Observable
final class StatusBar {
  /// The transition that began last.
  var will = ""
  /// The transition that ended last.
  var did = ""
  /// What failed; empty: nothing.
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

  /// What some keys mean: as many as there is room for, and how to look behind the scenes and to get out in any case.
  private static func hints(columns: Int) -> Row {
    var end = hint("i", "inspect")
    end.put(hint("q", "quit"), at: end.endColumn + 1)
    var row = Row()
    for (key, meaning) in [
      ("⏎", "open"), ("⌫", "up"), ("r", "reload"), ("f", "refresh"), ("c", "cancel"), ("±", "lag"), ("e", "faults"),
    ] {
      let hint = hint(key, meaning)
      guard row.endColumn + hint.endColumn + 1 + end.endColumn <= columns else { break }
      row.put(hint, at: row.endColumn)
      row.put(" ")
    }
    row.put(end, at: row.endColumn)
    return row
  }

  private static func hint(_ key: String, _ meaning: String) -> Row {
    var row = Row(" \(key)", .strong)
    row.put(" \(meaning)", .faint)
    return row
  }
}
#endif
