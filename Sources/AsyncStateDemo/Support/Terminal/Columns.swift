// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
// How texts fit into columns. Each character of the demo's own texts takes up one.

extension String {
  /// How many columns it takes up.
  var columns: Int { count }

  /// The text, or as much of its beginning as fits into `limit` columns with an ellipsis behind it.
  func truncated(toColumns limit: Int) -> String {
    columns <= limit ? self : limit > 0 ? prefix(limit - 1) + "…" : ""
  }

  /// The text in lines that fit into `limit` columns, broken at spaces where that is possible.
  func wrapped(toColumns limit: Int) -> [String] {
    let limit = max(limit, 1)
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      // A word that is longer than a line is broken anyway.
      if !line.isEmpty && line.count + 1 + word.count > limit && word.count <= limit {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
      while line.count > limit {
        lines.append(String(line.prefix(limit)))
        line.removeFirst(limit)
      }
    }
    return lines + [line]
  }
}
#endif
