// SPDX-License-Identifier: MIT
extension StateJournal {
  /// The entries as text, a line each, indented under the entry that led to them.
  ///
  /// ```
  ///   0.000  #3   query: written
  ///   0.000  #4     results: key changed ← #3
  ///   0.300  #5       results: load started (refresh) ← #4
  ///   0.450  #6         results: answered ← #5
  /// ```
  ///
  /// - Complexity: O(*n*) for *n* entries that are kept.
  public var timeline: String { Self.timeline(of: entries) }

  /// Entries as text, a line each, indented under the entry that led to them.
  ///
  /// - Parameter entries: Entries of one journal, in order: all of them, or for instance those of some subjects.
  /// - Complexity: O(*n*) for *n* entries.
  public static func timeline(of entries: some Sequence<Entry>) -> String {
    var levels: [Int: Int] = [:]
    var lines: [String] = []
    for entry in entries {
      // A chain may be endless, and a line is not.
      let level = min(entry.cause.flatMap { levels[$0] }.map { $0 + 1 } ?? 0, 12)
      levels[entry.number] = level
      let number = "#\(entry.number)"
      let padding = String(repeating: " ", count: max(5 - number.count, 1) + 2 * level)
      let cause = entry.cause.map { " ← #\($0)" } ?? ""
      lines.append("\(entry.time.inSeconds)  \(number)\(padding)\(entry.subject): \(entry.event)\(cause)")
    }
    return lines.joined(separator: "\n")
  }
}

extension StateJournal {
  /// A description, bounded in length, as it can stand in a line of a timeline and be read from there again.
  package static func text(of subject: Any) -> String {
    let description = String(describing: subject)
    if isPlain(description) { return description }
    let text = String(description.prefix(160).map(inLine)).trimmed
    // A mark at an end that joins its neighbour would belong to the space beside it.
    let start = text.isEmpty || (" " + text.prefix(1)).count == 2 ? "" : "◌"
    let end = text.isEmpty || (text.suffix(1) + " ").count == 2 ? "" : "◌"
    return "\(start)\(text)\(end)"
  }

  /// Most names are, and looking at their bytes is faster than looking at their characters.
  private static func isPlain(_ text: String) -> Bool {
    let space = UInt8(ascii: " ")
    return text.utf8.count <= 160 && text.utf8.allSatisfy { $0 >= space && $0 < 0x7F } && text.utf8.first != space
      && text.utf8.last != space
  }

  /// A character that neither ends the line nor looks like the arrow before a cause.
  private static func inLine(_ character: Character) -> Character {
    if character.isNewline { return " " }
    return character == "←" ? "⟵" : character
  }
}

extension String {
  /// The name of a child in the words of an event: in quotation marks if it could be read as something else.
  var asChild: String {
    let isPlain =
      !isEmpty && self != "none" && !hasSuffix(":") && !["\"", ": ", ", "].contains { contains($0) }
      && !["status ", "invalidated ", "will transition to ", "did transition from "].contains { hasPrefix($0) }
    return isPlain ? self : quoted
  }

  /// The name of a state in the words of an event, likewise.
  var asState: String { hasPrefix("\"") || hasSuffix(", animated") ? quoted : self }

  /// In quotation marks; those in it are doubled.
  private var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}

extension [String] {
  /// The names of children in the words of an event.
  var asChildren: String { isEmpty ? "none" : map(\.asChild).joined(separator: ", ") }
}

extension StringProtocol {
  /// Without white space at both ends.
  package var trimmed: SubSequence {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
    return self[start.startIndex...last]
  }
}

extension Duration {
  /// Seconds with three decimal places, at least seven characters.
  var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = abs(attoseconds / 1_000_000_000_000_000)
    let decimals = String(milliseconds)
    let sign = self < .zero && seconds == 0 ? "-" : ""
    let text = "\(sign)\(seconds).\(String(repeating: "0", count: 3 - decimals.count))\(decimals)"
    return String(repeating: " ", count: max(0, 7 - text.count)) + text
  }
}

extension StateJournal: CustomStringConvertible {
  /// How many entries there are, and the last one.
  public var description: String {
    let dropped = dropped == 0 ? "" : ", \(dropped) dropped"
    let count = entries.count
    let last = entries.last.map { "; \($0)" } ?? ""
    return "StateJournal: \(count) entries\(dropped)\(last)"
  }
}
