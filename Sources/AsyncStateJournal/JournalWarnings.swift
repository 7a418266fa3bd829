// SPDX-License-Identifier: MIT
// Likely faults, found while entries are written.

extension StateJournal {
  /// When a journal adds a warning: an entry with the subject that it is about, whose text names the chain of causes.
  package struct Limits: Hashable, Sendable {
    /// How often in a row a load may be started again by its own notification; `.max`: without limit.
    package var restarts: Int
    /// How often a status may change in a second by the journal's clock; `.max`: without limit.
    package var statusChangesPerSecond: Int

    /// Limits that no ordinary screen reaches.
    ///
    /// - Parameters:
    ///   - restarts: How often in a row a load may be started again by its own notification.
    ///   - statusChangesPerSecond: How often a status may change in a second by the journal's clock.
    package init(restarts: Int = 10, statusChangesPerSecond: Int = 20) {
      self.restarts = restarts
      self.statusChangesPerSecond = statusChangesPerSecond
    }
  }

  /// A chain of loads that was warned of.
  struct Loop {
    /// The number of its last start.
    var start: Int
    /// The number of the warning.
    var warning: Int
  }

  /// Warns when a load was started by its own notification too often in a row: once for each chain, and again when the
  /// chain continues and the warning is not kept any more.
  func warnOfLoop(at number: Int) {
    let limit = max(limits.restarts, 0)
    guard limit < .max, let entry = entry(number), case .loadStarted = entry.event, entry.cause != nil else {
      return
    }
    var starts: [Int] = []
    var next = entry.cause
    // Bounded: a chain has a few entries for each start.
    var steps = 8 * min(limit, 1_000_000) + 16
    while let number = next, steps > 0, starts.count <= limit, let cause = self.entry(number) {
      if cause.subject == entry.subject, let start = cause.startOfLoad, start != starts.last { starts.append(start) }
      next = cause.cause
      steps -= 1
    }
    guard starts.count > limit else { return }
    if let loop = loops[entry.subject], loop.start == starts[0], self.entry(loop.warning) != nil {
      return loops[entry.subject] = Loop(start: number, warning: loop.warning)
    }
    let chain = chain(from: number, to: starts[0])
    let text = "the load was started by its own notification \(starts.count) times in a row: \(chain)"
    let warning = record(.warning(text), of: entry.subject, origin: number)
    // Bounded: a chain that is not remembered is warned of again.
    if loops.count > 16 { loops = [:] }
    loops[entry.subject] = Loop(start: number, warning: warning)
  }

  /// The entries from an effect back to a cause, or to the first one before it, as text.
  func chain(from effect: Int, to cause: Int = 0) -> String {
    var texts: [String] = []
    var next: Int? = effect
    while let number = next, number >= cause, let entry = entry(number), texts.count < 16 {
      // Without the text of another warning, which names a chain, too: texts would grow without bound.
      let event = if case .warning = entry.event { "warning" } else { "\(entry.event)" }
      texts.append("#\(number) \(entry.subject): \(event)")
      next = entry.cause
    }
    return texts.joined(separator: " ← ")
  }
}

extension StateJournal.Entry {
  /// The number of the load's start, if this is the start or the end of a load.
  fileprivate var startOfLoad: Int? {
    switch event {
    case .loadStarted: number
    case .loadAnswered, .loadFailed: ends
    // All that is no load, and loads that were taken back: those restart nothing.
    default: nil
    }
  }
}
