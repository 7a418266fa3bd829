// SPDX-License-Identifier: MIT
import Foundation

private let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._"))

/// What an address of the page says. A link leads to one, with or without JavaScript.
struct Location: Sendable, Equatable {
  var folder = Path("")
  var query: String?
  var file: Path?
  var showsJournal = false
}

extension Location {
  init(_ values: [String: String]) {
    folder = Path(values["folder"] ?? "")
    query = values["q"].flatMap { $0.isEmpty ? nil : $0 }
    file = values["file"].flatMap { $0.isEmpty ? nil : Path($0) }
    showsJournal = values["journal"] == "1"
  }

  /// - Parameter visitor: Without JavaScript a link leads to the same visitor. With it each window has its own, also one
  ///   that a link opens.
  func link(_ visitor: String?) -> String {
    let fields = [
      ("w", visitor), ("folder", folder.text), ("q", query), ("file", file?.text),
      ("journal", showsJournal ? "1" : nil),
    ]
    let parts = fields.compactMap { name, value in
      value?.addingPercentEncoding(withAllowedCharacters: plain).map { "\(name)=\($0)" }
    }
    return "/?" + parts.joined(separator: "&")
  }
}

/// Fields of a query or a form; the first of a name counts.
func fields(_ text: String) -> [String: String] {
  Dictionary(
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }, uniquingKeysWith: { first, _ in first })
}

private let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]

/// Text as a part of HTML. A "<" with an accent is another character here, and a "<" for a browser: scalars are compared.
func escaped(_ text: String) -> String {
  guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
  return text.unicodeScalars.reduce(into: "") { $0 += entities[$1] ?? String($1) }
}

/// A name for a person, as a part of HTML: a scalar that has no picture, or reverses those after it, is its number.
func shown(_ name: String) -> String {
  guard name.utf8.contains(where: { !(32..<127).contains($0) }) else { return escaped(name) }
  return escaped(
    name.unicodeScalars.reduce(into: "") { text, scalar in
      let kinds: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
      let isHidden = scalar.properties.isBidiControl || kinds.contains(scalar.properties.generalCategory)
      text += isHidden ? "‹U+\(String(scalar.value, radix: 16, uppercase: true))›" : String(scalar)
    })
}
