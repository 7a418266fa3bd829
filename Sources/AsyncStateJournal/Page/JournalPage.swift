// SPDX-License-Identifier: MIT
import AsyncState

/// A journal as an HTML file: the entries as data, and a script that draws them.
struct JournalPage {
  let title: String
  let entries: [StateJournal.Entry]
  /// How many entries before the first one are not kept.
  let dropped: Int

  var html: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <meta name="color-scheme" content="light dark">
    <title>\(title.inMarkup)</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header>
    <h1>\(title.inMarkup)</h1>
    \(Self.controls)
    </header>
    \(Self.parts)
    <script type="application/json" id="data">\(data)</script>
    <script>\(Self.script)</script>
    </body>
    </html>

    """
  }

  /// The subjects by their names, and for each entry: number, microseconds, subject, text, cause, what it ends, track, tone,
  /// kind of the data after it, and whether it begins something. Zero is none.
  private var data: String {
    var subjects: [String: Int] = [:]
    var names: [String] = []
    var kinds: [Int: StateJournal.DataKind] = [:]
    var rows: [String] = []
    rows.reserveCapacity(entries.count)
    for entry in entries {
      let subject = subjects[entry.subject] ?? names.count
      if subject == names.count {
        subjects[entry.subject] = subject
        names.append(entry.subject)
      }
      if case .attached(let kind?) = entry.event { kinds[subject] = kind }
      kinds[subject]?.apply(entry.event)
      let numbers = [entry.causeNumber, entry.endedNumber, entry.event.track.rawValue, entry.event.tone.rawValue]
      rows.append(
        "[\(entry.number),\(entry.time.microseconds),\(subject),\("\(entry.event)".inScript),"
          + numbers.map(String.init).joined(separator: ",")
          + ",\(kinds[subject].map(\.bits) ?? 0),\(entry.event.isBeginning ? 1 : 0)]")
    }
    return """
      {"dropped":\(dropped),"subjects":[\(names.map(\.inScript).joined(separator: ","))],"entries":[
      \(rows.joined(separator: ",\n"))
      ]}
      """
  }
}

extension StateJournal.Event {
  /// Whether a span begins with the entry, which is drawn as a bar.
  fileprivate var isBeginning: Bool { if case .begins = role { true } else { false } }
}

extension StateJournal.DataKind {
  /// Bit 0: known.
  fileprivate var bits: Int {
    1 + (isRunning ? 2 : 0) + (isValueSet ? 4 : 0) + (hasError ? 8 : 0) + (isInvalidated ? 16 : 0)
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? .max : product + attoseconds / 1_000_000_000_000
  }
}

extension String {
  /// As text between tags, and in an attribute.
  fileprivate var inMarkup: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// As a string of JSON inside a `script` element: nothing in it ends that element, or begins a comment.
  fileprivate var inScript: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
