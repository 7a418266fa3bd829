// SPDX-License-Identifier: MIT
// The entry that is written of each event of data, and the event that an entry was written of.

package import AsyncState

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
    case .elementArrived: .elementArrived
    case .streamEnded: .streamEnded
    case .patched: .patched
    case .patchConfirmed(_, let isOutdated, _): .patchConfirmed(isOutdated: isOutdated)
    case .patchReplaced(_, let isOutdated, _): .patchConfirmed(isOutdated: isOutdated)
    case .patchRemoved(_, let isOutdated, _): .patchRemoved(isOutdated: isOutdated)
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

extension DataEvent {
  /// The event that an entry was written of; nil where it has no event of data, or one that is not repeated by itself: an
  /// optimistic change, and the combination of several data.
  ///
  /// - Parameters:
  ///   - now: The time of an answer.
  ///   - error: The error with a description.
  package init?(recordedAs entry: StateJournal.Event, at now: Duration, error: (String) -> any Error) {
    switch entry {
    case .valueSet: self = .set(at: now, isSame: false)
    case .errorSet(let text): self = .errorSet(error(text))
    case .errorRemoved: self = .errorRemoved
    case .reset: self = .reset
    case .invalidated: self = .invalidated
    case .loadStarted(let mode): self = .began(LoadActivity(mode: mode))
    case .loadYielded: self = .yielded
    case .loadProgressed(let progress): self = .progressed(progress)
    case .loadWaits: self = .waited
    case .loadContinues: self = .continued
    case .loadRetries(let failures, let text): self = .retried(error(text), failures: failures)
    case .loadAnswered(let isOutdated): self = .answered(at: now, isOutdated: isOutdated, isEqual: false)
    case .loadFailed(let text): self = .failed(error(text))
    case .loadCancelled: self = .cancelled
    case .loadFoundFresh: self = .foundFresh
    case .elementArrived: self = .elementArrived(at: now)
    case .streamEnded: self = .streamEnded
    case .pageStarted(let edge): self = .pageRequested(PageEdge(edge))
    case .pageWaits(let edge): self = .pageWaited(PageEdge(edge), isOver: false)
    case .pageContinues(let edge): self = .pageWaited(PageEdge(edge), isOver: true)
    case .pageArrived(let edge): self = .pageArrived(PageEdge(edge), evicts: false)
    case .pageFailed(let edge, let text): self = .pageFailed(PageEdge(edge), error(text))
    case .pageCancelled(let edge): self = .pageEnded(PageEdge(edge), .cancelled)
    case .pageSuperseded(let edge): self = .pageEnded(PageEdge(edge), .superseded)
    case .restored(let isOutdated): self = .restored(answeredAt: nil, isOutdated: isOutdated)
    case .keyChanged: self = .keyChanged(keepsFormer: false)
    case .keyRemoved: self = .keyRemoved
    case .keyMissing: self = .keyMissing
    case .forgotten: self = .forgotten
    case .attached, .released, .loadSuperseded, .combined, .patched, .patchConfirmed, .patchRemoved, .storeRead,
      .storeWritten, .storeRemoved, .storeFailed, .evicted, .tagsInvalidated, .written, .statusChanged, .appearance,
      .willTransition, .didTransition, .childWillAppear, .childDidAppear, .childWillDisappear, .childDidDisappear,
      .arranged, .warning:
      return nil
    }
  }
}

extension PageEdge {
  package init(_ edge: StateJournal.Edge) {
    switch edge {
    case .next: self = .next
    case .previous: self = .previous
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
      .answered, .cancelled, .foundFresh, .elementArrived, .streamEnded, .patched, .patchConfirmed, .patchReplaced,
      .patchRemoved, .pageRequested, .pageWaited, .pageArrived, .pageEnded, .restored, .keyChanged, .keyRemoved,
      .keyMissing,
      .forgotten, .combined:
      nil
    }
  }

  /// The optimistic change that is made or decided.
  var change: Int? {
    switch self {
    case .patched(let number), .patchConfirmed(let number, _, _), .patchReplaced(let number, _, _),
      .patchRemoved(let number, _, _):
      number
    case .set, .errorSet, .errorRemoved, .reset, .invalidated, .cancelledAll, .began, .yielded, .progressed, .waited,
      .continued, .retried, .answered, .failed, .cancelled, .foundFresh, .elementArrived, .streamEnded, .pageRequested,
      .pageWaited,
      .pageArrived, .pageFailed, .pageEnded, .restored, .keyChanged, .keyRemoved, .keyMissing, .forgotten, .combined:
      nil
    }
  }
}
