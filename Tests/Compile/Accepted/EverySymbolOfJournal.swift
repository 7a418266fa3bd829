// SPDX-License-Identifier: MIT
// A client of every public symbol of the journal: a developer's menu that displays what happened, and why.
// also with: -default-isolation MainActor
// also with: -enable-upcoming-feature NonisolatedNonsendingByDefault
// also with: -strict-memory-safety

import AsyncStateJournal
import AsyncState

@MainActor
final class Console {
  let journal: StateJournal
  private var token: ObservedToken?
  private(set) var lines: [String] = []

  init() {
    var limits = StateJournal.Limits(restarts: 5, statusChangesPerSecond: 10)
    limits.restarts *= 2
    limits.statusChangesPerSecond *= 2
    journal = StateJournal(capacity: 200, clock: ContinuousClock(), limits: limits)
  }

  func attach(
    _ articles: AsyncResource<[String]>, _ family: AsyncFamily<Int, String>, _ board: AsyncTagBoard,
    _ outbox: AsyncOutbox<String, Int>
  ) {
    journal.attach(articles, name: "articles")
    journal.attach(AsyncHost(articles), name: "screen", child: { "\(type(of: $0))" })
    journal.attach(AsyncData<Int>(), name: "count")
    journal.attach(AsyncMutation { (text: String) in text }, name: "send")
    journal.attach(outbox, name: "notes")
    journal.attach(Input(""), name: "query")
    journal.attach(StateContainer(initialState: 0) { _ in [] }, name: "steps", state: { "step \($0)" })
    journal.attach(family, name: "family")
    journal.attach(board, name: "board")
    token = journal.observe { [unowned self] (entry: StateJournal.Entry) in lines.append(entry.description) }
  }

  /// Why the last thing happened.
  var reason: [String] {
    guard let last = journal.entries.last, let first = journal[last.number] else { return [] }
    let place = "\(first.time) \(first.subject) \(first.depth) \(first.cause as Any) \(first.ends as Any)"
    return [place] + journal.causes(of: last.number).map { text(of: $0.event) }
  }

  var report: String {
    """
    \(journal.capacity), \(journal.limits.restarts), \(journal.dropped) dropped: \(journal.description)
    \(journal.timeline)
    \(StateJournal.timeline(of: journal.entries.suffix(10)))
    """
  }

  func isBusy(_ subject: String, since kind: StateJournal.DataKind?) -> Bool {
    StateJournal.kind(of: subject, after: journal.entries, from: kind)?.isRunning ?? false
  }

  func kind(of articles: AsyncResource<[String]>) -> StateJournal.DataKind {
    var kind = StateJournal.DataKind(articles.snapshot)
    if kind.description.isEmpty { kind = StateJournal.DataKind(isRunning: true) }
    kind.hasError = false
    kind.isInvalidated = !kind.isValueSet
    kind.isValueSet = true
    return kind
  }
}

nonisolated func text(of edge: StateJournal.Edge) -> String {
  switch edge {
  case .next: "next"
  case .previous: "previous"
  }
}

/// What a menu with symbols and texts of its own displays.
nonisolated func text(of event: StateJournal.Event) -> String {
  switch event {
  case .attached(let kind): kind.map { "\($0)" } ?? "+"
  case .released: "−"
  case .loadStarted(let mode): mode == .reload ? "load" : "refresh"
  case .loadProgressed(let progress): "\(progress ?? 0)"
  case .loadRetries(let failures, let error): "attempt \(failures + 1), \(error)"
  case .loadAnswered(let isOutdated), .patchConfirmed(let isOutdated), .patchReplaced(let isOutdated),
    .patchRemoved(let isOutdated), .updated(let isOutdated), .restored(let isOutdated), .elementArrived(let isOutdated):
    isOutdated ? "old answer" : "answer"
  case .loadFailed(let error), .errorSet(let error), .storeFailed(let error): error
  case .loadYielded, .valueSet, .written, .patched: "value"
  case .loadWaits, .loadContinues: "gate"
  case .loadCancelled, .loadSuperseded, .loadFoundFresh, .streamEnded: "end"
  case .errorRemoved, .reset, .forgotten, .evicted, .invalidated, .patchDoubted: "removed"
  case .keyChanged, .keyRemoved, .keyMissing: "key"
  case .combined(let kind): "\(kind)"
  case .pageStarted(let edge), .pageWaits(let edge), .pageContinues(let edge), .pageArrived(let edge),
    .pageCancelled(let edge), .pageSuperseded(let edge):
    text(of: edge)
  case .pageFailed(let edge, let error): "\(text(of: edge)): \(error)"
  case .storeRead(let isFound): isFound ? "stored" : "not stored"
  case .storeWritten, .storeRemoved: "store"
  case .tagsInvalidated(let text), .statusChanged(let text), .warning(let text): text
  case .appearance(let appearance): "\(appearance)"
  case .willTransition(let state, let animated): "to \(state)\(animated ? "…" : "")"
  case .didTransition(let state, animated: _): "from \(state)"
  case .childWillAppear(let child), .childDidAppear(let child): "+ \(child)"
  case .childWillDisappear(let child), .childDidDisappear(let child): "− \(child)"
  case .arranged(let children): "\(children)"
  @unknown default: event.description
  }
}

/// The journal as a file for a report.
func report(_ journal: StateJournal) -> [String] {
  [journal.page(), journal.page(title: "Feed")]
}
