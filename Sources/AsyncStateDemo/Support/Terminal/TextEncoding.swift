// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import Foundation

/// How text is written for the user's locale.
enum TextEncoding {
  case utf8
  /// For a locale that names another character set: lines and marks are drawn in ASCII, other characters are replaced.
  case ascii

  /// The request of the user's environment. Only a locale that names a character set decides: without one, and in the
  /// locales "C" and "POSIX", UTF-8 is what today's terminals read.
  static let current: TextEncoding = {
    let environment = ProcessInfo.processInfo.environment
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    guard let name = locale.split(separator: "@").first?.split(separator: ".").dropFirst().first else { return .utf8 }
    return name.lowercased().filter { $0 != "-" } == "utf8" ? .utf8 : .ascii
  }()

  private static let replacements: [Character: Character] = [
    "─": "-", "━": "=", "│": "|", "▏": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "●": "o", "○": "c", "✗": "x",
    "▸": ">", "…": "~", "“": "\"", "”": "\"", "→": ">", "♥": "*", "♡": "-", "⏎": "E",
    "±": "+", "✓": "v", "⊘": "/", "◇": "<", "◆": ">", "▪": "+", "←": "<", "⏸": ":", "┤": "|",
  ]

  /// The bytes of `text`, in as many columns as the text has.
  func bytes(of text: String) -> [UInt8] {
    if self == .utf8 || text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    return text.flatMap { character in
      if character.isASCII { return Array(character.utf8) }
      if "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".contains(character) { return [UInt8(ascii: "*")] }
      return [Self.replacements[character]?.asciiValue ?? UInt8(ascii: "?")]
    }
  }
}
#endif
