// What a change of data is called in the journal: found by comparing what was there before and after it.

/// Records what becomes of data.
final class DataProbe: JournalProbe, DataHook {
  private var lastEnd = 0
  private var lastInvalidation = 0
  private var lastKeyChange = 0

  /// Begins with what the data is by now.
  func begin(_ record: DataRecord, undecided: [Int]) {
    let number = note(.attached(StateJournal.DataKind(record.context)))
    if record.context.isRunning { opened.load = number }
    if record.context[page: .next].isRunning { opened.next = number }
    if record.context[page: .previous].isRunning { opened.previous = number }
    for patch in undecided { opened.patches[patch] = number }
  }

  func notifying(of number: Int, _ body: () -> Void) {
    guard let journal else { return body() }
    journal.notifying(of: number, body)
  }

  func following(_ origin: DataOrigin, _ body: () -> Void) {
    let number =
      switch origin {
      case .end: lastEnd
      case .invalidation: lastInvalidation
      case .keyChange: lastKeyChange
      }
    if number == 0 { body() } else { notifying(of: number, body) }
  }

  func didBecomeVisible() {
    journal?.complete()
  }

  func storeDidReturn(_ use: StoreUse) {
    switch use {
    case .read(let isFound): note(.storeRead(isFound: isFound))
    case .written: note(.storeWritten)
    case .removed: note(.storeRemoved)
    case .readFailed(let error), .writeFailed(let error), .removalFailed(let error):
      note(.storeFailed(""), error: error)
    }
  }

  func familyDidRemoveEntry() {
    journal?.record(.evicted, of: name)
  }

  // MARK: Changes

  func dataDidChange(_ change: DataChange) -> Int {
    guard let journal else { return 0 }
    switch change.reach {
    case .nothing: return change.isByRequest ? recordReport(change, journal) : recordRest(change, journal)
    case .only(let run): return recordEnd(of: run.edge, change, journal)
    case .arrival(let run, let other):
      let origin = run.edge == .next ? opened.next : opened.previous
      if let edge = other?.edge { recordPageEnd(.ended(.superseded), at: edge, origin: origin, journal) }
      return recordEnd(of: run.edge, change, journal)
    case .requests:
      let end = recordEnds(change, journal)
      return recordBeginning(change, journal) ?? (end != 0 ? end : record(.loadCancelled, journal))
    case .everything:
      recordEnds(change, journal)
      for patch in opened.patches.keys.sorted() { recordDecision(.patchRemoved(isOutdated: false), patch, journal) }
      return recordReplacement(change, journal)
    }
  }

  private func record(
    _ event: StateJournal.Event, ends: Int = 0, origin: Int = 0, error: (any Error)? = nil, _ journal: StateJournal
  ) -> Int {
    journal.record(event, of: name, ends: ends, origin: origin, error: error)
  }

  /// A load reports while it runs.
  private func recordReport(_ change: DataChange, _ journal: StateJournal) -> Int {
    if change.writesValue { return record(.loadYielded, origin: opened.load, journal) }
    guard let activity = change.record.context.activity else { return 0 }
    if activity.failures != change.former.context.activity?.failures {
      let event = StateJournal.Event.loadRetries(failures: activity.failures, error: "")
      return record(event, origin: opened.load, error: activity.lastFailure, journal)
    }
    return record(.loadProgressed(activity.progress), origin: opened.load, journal)
  }

  /// A load or a page request ends alone.
  private func recordEnd(of edge: PageEdge?, _ change: DataChange, _ journal: StateJournal) -> Int {
    if let edge { return recordPageEnd(change.ending, at: edge, journal) }
    let (event, error) = Self.loadEnd(change.ending, isOutdated: change.record.context.validity != .valid)
    lastEnd = record(event, ends: opened.load, origin: opened.load, error: error, journal)
    opened.load = 0
    return lastEnd
  }

  /// - Parameter origin: What has led to it; nil: its beginning.
  @discardableResult
  private func recordPageEnd(
    _ ending: LoadEnding, at edge: PageEdge, origin: Int? = nil, _ journal: StateJournal
  ) -> Int {
    let began = edge == .next ? opened.next : opened.previous
    if edge == .next { opened.next = 0 } else { opened.previous = 0 }
    let (event, error) = Self.pageEnd(ending, at: StateJournal.Edge(edge))
    return record(event, ends: began, origin: origin ?? began, error: error, journal)
  }

  /// All requests end because of something else.
  ///
  /// - Returns: The last entry; zero if none ran.
  @discardableResult
  private func recordEnds(_ change: DataChange, _ journal: StateJournal) -> Int {
    var number = 0
    if opened.load != 0 {
      number = record(Self.loadEnd(change.ending, isOutdated: false).event, ends: opened.load, journal)
      lastEnd = number
      opened.load = 0
    }
    if opened.next != 0 {
      number = record(Self.pageEnd(change.ending, at: .next).event, ends: opened.next, journal)
      opened.next = 0
    }
    if opened.previous != 0 {
      number = record(Self.pageEnd(change.ending, at: .previous).event, ends: opened.previous, journal)
      opened.previous = 0
    }
    return number
  }

  /// What took the place of the requests; nil if they were only cancelled.
  private func recordBeginning(_ change: DataChange, _ journal: StateJournal) -> Int? {
    if change.isStart {
      opened.load = record(.loadStarted(change.record.context.activity?.mode ?? .reload), journal)
      return opened.load
    }
    guard change.record.revision.error != change.former.revision.error else { return nil }
    return record(.errorSet(""), error: change.record.context.error, journal)
  }

  /// Everything was replaced.
  private func recordReplacement(_ change: DataChange, _ journal: StateJournal) -> Int {
    if change.record.confirmations == change.former.confirmations {
      let number = record(.combined(StateJournal.DataKind(change.record.context)), journal)
      if change.record.context.isRunning { opened.load = number }
      return number
    }
    if change.record.revision.key != change.former.revision.key {
      lastKeyChange = record(change.record.context.isUntouched ? .keyChanged : .keyRemoved, journal)
      return lastKeyChange
    }
    if case .ended(.cancelled) = change.ending {
      return record(change.record.context.isUntouched ? .reset : .forgotten, journal)
    }
    return record(.valueSet, journal)
  }

  /// A change that ends no request, and that none made.
  private func recordRest(_ change: DataChange, _ journal: StateJournal) -> Int {
    if let patch = change.patch {
      guard opened.patches[patch] != nil else {
        let number = record(.patched, journal)
        opened.patches[patch] = number
        return number
      }
      let isOutdated = change.record.context.validity != change.former.context.validity
      let isConfirmed = change.record.confirmations != change.former.confirmations
      let event: StateJournal.Event =
        isConfirmed ? .patchConfirmed(isOutdated: isOutdated) : .patchRemoved(isOutdated: isOutdated)
      return recordDecision(event, patch, journal)
    }
    if change.record.revision.error != change.former.revision.error { return record(.errorRemoved, journal) }
    for edge in [PageEdge.next, .previous]
    where change.record.context[page: edge].isRunning && !change.former.context[page: edge].isRunning {
      let number = record(.pageStarted(StateJournal.Edge(edge)), journal)
      if edge == .next { opened.next = number } else { opened.previous = number }
      return number
    }
    if change.former.context.isUntouched, !change.record.context.isUntouched, !change.writesValue {
      return record(.keyMissing, journal)
    }
    if change.writesValue {
      return record(.restored(isOutdated: change.record.context.validity != .valid), journal)
    }
    lastInvalidation = record(.invalidated, journal)
    return lastInvalidation
  }

  @discardableResult
  private func recordDecision(_ event: StateJournal.Event, _ patch: Int, _ journal: StateJournal) -> Int {
    let began = opened.patches.removeValue(forKey: patch) ?? 0
    return record(event, ends: began, origin: began, journal)
  }

  // MARK: Ends

  private static func loadEnd(_ ending: LoadEnding, isOutdated: Bool) -> (
    event: StateJournal.Event, error: (any Error)?
  ) {
    switch ending {
    case .answered: (.loadAnswered(isOutdated: isOutdated), nil)
    case .failed(let error): (.loadFailed(""), error)
    case .ended(.cancelled): (.loadCancelled, nil)
    case .ended(.superseded): (.loadSuperseded, nil)
    case .fresh: (.loadFoundFresh, nil)
    }
  }

  private static func pageEnd(
    _ ending: LoadEnding, at edge: StateJournal.Edge
  ) -> (event: StateJournal.Event, error: (any Error)?) {
    switch ending {
    case .answered, .fresh: (.pageArrived(edge), nil)
    case .failed(let error): (.pageFailed(edge, ""), error)
    case .ended(.cancelled): (.pageCancelled(edge), nil)
    case .ended(.superseded): (.pageSuperseded(edge), nil)
    }
  }
}
