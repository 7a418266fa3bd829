// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// One row of text: pieces at columns.
struct Row: Equatable {
  struct Piece: Equatable {
    let column: Int
    let text: String
    let style: Style
  }

  private(set) var pieces: [Piece] = []

  /// The column after the last piece.
  var endColumn: Int { pieces.last.map { $0.column + $0.text.columns } ?? 0 }

  init() {}

  /// A row with one piece.
  init(_ text: String, _ style: Style = .plain) {
    put(text, style)
  }

  /// Adds a piece to the right of all others.
  ///
  /// - Parameters:
  ///   - text: Printable text.
  ///   - column: Where it begins; by default right behind the last.
  ///   - limit: How many columns it may take up.
  mutating func put(_ text: String, at column: Int? = nil, limit: Int = .max, _ style: Style = .plain) {
    let text = limit == .max ? text : text.truncated(toColumns: limit)
    if !text.isEmpty { pieces.append(Piece(column: column ?? endColumn, text: text, style: style)) }
  }

  /// Adds the pieces of another row, which begins at a column of this one.
  mutating func put(_ row: Row, at column: Int) {
    for piece in row.pieces { put(piece.text, at: column + piece.column, piece.style) }
  }

  /// The row cut off at a width.
  func truncated(toColumns limit: Int) -> Row {
    var row = Row()
    for piece in pieces where piece.column < limit {
      row.put(piece.text, at: piece.column, limit: limit - piece.column, piece.style)
    }
    return row
  }

  /// The row moved to the right.
  func indented(by columns: Int) -> Row {
    var row = Row()
    row.put(self, at: columns)
    return row
  }

  /// For a file or a pipe: text and spaces.
  var plainText: String {
    pieces.reduce(into: "") { line, piece in
      line += String(repeating: " ", count: max(piece.column - line.columns, 0)) + piece.text
    }
  }

  /// For a terminal: each piece in its style, with the cursor moved to its column.
  func styledText(_ palette: Palette) -> String {
    pieces.reduce(into: "") { line, piece in
      line += "\u{1B}[\(piece.column + 1)G" + palette.begin(piece.style) + piece.text + "\u{1B}[m"
    }
  }
}
#endif
