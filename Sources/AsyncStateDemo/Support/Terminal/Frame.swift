// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
/// How large a terminal is, in characters.
struct Size: Hashable {
  var columns: Int
  var rows: Int
}

/// All that a terminal shows at a time.
struct Frame: Equatable {
  let size: Size
  /// From top to bottom; rows that are left out are empty.
  private(set) var rows: [Row]

  /// A frame that fits: what is too much is cut off.
  init(size: Size, rows: [Row]) {
    self.size = size
    self.rows = rows.prefix(size.rows).map { $0.truncated(toColumns: size.columns) }
    self.rows += Array(repeating: Row(), count: size.rows - self.rows.count)
  }

  /// The text for a terminal that displays `previous`, so that it displays this. Nil: what it displays is unknown.
  func update(from previous: Frame?, _ palette: Palette) -> String {
    let known = previous?.size == size ? previous : nil
    var output = known == nil ? "\u{1B}[m\u{1B}[2J" : ""
    for (index, row) in rows.enumerated() where known?.rows[index] != row {
      output += "\u{1B}[\(index + 1);1H\u{1B}[2K" + row.styledText(palette)
    }
    // Between these two a terminal that knows them shows nothing half done.
    return output.isEmpty ? "" : "\u{1B}[?2026h\(output)\u{1B}[?2026l"
  }
}
#endif
