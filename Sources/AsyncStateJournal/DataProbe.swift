// SPDX-License-Identifier: MIT
// The entries of a journal about data: the entry of each event, after those of what the event ends.

import AsyncState

/// Records what becomes of data.
final class DataProbe: JournalProbe, DataHook {
  private var lastEnd = 0
  private var lastInvalidation = 0
  private var lastKeyChange = 0
  private var lastStreamEnd = 0

  /// Begins with what the data is by now.
  func begin(_ record: DataRecord, undecided: [Int]) {
    let number = note(.attached(StateJournal.DataKind(record)))
    if record.isRunning { opened.load = number }
    if let page = record.page { opened[.page(.init(page))] = number }
    if record.isWaiting { journalWaiting() }
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
      case .streamEnd: lastStreamEnd
      }
    if number == 0 { body() } else { notifying(of: number, body) }
  }

  func didBecomeConsistent() {
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

  // MARK: Events

  func dataDidChange(_ event: DataEvent, _ record: DataRecord) -> Int {
    guard let journal else { return 0 }
    let last = recordEnds(by: event, journal)
    // A cancel is the end of what it has cancelled.
    if case .cancelledAll = event, last != 0 { return last }
    let entry = event.entry(with: record, of: record.page.map { .init($0) } ?? opened.page)
    let number =
      switch entry.role {
      case .begins(let span): recordBeginning(entry, of: span, change: event.change, journal)
      case .ends(.change): recordDecision(entry, of: event.change ?? 0, journal)
      case .ends(let span): recordEnd(entry, of: span, error: event.error, journal)
      case .reports(let span): journal.record(entry, of: name, origin: opened[span], error: event.error)
      case .other: journal.record(entry, of: name, error: event.error)
      }
    note(number, of: event, record)
    if case .began = event, record.isWaiting { journalWaiting() }
    return number
  }

  /// The load has begun where its gate is closed.
  private func journalWaiting() {
    let page = opened.page
    journal?.record(
      page.map { .pageWaits($0) } ?? .loadWaits, of: name, origin: opened[page.map { .page($0) } ?? .load])
  }

  /// The entries that later ones may follow from.
  private func note(_ number: Int, of event: DataEvent, _ record: DataRecord) {
    switch event {
    case .invalidated: lastInvalidation = number
    case .streamEnded: lastStreamEnd = number
    case .keyChanged, .keyRemoved: lastKeyChange = number
    case .combined: if record.isRunning { opened.load = number }
    case .set, .errorSet, .errorRemoved, .reset, .cancelledAll, .began, .yielded, .progressed, .waited, .continued,
      .retried, .answered, .failed, .cancelled, .dropped, .foundFresh, .elementArrived, .patched, .patchConfirmed,
      .patchRemoved, .updated, .patchDoubted, .restored, .keyMissing, .forgotten:
      break
    }
  }

  private func recordBeginning(
    _ entry: StateJournal.Event, of span: StateJournal.Event.Span, change: Int?, _ journal: StateJournal
  ) -> Int {
    // Another change in its place.
    if let change, opened.patches[change] != nil {
      _ = recordDecision(.patchRemoved(isOutdated: false), of: change, journal)
    }
    let number = journal.record(entry, of: name)
    if let change { opened.patches[change] = number } else { opened[span] = number }
    return number
  }

  /// A load or a page request ends alone.
  private func recordEnd(
    _ entry: StateJournal.Event, of span: StateJournal.Event.Span, error: (any Error)?, _ journal: StateJournal
  ) -> Int {
    let began = opened[span]
    opened[span] = 0
    let number = journal.record(entry, of: name, ends: began, origin: began, error: error)
    if span == .load { lastEnd = number }
    return number
  }

  private func recordDecision(_ entry: StateJournal.Event, of change: Int, _ journal: StateJournal) -> Int {
    let began = opened.patches.removeValue(forKey: change) ?? 0
    return journal.record(entry, of: name, ends: began, origin: began)
  }

  /// The ends that an event brings about beside the request that it is about.
  ///
  /// - Returns: The last entry of a request; zero if none has ended.
  private func recordEnds(by event: DataEvent, _ journal: StateJournal) -> Int {
    switch event.ends {
    case .nothing, .request: return 0
    case .requests(let end): return opened.hasAny ? recordEnds(end, journal) : 0
    case .everything(let end):
      guard opened.hasAny else { return 0 }
      let last = recordEnds(end, journal)
      for change in opened.patches.keys.sorted() {
        _ = recordDecision(.patchRemoved(isOutdated: false), of: change, journal)
      }
      return last
    }
  }

  private func recordEnds(_ end: LoadEnd, _ journal: StateJournal) -> Int {
    let load = recordEnd(end, of: .load, journal)
    if load != 0 { lastEnd = load }
    let next = recordEnd(end, of: .page(.next), journal)
    let previous = recordEnd(end, of: .page(.previous), journal)
    return max(load, next, previous)
  }

  /// A request ends because of something else.
  ///
  /// - Returns: Zero if none runs.
  private func recordEnd(
    _ end: LoadEnd, of span: StateJournal.Event.Span, _ journal: StateJournal
  ) -> Int {
    let began = opened[span]
    guard began != 0, let entry = StateJournal.Event(end, of: span) else { return 0 }
    opened[span] = 0
    return journal.record(entry, of: name, ends: began, origin: 0)
  }
}

extension StateJournal.Event {
  /// A request ends because of something else; nil for what is no request.
  fileprivate init?(_ end: LoadEnd, of span: Span) {
    switch (span, end) {
    case (.load, .cancelled): self = .loadCancelled
    case (.load, .superseded): self = .loadSuperseded
    case (.page(let edge), .cancelled): self = .pageCancelled(edge)
    case (.page(let edge), .superseded): self = .pageSuperseded(edge)
    case (.change, _), (.transition, _), (.input, _): return nil
    }
  }
}
