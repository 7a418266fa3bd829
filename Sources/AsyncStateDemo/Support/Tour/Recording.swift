// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal

/// The course of a scene so far: what the user did, what its boxes display, and what its journal says of the rest.
@MainActor
final class Recording {
  /// The line that is printed of one thing that happens.
  struct Line {
    let time: Duration
    let lane: String
    let text: String
  }

  private var user: [Lane] = []
  private var boxes: [Lane] = []
  private var journalLanes = JournalLanes()
  private let now: () -> Duration
  private let onLine: (Line) -> Void

  /// - Parameters:
  ///   - now: The time of what the user does, and of what the boxes display.
  ///   - onLine: Called with each thing that happens.
  init(now: @escaping () -> Duration, onLine: @escaping (Line) -> Void) {
    self.now = now
    self.onLine = onLine
  }

  /// From the cause to the effect: the user, what the journal has, what is displayed. Where a request on the server and the
  /// load that makes it do the same, they have one lane.
  var lanes: [Lane] {
    let inside = journalLanes.lanes.enumerated().filter { index, lane in
      !journalLanes.lanes[..<index].contains { $0.marks == lane.marks }
    }
    return user + inside.map(\.element) + boxes
  }

  /// The user, or something outside, does something.
  func add(userDoes text: String) {
    user.add(Lane.Mark(time: now(), sign: "▏", text: text, style: .strong), to: "user")
    onLine(Line(time: now(), lane: "user", text: text))
  }

  /// A box displays something from now on.
  func add(_ text: String, isDisplayedIn box: String, _ style: Style) {
    boxes.add(Lane.Mark(time: now(), sign: "▏", text: text, style: style), to: box)
    onLine(Line(time: now(), lane: box, text: text))
  }

  /// The journal has another entry.
  func add(_ entry: StateJournal.Entry) {
    journalLanes.add(entry)
    switch entry.event {
    // They belong to the setting of the scene, and not to its story.
    case .attached, .released: break
    // Events of the story, also those that are added to the library.
    default:
      let cause = entry.cause.map { " ← #\($0)" } ?? ""
      onLine(Line(time: entry.time, lane: entry.subject, text: "#\(entry.number) \(entry.event)\(cause)"))
    }
  }
}
#endif
