// SPDX-License-Identifier: MIT
public import AsyncStateJournal
import AsyncState

// Entries that are read from a text, as it stands in a report.

extension StateJournal {
  /// The entries of a timeline: the reverse of `StateJournal.timeline(of:)`.
  ///
  /// Lines without a time are read, too, as an entry describes itself. Indentation and empty lines have no meaning. What
  /// a timeline does not say is not there: how deep notifications were nested, and what is rounded.
  ///
  /// - Throws: ``UnreadableTimeline`` if a line is no entry.
  public static func entries(of timeline: String) throws -> [Entry] {
    var ends = RecordedEnds()
    var entries: [Entry] = []
    for (index, line) in timeline.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      guard let read = EntryLine(line) else { throw UnreadableTimeline(line: index + 1, text: String(line)) }
      let entry = Entry(
        number: read.number, time: read.time, subject: read.subject, event: read.event, causeNumber: read.cause ?? 0,
        depth: 0, endedNumber: ends.number(endedBy: read))
      entries.append(entry)
    }
    return entries
  }
}

/// Thrown when a line of a timeline is no entry.
public struct UnreadableTimeline: Error, Hashable, CustomStringConvertible {
  /// The number of the line, from one.
  public let line: Int
  /// The line.
  public let text: String

  /// An error for a line.
  public init(line: Int, text: String) {
    self.line = line
    self.text = text
  }

  /// The text says what is wrong, and what an entry looks like.
  public var description: String {
    "Line \(line) is no entry of a timeline: \(text). An entry is `0.450 #6 results: answered ← #5`."
  }
}

/// One line.
private struct EntryLine {
  let time: Duration
  let number: Int
  let subject: String
  let event: StateJournal.Event
  let cause: Int?

  init?(_ line: Substring) {
    guard let sign = line.firstIndex(of: "#") else { return nil }
    guard let time = Self.time(line[..<sign].trimmed) else { return nil }
    self.time = time
    let digits = line[sign...].dropFirst().prefix { $0.isNumber }
    guard let number = Int(digits), number > 0 else { return nil }
    self.number = number
    let (text, cause) = Self.withoutCause(line[digits.endIndex...].trimmed)
    self.cause = cause
    // A name may have a colon, and so may the text of an event: the first place where both make sense.
    var rest = text
    while let colon = rest.firstRange(of: ": ") {
      rest = rest[colon.upperBound...]
      // The text of an error may be empty, and then the space before it was removed.
      guard let event = StateJournal.Event(recorded: rest) ?? StateJournal.Event(recorded: rest + " ") else { continue }
      subject = String(text[..<colon.lowerBound])
      self.event = event
      return
    }
    return nil
  }

  private static func time(_ text: Substring) -> Duration? {
    if text.isEmpty { return .zero }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3, let seconds = Int(parts[0]), let thousandths = Int(parts[1]) else {
      return nil
    }
    return .seconds(seconds) + .milliseconds(text.hasPrefix("-") ? -thousandths : thousandths)
  }

  private static func withoutCause(_ text: Substring) -> (Substring, Int?) {
    let arrow = " ← #"
    guard let range = text.ranges(of: arrow).last, let cause = Int(text[range.upperBound...]) else {
      return (text, nil)
    }
    return (text[..<range.lowerBound], cause)
  }
}

extension Substring {
  fileprivate func without(prefix: String = "", suffix: String = "") -> String? {
    guard hasPrefix(prefix), hasSuffix(suffix), count >= prefix.count + suffix.count else { return nil }
    return String(dropFirst(prefix.count).dropLast(suffix.count))
  }
}

extension String {
  /// The name that stands in quotation marks, where those in it are doubled; nil if it is something else.
  fileprivate var unquoted: String? {
    guard count > 1, hasPrefix("\""), hasSuffix("\"") else { return nil }
    let name = String(dropFirst().dropLast())
    return name.replacing("\"\"", with: "").contains("\"") ? nil : name.replacing("\"\"", with: "\"")
  }
}

// MARK: - Events

extension StateJournal.Event {
  /// The event with a description.
  fileprivate init?(recorded text: Substring) {
    if let event = Self.withoutText[String(text)] ?? Self(ofState: text) ?? Self(ofChildren: text)
      ?? Self(ofError: text)
    {
      self = event
    } else {
      return nil
    }
  }

  private init?(ofError text: Substring) {
    if let error = text.without(prefix: "failed: ") {
      self = .loadFailed(error)
    } else if let error = text.without(prefix: "error set: ") {
      self = .errorSet(error)
    } else if let error = text.without(prefix: "next page failed: ") {
      self = .pageFailed(.next, error)
    } else if let error = text.without(prefix: "previous page failed: ") {
      self = .pageFailed(.previous, error)
    } else if let error = text.without(prefix: "store failed: ") {
      self = .storeFailed(error)
    } else if let warning = text.without(prefix: "warning: ") {
      self = .warning(warning)
    } else if let rest = text.without(prefix: "attempt "), let end = rest.firstRange(of: " failed, retrying: "),
      let failures = Int(rest[..<end.lowerBound])
    {
      self = .loadRetries(failures: failures, error: String(rest[end.upperBound...]))
    } else {
      return nil
    }
  }

  private init?(ofState text: Substring) {
    if let percent = text.without(prefix: "progress ", suffix: " %").flatMap(Double.init) {
      // Percent are rounded down.
      self = .loadProgressed(percent == 0 ? 0 : min((percent / 100).nextUp, 1))
    } else if let tags = text.without(prefix: "invalidated ") {
      self = .tagsInvalidated(tags)
    } else if let status = text.without(prefix: "status ") {
      self = .statusChanged(status)
    } else if let state = text.without(prefix: "will transition to ", suffix: ", animated") {
      self = .willTransition(state.unquoted ?? state, animated: true)
    } else if let state = text.without(prefix: "will transition to ") {
      self = .willTransition(state.unquoted ?? state, animated: false)
    } else if let state = text.without(prefix: "did transition from ", suffix: ", animated") {
      self = .didTransition(state.unquoted ?? state, animated: true)
    } else if let state = text.without(prefix: "did transition from ") {
      self = .didTransition(state.unquoted ?? state, animated: false)
    } else {
      return nil
    }
  }

  private init?(ofChildren text: Substring) {
    if let children = text.without(prefix: "children: ") {
      self = .arranged(children == "none" ? [] : Self.names(children))
    } else if let child = Self.child(text, " will appear") {
      self = .childWillAppear(child)
    } else if let child = Self.child(text, " did appear") {
      self = .childDidAppear(child)
    } else if let child = Self.child(text, " will disappear") {
      self = .childWillDisappear(child)
    } else if let child = Self.child(text, " did disappear") {
      self = .childDidDisappear(child)
    } else {
      return nil
    }
  }

  private static func child(_ text: Substring, _ suffix: String) -> String? {
    guard let name = text.without(suffix: suffix) else { return nil }
    // Outside of quotation marks the colon belongs to the name of the subject.
    return name.unquoted ?? (name.contains(": ") ? nil : name)
  }

  private static func names(_ text: String) -> [String] {
    var names: [String] = []
    for part in text.split(separator: ", ", omittingEmptySubsequences: false) {
      if let last = names.last, !last.count(where: { $0 == "\"" }).isMultiple(of: 2) {
        // The comma stands in quotation marks.
        names[names.count - 1] = "\(last), \(part)"
      } else {
        names.append(String(part))
      }
    }
    return names.map { $0.unquoted ?? $0 }
  }

  /// The events that have no text of the user's, by their descriptions.
  private static let withoutText: [String: Self] = {
    var events: [Self] = [
      .attached(nil), .released, .loadYielded, .loadProgressed(nil), .loadWaits, .loadContinues, .loadCancelled,
      .loadSuperseded, .loadFoundFresh,
      .elementArrived, .streamEnded, .valueSet, .errorRemoved, .reset, .forgotten, .keyChanged, .keyRemoved,
      .keyMissing, .invalidated, .patched,
      .storeWritten, .storeRemoved, .evicted, .written,
    ]
    events += [LoadMode.reload, .refresh].map { .loadStarted($0) }
    for isTrue in [false, true] {
      events += [
        .loadAnswered(isOutdated: isTrue), .restored(isOutdated: isTrue), .patchConfirmed(isOutdated: isTrue),
        .patchRemoved(isOutdated: isTrue), .storeRead(isFound: isTrue),
      ]
    }
    for edge in [StateJournal.Edge.next, .previous] {
      events += [
        .pageStarted(edge), .pageWaits(edge), .pageContinues(edge), .pageArrived(edge), .pageCancelled(edge),
        .pageSuperseded(edge),
      ]
    }
    events += [Appearance.gone, .appearing, .visible, .disappearing].map { .appearance($0) }
    for bits in 0..<16 {
      let kind = StateJournal.DataKind(
        isRunning: bits & 1 != 0, isValueSet: bits & 2 != 0, hasError: bits & 4 != 0, isInvalidated: bits & 8 != 0)
      events += [.attached(kind), .combined(kind)]
    }
    return Dictionary(events.map { ("\($0)", $0) }) { first, _ in first }
  }()
}

// MARK: - Beginnings and ends

/// Finds which entry has begun what another one ends: a timeline does not say.
private struct RecordedEnds {
  private struct Opened {
    var spans: [StateJournal.Event.Span: Int] = [:]
    var changes: [Int] = []
  }

  private var subjects: [String: Opened] = [:]

  /// - Returns: The number of what this ends; zero if it ends nothing.
  mutating func number(endedBy line: EntryLine) -> Int {
    var opened = subjects[line.subject] ?? Opened()
    defer { subjects[line.subject] = opened }
    if case .attached(let kind) = line.event {
      opened = Opened()
      if kind?.isRunning == true { opened.spans[.load] = line.number }
    }
    switch line.event.role {
    case .begins(.change): opened.changes.append(line.number)
    case .begins(let span): opened.spans[span] = line.number
    case .ends(.change):
      // Its cause, if it came from outside.
      let index = opened.changes.firstIndex { $0 == line.cause } ?? opened.changes.startIndex
      return opened.changes.isEmpty ? 0 : opened.changes.remove(at: index)
    case .ends(let span): return opened.spans.removeValue(forKey: span) ?? 0
    case .reports: return 0
    case .other: return line.event == .released ? opened.spans.removeValue(forKey: .transition) ?? 0 : 0
    }
    return 0
  }
}
