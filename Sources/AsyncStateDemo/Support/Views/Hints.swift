// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// The meaning of keys, in one row: as many as there is room for.
struct Hints {
  typealias Hint = (key: String, meaning: String)

  /// Those that are left out first where there is too little room, the last one first of all.
  let hints: [Hint]
  /// Those that are displayed in any case.
  let last: [Hint]

  func row(columns: Int) -> Row {
    let end = Self.row(of: last)
    var row = Row()
    for hint in hints {
      var next = row
      Self.add(hint, to: &next)
      guard next.endColumn + 1 + end.endColumn <= columns else { break }
      row = next
    }
    row.put(end, at: row.pieces.isEmpty ? 0 : row.endColumn + 1)
    return row
  }

  private static func row(of hints: [Hint]) -> Row {
    hints.reduce(into: Row()) { add($1, to: &$0) }
  }

  private static func add(_ hint: Hint, to row: inout Row) {
    row.put(" \(hint.key)", at: row.pieces.isEmpty ? 0 : row.endColumn + 1, .strong)
    row.put(" \(hint.meaning)", .faint)
  }
}
#endif
