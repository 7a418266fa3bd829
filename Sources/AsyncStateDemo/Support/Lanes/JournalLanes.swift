// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
import AsyncStateJournal

/// Decides which entry of a journal is which mark in which lane. It takes in one entry after another.
struct JournalLanes {
  /// One for each subject with loads or transitions, and for each child of a container, in the order of their first marks.
  private(set) var lanes: [Lane] = []

  /// The numbers of the entries that began what has not ended, by lane.
  private var open: [String: Set<Int>] = [:]
  /// The states that transitions lead to, by lane.
  private var destinations: [String: String] = [:]

  /// Takes in the next entry.
  mutating func add(_ entry: StateJournal.Entry) {
    let name = entry.subject
    switch entry.event {
    case .loadStarted, .patched, .inputPerformed: begin(entry, in: name)
    case .loadAnswered, .patchConfirmed, .inputSucceeded: end(entry, in: name, "●")
    case .loadFailed, .patchRemoved, .inputFailed: end(entry, in: name, "✗", .bad)
    case .loadCancelled, .inputCancelled: end(entry, in: name, "○")
    case .loadSuperseded, .inputSuperseded: end(entry, in: name, "⊘")
    case .loadYielded: mark(entry, in: name, "▪")
    case .loadWaits, .inputWaits: mark(entry, in: name, "⏸")
    case .loadContinues, .inputSent: mark(entry, in: name, "▸")
    case .loadRetries, .inputRetries: mark(entry, in: name, "✗", .bad)
    case .willTransition(let state, _):
      destinations[name] = state
      begin(entry, in: name, "◇")
    case .didTransition: end(entry, in: name, "◆", text: destinations[name] ?? "")
    case .childWillAppear(let child): begin(entry, in: child)
    case .childDidDisappear(let child):
      open[child] = nil
      mark(entry, in: child, "┤")
    // All else is a line of the journal, and has no mark.
    default: break
    }
  }

  private mutating func begin(_ entry: StateJournal.Entry, in name: String, _ sign: String = "") {
    open[name, default: []].insert(entry.number)
    mark(entry, in: name, sign)
  }

  private mutating func end(
    _ entry: StateJournal.Entry, in name: String, _ sign: String, _ style: Style = .strong, text: String = ""
  ) {
    if let begun = entry.ends { open[name]?.remove(begun) }
    mark(entry, in: name, sign, style, text: text)
  }

  private mutating func mark(
    _ entry: StateJournal.Entry, in name: String, _ sign: String, _ style: Style = .strong, text: String = ""
  ) {
    let isRunning = open[name].map { !$0.isEmpty } ?? false
    lanes.add(Lane.Mark(time: entry.time, sign: sign, text: text, style: style, isRunning: isRunning), to: name)
  }
}
#endif
