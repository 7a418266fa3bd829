// SPDX-License-Identifier: MIT
/// A mark of a trace in words, for a failure that can be read without the table of the marks.
struct RecordedMark {
  /// The words of the trace that it takes up: a mark of the delegate's, or of a state with a space, has several.
  private let range: Range<Int>
  private let text: String

  /// The mark of a trace at a place, and where the other trace has that.
  ///
  /// - Parameter verb: What the other trace is: "recorded", "expected".
  static func sentence(in words: [String], at place: Int, others: [String], _ verb: String) -> String {
    guard let mark = marks(of: words).first(where: { $0.range.contains(place) }) else { return "the end of the trace" }
    let later = marks(of: others).first { $0.range.lowerBound >= place && $0.text == mark.text }
    let elsewhere = later.map { "\(verb) later, as word \($0.range.lowerBound + 1)" } ?? "not \(verb) from here on"
    return "`\(mark.text)`\(mark.meaning.map { ", \($0)" } ?? ""); it is \(elsewhere)"
  }

  /// Each mark of a trace with its meaning.
  static func sentences(for trace: String) -> [String] {
    marks(of: trace.split(whereSeparator: \.isWhitespace).map(String.init)).map { mark in
      mark.meaning.map { "\(mark.text): \($0)" } ?? mark.text
    }
  }

  private static func marks(of words: [String]) -> [RecordedMark] {
    var marks: [RecordedMark] = []
    var start = 0
    while start < words.count {
      var end = start + 1
      if delegateMarks[words[start]] != nil {
        end = min(end + 1, words.count)
      } else {
        var text = words[start]
        while text.isOpen && end < words.count {
          text += words[end]
          end += 1
        }
        // A parenthesis that is not closed belongs to a text of the test's own.
        if text.isOpen { end = start + 1 }
      }
      marks.append(RecordedMark(range: start..<end, text: words[start..<end].joined(separator: " ")))
      start = end
    }
    return marks
  }

  private static let delegateMarks = [
    "cwa": "childWillAppear", "cda": "childDidAppear", "cwd": "childWillDisappear", "cdd": "childDidDisappear",
  ]
  // The longer ones first: `x+!` ends in `!`, too.
  private static let childMarks = [
    ("+!", "didAttach"), ("-!", "didDetach"), ("+", "willAttach"), ("-", "willDetach"), (".wa", "willAppear"),
    (".da", "didAppear"), (".wd", "willDisappear"), (".dd", "didDisappear"),
  ]

  /// The meaning; nil for a mark of the test's own.
  private var meaning: String? {
    if text == "I" { return "the appearance state is requested" }
    if let state = inside("K") { return "the children of \(state) are requested" }
    if let children = inside("A") {
      return children.isEmpty ? "the surface without a child" : "the surface with \(children)"
    }
    if let (state, animated) = transition("W") { return "willTransition to \(state), \(animated)" }
    if let (state, animated) = transition("D") {
      return state == "nil" ? "the first didTransition, \(animated)" : "didTransition from \(state), \(animated)"
    }
    let words = text.split(separator: " ")
    if words.count == 2, let callback = Self.delegateMarks[String(words[0])] {
      return "the delegate's \(callback) of \(words[1])"
    }
    if let equals = text.firstIndex(of: "=") {
      return "\(text[..<equals]) is \(text[equals...].dropFirst())"
    }
    for (suffix, callback) in Self.childMarks where text.hasSuffix(suffix) && text.count > suffix.count {
      return "\(callback) of the child \(text.dropLast(suffix.count))"
    }
    return nil
  }

  private func inside(_ name: String) -> Substring? {
    text.hasPrefix("\(name)(") && text.hasSuffix(")") ? text.dropFirst(name.count + 1).dropLast() : nil
  }

  private func transition(_ name: String) -> (state: Substring, animated: String)? {
    guard let inside = inside(name), inside.hasSuffix(",t") || inside.hasSuffix(",f") else { return nil }
    return (inside.dropLast(2), inside.hasSuffix("t") ? "animated" : "not animated")
  }
}

extension String {
  /// Whether a parenthesis is not closed.
  fileprivate var isOpen: Bool { count { $0 == "(" } > count { $0 == ")" } }
}
