// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
// How many columns of a terminal a text takes up: none for combining marks, two for what is East Asian wide
// (https://www.unicode.org/reports/tr11/) and for emoji, else one. Terminals differ about the rarer emoji, so a row
// is drawn by moving the cursor to each column by its number.

extension Unicode.Scalar {
  /// The wide and full-width characters of East Asia, in runs; emoji have a property of their own.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]

  /// Vowels and final consonants that join the Hangul syllable before them.
  private static let joiningHangul: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

  fileprivate var columns: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if Self.joiningHangul.contains(where: { $0.contains(value) }) { return 0 }
    let isWide = properties.isEmojiPresentation || Self.wideRanges.contains { $0.contains(value) }
    return isWide ? 2 : 1
  }
}

extension Character {
  /// Whether it shows as an emoji, be it one scalar or a sequence.
  var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation
      || unicodeScalars.contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
  }

  /// How many columns it takes up.
  var columns: Int {
    isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.columns }
  }
}

extension String {
  /// How many columns it takes up.
  var columns: Int {
    reduce(0) { $0 + $1.columns }
  }

  /// The text, or as much of its beginning as fits into `limit` columns with an ellipsis behind it.
  func truncated(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var room = limit - 1
    guard room >= 0 else { return "" }
    let fitting = prefix { character in
      room -= character.columns
      return room >= 0
    }
    return fitting + "…"
  }

  /// The text in lines that fit into `limit` columns, broken at spaces where that is possible.
  func wrapped(toColumns limit: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty && line.columns + 1 + String(word).columns > limit {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
      while line.columns > max(limit, 2) {
        var room = max(limit, 2)
        let fitting = line.prefix { character in
          room -= character.columns
          return room >= 0
        }
        lines.append(String(fitting))
        line.removeFirst(fitting.count)
      }
    }
    return lines + [line]
  }

  /// The text, or as much of its end as fits into `limit` columns with an ellipsis before it.
  func truncatedAtStart(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    let fitting = Array(reversed()).reduce(into: (text: "", isFull: false)) { result, character in
      result.isFull = result.isFull || result.text.columns + character.columns > limit - 1
      if !result.isFull { result.text = "\(character)\(result.text)" }
    }
    return limit > 0 ? "…" + fitting.text : ""
  }
}
#endif
