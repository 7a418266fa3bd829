// SPDX-License-Identifier: MIT
/// A table, written so that it can be read as it stands.
struct MarkdownTable {
  private var rows: [[String]]

  init(_ header: String...) {
    rows = [header]
  }

  init(header: [String]) {
    rows = [header]
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      "| " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ") + " |"
    }
    lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n")
  }
}
