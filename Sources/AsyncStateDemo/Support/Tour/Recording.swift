// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal
import AsyncState
import Observation

/// The course of a scene so far: what the user did, what its boxes display, and what its journal says of the rest.
@MainActor @Observable
final class Recording {
  /// The line that is printed of one thing that happens.
  struct Line {
    let time: Duration
    let lane: String
    let text: String
  }

  /// How the scene ended, in a sentence for each box.
  private(set) var verdicts: [(text: String, style: Style)] = []

  private var user = Lane(name: "user")
  private var boxes: [Lane] = []
  private var journalLanes = JournalLanes(capacity: 1000)
  @ObservationIgnored private let now: () -> Duration
  @ObservationIgnored private let onLine: (Line) -> Void

  /// - Parameters:
  ///   - now: The time of what the user does, and of what the boxes display.
  ///   - onLine: Called with each thing that happens.
  init(now: @escaping () -> Duration, onLine: @escaping (Line) -> Void = { _ in }) {
    self.now = now
    self.onLine = onLine
  }

  /// From the cause to the effect: the user, what the journal has, what is displayed.
  var lanes: [Lane] {
    let inside = journalLanes.ids.compactMap { id -> Lane? in
      switch id.part {
      case .requests, .transitions: journalLanes.lane(id, named: id.subject)
      case .child(let name): journalLanes.lane(id, named: name)
      case .content, .status, .children: nil
      }
    }
    return (user.marks.isEmpty ? [] : [user]) + inside + boxes
  }

  /// The user, or something outside, does something.
  func add(userDoes text: String) {
    user.marks.append(Lane.Mark(time: now(), sign: "▏", text: text, style: .strong))
    onLine(Line(time: now(), lane: user.name, text: text))
  }

  /// A box displays something from now on.
  func add(_ text: String, isDisplayedIn box: String, _ style: Style) {
    let index = boxes.firstIndex { $0.name == box } ?? boxes.endIndex
    if index == boxes.endIndex { boxes.append(Lane(name: box)) }
    boxes[index].marks.append(Lane.Mark(time: now(), sign: "▏", text: text, style: style))
    onLine(Line(time: now(), lane: box, text: text))
  }

  /// A box displays something that does not change, so that it needs no lane.
  func add(_ text: String, isPreviewedIn box: String) {
    onLine(Line(time: now(), lane: box, text: text))
  }

  /// The journal has another entry.
  func add(_ entry: StateJournal.Entry) {
    journalLanes.add(entry)
    if let line = Line(entry) { onLine(line) }
  }

  func conclude(_ text: String, _ style: Style) {
    verdicts.append((text, style))
  }
}

extension Recording.Line {
  /// An entry as a line; nil for those that belong to the setting of the scene, and not to its story.
  fileprivate init?(_ entry: StateJournal.Entry) {
    switch entry.event {
    case .attached, .released: return nil
    // Events of the story, also those that are added to the library.
    default: break
    }
    let cause = entry.cause.map { " ← #\($0)" } ?? ""
    self.init(time: entry.time, lane: entry.subject, text: PrintableText.of("#\(entry.number) \(entry.event)\(cause)"))
  }
}
#endif
