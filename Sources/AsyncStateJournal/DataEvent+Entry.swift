// SPDX-License-Identifier: MIT
// The entry that is written of each event of data.

import AsyncState

extension DataEvent {
  /// The entry of the event. The description of its error is added later: that is user code.
  ///
  /// - Parameter record: What the event has made.
  func entry(with record: borrowing DataRecord) -> StateJournal.Event {
    let isOutdated = record.isInvalidated
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
    case .foundFresh: .loadFoundFresh
    case .elementArrived: .elementArrived(isOutdated: isOutdated)
    case .streamEnded: .streamEnded
    case .patched: .patched
    case .patchConfirmed(_, let isOutdated, _): .patchConfirmed(isOutdated: isOutdated)
    case .patchRemoved(_, let isOutdated, _): .patchRemoved(isOutdated: isOutdated)
    case .updated(let isOutdated): .updated(isOutdated: isOutdated)
    case .patchDoubted: .patchDoubted
    case .pageRequested(let edge): .pageStarted(StateJournal.Edge(edge))
    case .pageWaited(let edge, isOver: false): .pageWaits(StateJournal.Edge(edge))
    case .pageWaited(let edge, isOver: true): .pageContinues(StateJournal.Edge(edge))
    case .pageArrived(let edge, _): .pageArrived(StateJournal.Edge(edge))
    case .pageFailed(let edge, _): .pageFailed(StateJournal.Edge(edge), "")
    case .pageEnded(let edge, .cancelled): .pageCancelled(StateJournal.Edge(edge))
    case .pageEnded(let edge, .superseded): .pageSuperseded(StateJournal.Edge(edge))
    case .restored: .restored(isOutdated: isOutdated)
    case .keyChanged: .keyChanged
    case .keyRemoved: .keyRemoved
    case .keyMissing: .keyMissing
    case .forgotten: .forgotten
    case .combined: .combined(StateJournal.DataKind(record))
    }
  }
}

// MARK: - What it is about

extension DataEvent {
  /// The error whose description belongs to the entry.
  var error: (any Error)? {
    switch self {
    case .errorSet(let error), .retried(let error, _), .failed(let error), .pageFailed(_, let error): error
    case .set, .errorRemoved, .reset, .invalidated, .cancelledAll, .began, .yielded, .progressed, .waited, .continued,
      .answered, .cancelled, .foundFresh, .elementArrived, .streamEnded, .patched, .patchConfirmed,
      .patchRemoved, .updated, .patchDoubted, .pageRequested, .pageWaited, .pageArrived, .pageEnded, .restored,
      .keyChanged, .keyRemoved,
      .keyMissing,
      .forgotten, .combined:
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
      .continued, .retried, .answered, .failed, .cancelled, .foundFresh, .elementArrived, .streamEnded, .updated,
      .patchDoubted,
      .pageRequested, .pageWaited,
      .pageArrived, .pageFailed, .pageEnded, .restored, .keyChanged, .keyRemoved, .keyMissing, .forgotten, .combined:
      nil
    }
  }
}
