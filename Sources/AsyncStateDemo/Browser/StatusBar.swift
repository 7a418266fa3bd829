import Observation

/// Says what the container did last, and what went wrong beside the content.
@MainActor @Observable
final class StatusBar {
  /// The transition that began last.
  var will = ""
  /// The transition that ended last.
  var did = ""
  /// What went wrong; empty: nothing.
  var note = ""

  /// Three rows.
  func rows(columns: Int, cells: String) -> [Row] {
    var first = Row()
    first.put(note, at: 1, limit: columns - 2, .bad)
    var second = Row()
    second.put("will \(will) · did \(did)", at: 1, limit: columns - cells.columns - 4, .faint)
    second.put(cells, at: columns - cells.columns - 1, .faint)
    var third = Row()
    for (key, meaning) in [
      ("⏎", "open"), ("⌫", "up"), ("r", "reload"), ("f", "refresh"), ("c", "cancel"), ("±", "lag"), ("e", "faults"),
      ("q", "quit"),
    ] {
      third.put(" \(key)", .strong)
      third.put(" \(meaning) ", .faint)
    }
    return [first, second, third]
  }
}
