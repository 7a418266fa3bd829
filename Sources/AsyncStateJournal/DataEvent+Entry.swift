// SPDX-License-Identifier: MIT
// The entry that is written of each event of data.

import AsyncState

extension DataEvent {
  /// The entry of the event. The description of its error is added later: that is user code.
  ///
  /// - Parameters:
  ///   - record: What the event has made.
  ///   - page: The edge of the further page whose load began before the event and has not ended, or begins with it.
  func entry(with record: borrowing DataRecord, of page: StateJournal.Edge?) -> StateJournal.Event {
    let isOutdated = record.isInvalidated
    if let page, let entry = entry(of: page, isOutdated: isOutdated) { return entry }
    return switch self {
    case .set: .valueSet
    case .errorSet: .errorSet("")
    case .errorRemoved: .errorRemoved
    case .reset: .reset
    case .invalidated: .invalidated
    case .began: .loadStarted(record.mode ?? .reload)
    case .yielded: .loadYielded
    case .progressed(let progress): .loadProgressed(progress)
    case .waited: .loadWaits
    case .continued: .loadContinues
    case .retried(_, let failures): .loadRetries(failures: failures, error: "")
    case .answered: .loadAnswered(isOutdated: isOutdated)
    case .failed: .loadFailed("")
    case .cancelled, .cancelledAll: .loadCancelled
    case .dropped: .loadSuperseded
    case .foundFresh: .loadFoundFresh
    case .elementArrived: .elementArrived(isOutdated: isOutdated)
    case .streamEnded: .streamEnded
    case .patched: .patched
    case .patchConfirmed(_, let isOutdated, _): .patchConfirmed(isOutdated: isOutdated)
    case .patchRemoved(_, let isOutdated, _): .patchRemoved(isOutdated: isOutdated)
    case .updated(let isOutdated): .updated(isOutdated: isOutdated)
    case .patchDoubted: .patchDoubted
    case .restored: .restored(isOutdated: isOutdated)
    case .keyChanged: .keyChanged
    case .keyRemoved: .keyRemoved
    case .keyMissing: .keyMissing
    case .forgotten: .forgotten
    case .combined: .combined(StateJournal.DataKind(record))
    }
  }

  /// The entry of an event of a load that extends an edge; nil: it is about anything else.
  private func entry(of page: StateJournal.Edge, isOutdated: Bool) -> StateJournal.Event? {
    switch self {
    case .began: .pageStarted(page)
    case .waited: .pageWaits(page)
    case .continued: .pageContinues(page)
    case .answered: .pageArrived(page, isOutdated: isOutdated)
    case .failed: .pageFailed(page, "")
    case .cancelled: .pageCancelled(page)
    case .dropped: .pageSuperseded(page)
    case .set, .errorSet, .errorRemoved, .reset, .invalidated, .cancelledAll, .yielded, .progressed, .retried,
      .foundFresh,
      .elementArrived, .streamEnded, .patched, .patchConfirmed, .patchRemoved, .updated, .patchDoubted,
      .restored, .keyChanged, .keyRemoved, .keyMissing, .forgotten, .combined:
      nil
    }
  }
}

// MARK: - What it is about

extension DataEvent {
  /// The error whose description belongs to the entry.
  var error: (any Error)? {
    switch self {
    case .errorSet(let error), .retried(let error, _), .failed(let error): error
    case .set, .errorRemoved, .reset, .invalidated, .cancelledAll, .began, .yielded, .progressed, .waited, .continued,
      .answered, .cancelled, .dropped, .foundFresh, .elementArrived, .streamEnded, .patched, .patchConfirmed,
      .patchRemoved, .updated, .patchDoubted, .restored, .keyChanged, .keyRemoved, .keyMissing,
      .forgotten,
      .combined:
      nil
    }
  }

  /// The optimistic change that is made or decided.
  var change: Int? {
    switch self {
    case .patched(let number), .patchConfirmed(let number, _, _),
      .patchRemoved(let number, _, _):
      number
    case .set, .errorSet, .errorRemoved, .reset, .invalidated, .cancelledAll, .began, .yielded, .progressed, .waited,
      .continued, .retried, .answered, .failed, .cancelled, .dropped, .foundFresh, .elementArrived, .streamEnded,
      .updated,
      .patchDoubted, .restored, .keyChanged, .keyRemoved, .keyMissing, .forgotten, .combined:
      nil
    }
  }
}
