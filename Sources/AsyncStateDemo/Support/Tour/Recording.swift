#if os(macOS) || os(Linux)
import Observation

/// What has happened in a scene, when, and in which lane.
@MainActor @Observable
final class Recording {
  struct Entry {
    enum Kind {
      /// Something happens at this time.
      case point
      /// A request or an appearance begins.
      case begin
      /// It ends, with a mark: ● well, ✗ with an error, ○ cancelled.
      case end(Character)
      /// This is displayed from now on.
      case display
    }

    let time: Duration
    let kind: Kind
    let text: String
    let style: Style
  }

  struct Lane {
    let name: String
    var entries: [Entry] = []
  }

  /// In the order of their first entries.
  private(set) var lanes: [Lane] = []
  /// How the scene ended, in a sentence for each box.
  private(set) var verdicts: [(text: String, style: Style)] = []

  @ObservationIgnored private let now: () -> Duration
  @ObservationIgnored private let onEntry: (String, Entry) -> Void

  /// - Parameters:
  ///   - now: The time of an entry.
  ///   - onEntry: Called with the lane of each entry, and the entry.
  init(now: @escaping () -> Duration, onEntry: @escaping (String, Entry) -> Void = { _, _ in }) {
    self.now = now
    self.onEntry = onEntry
  }

  func add(_ kind: Entry.Kind, _ text: String, in lane: String, _ style: Style = .plain) {
    let entry = Entry(time: now(), kind: kind, text: text, style: style)
    let index = lanes.firstIndex { $0.name == lane } ?? lanes.endIndex
    if index == lanes.endIndex { lanes.append(Lane(name: lane)) }
    lanes[index].entries.append(entry)
    onEntry(lane, entry)
  }

  func conclude(_ text: String, _ style: Style) {
    verdicts.append((text, style))
  }
}
#endif
