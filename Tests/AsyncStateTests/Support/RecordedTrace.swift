// SPDX-License-Identifier: MIT
@testable import AsyncStateTesting
import Testing

/// A trace that a test compares. A failure prints what each mark means, too.
struct RecordedTrace: Equatable {
  let text: String

  static func == (trace: RecordedTrace, text: String) -> Bool { trace.text == text }
  static func == (trace: RecordedTrace, other: RecordedTrace) -> Bool { trace.text == other.text }

  var marks: [String] { text.marks }
  func occurrences(of other: String) -> Int { text.occurrences(of: other) }
  func contains(_ other: String) -> Bool { text.contains(other) }
  func hasPrefix(_ other: String) -> Bool { text.hasPrefix(other) }
  func hasSuffix(_ other: String) -> Bool { text.hasSuffix(other) }
}

extension RecordedTrace: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    self.init(text: value)
  }
}

extension RecordedTrace: CustomTestStringConvertible {
  var testDescription: String {
    "“\(text)”\n" + RecordedMark.sentences(for: text).map { "  \($0)\n" }.joined()
  }
}

extension Recorder {
  /// Takes all marks out, as a trace whose failures can be read.
  func takeTrace() -> RecordedTrace { RecordedTrace(text: take()) }
}

extension String {
  /// The marks of a trace. A mark with a name in it, as in `cwd spin`, is one.
  var marks: [String] {
    var marks: [String] = []
    for word in split(separator: " ").map(String.init) {
      if let last = marks.last, ["cwa", "cda", "cwd", "cdd"].contains(last) {
        marks[marks.count - 1] += " \(word)"
      } else {
        marks.append(word)
      }
    }
    return marks
  }
}
