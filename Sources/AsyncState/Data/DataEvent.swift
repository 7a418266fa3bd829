// SPDX-License-Identifier: MIT
// The table of section 2 of the contract, as code: the events, their effects on the record, the ends that they bring about, and
// whether they are forced. This is the only place for these rules. The text of a journal is in its module, in
// DataEvent+Entry.swift.

/// Something that happens to data: a case for each cause of the table, in its order.
///
/// Beside an event stand the request that it is about, or that begins with it, and a flag for the value afterwards.
package enum DataEvent {
  // By hand.
  case set(at: Duration, isSame: Bool)
  case errorSet(any Error)
  case errorRemoved
  /// - Parameter leavesKey: True if what follows is that of another key.
  case reset(leavesKey: Bool)
  case invalidated
  /// All requests are cancelled.
  case cancelledAll

  // Loads.
  case began(LoadActivity)
  case yielded
  case progressed(Double?)
  /// The gate is closed, so nothing is requested yet.
  case waited
  /// The gate has opened.
  case continued
  case retried(any Error, failures: Int)
  /// - Parameters:
  ///   - isOutdated: True if the answer is out of date already: by a tag, or because of a change that it may not contain.
  ///   - isEqual: True if the answer is equal to the displayed value, so that it need not be displayed again.
  case answered(at: Duration, isOutdated: Bool, isEqual: Bool)
  case failed(any Error)
  case cancelled
  case foundFresh

  // Live values.
  case elementArrived(at: Duration)
  case streamEnded

  // Optimistic changes. Another one may be undecided.
  case patched(number: Int)
  case patchConfirmed(number: Int, isOutdated: Bool, hasOthers: Bool)
  case patchRemoved(number: Int, isOutdated: Bool, hasOthers: Bool)
  /// A change is applied that has already been made elsewhere.
  ///
  /// - Parameter isOutdated: True if there is no value to change.
  case updated(isOutdated: Bool)
  /// A change that is not displayed any more has ended, and it is not known whether the value contains it.
  case patchDoubted

  /// A further page has arrived for a list that another one has replaced.
  case dropped

  // Stores, keys and parts.
  /// - Parameters:
  ///   - isOfStore: False if the value was not read for this data, but answered meanwhile, such as with a list.
  ///   - isChanged: True if a change on it was confirmed already: together they are another value.
  case restored(answeredAt: Duration?, isOutdated: Bool, isOfStore: Bool, isChanged: Bool)
  case keyChanged
  case keyRemoved
  case keyMissing
  case forgotten
  /// The data became the combination of several others.
  indirect case combined(DataRecord, isForced: Bool)
}

extension DataEvent {
  /// True if it is not known after this event whether the value contains a change that is being sent. A value that is read from
  /// the store contains the changes that were confirmed before, and none that is being sent. Of a page the overlay takes note.
  var makesChangesUncertain: Bool {
    switch self {
    case .restored(_, _, let isOfStore, _): !isOfStore
    case .set, .reset, .yielded, .answered, .elementArrived, .updated, .keyChanged,
      .keyRemoved, .forgotten, .combined:
      true
    case .errorSet, .errorRemoved, .invalidated, .cancelledAll, .began, .progressed, .waited, .continued, .retried,
      .failed, .cancelled, .dropped, .foundFresh, .streamEnded, .patched, .patchConfirmed, .patchRemoved, .patchDoubted,
      .keyMissing:
      false
    }
  }

  /// True if the display stays the same, although the value is written.
  var isEqualAnswer: Bool {
    if case .answered(_, _, isEqual: true) = self { true } else { false }
  }
}

// MARK: - The effect on the record

extension DataRecord {
  /// The record after an event. A pure function.
  ///
  /// - Parameter hasValue: True if there is a value from now on; nil if the value is not written.
  mutating func apply(_ event: DataEvent, hasValue: Bool?) {
    if hasValue != nil { noteValue(isEqual: event.isEqualAnswer) }
    // A page leaves the rows that a change may be about as they are.
    if event.makesChangesUncertain, !isPage(event) { writes &+= 1 }
    // True if a seed is written; only used by events that write one.
    let hasSeed = hasValue == true
    switch event {
    case .set(let now, _):
      context = .answered
      hasUndecidedChanges = false
      noteAnswer(at: now)
    case .errorSet(let error):
      context.origin.noteRequest()
      context.end()
      noteError(error, isOfRefresh: false, hasSeed: hasSeed)
    case .errorRemoved:
      context.error = nil
      context.isRefreshError = false
      context.origin.noteRequest()
      revision.error &+= 1
    case .reset(let leavesKey):
      if leavesKey || isOfFormerKey { revision.key &+= 1 }
      reset(to: .initial(hasSeed: hasSeed))
      removals &+= 1
    case .invalidated:
      context.invalidate()
      invalidations &+= 1
      isOnlyInDoubt = false
    case .cancelledAll:
      context.end()
      // Also if only a delay was ended, and nothing had begun.
      context.origin.noteRequest()

    case .began(let activity):
      context.begin(activity)
      isOvertaken = false
    case .yielded: context.yield()
    case .progressed(let progress): context.activity?.progress = progress
    case .waited: context.activity?.isWaiting = true
    case .continued: context.activity?.isWaiting = false
    case .retried(let error, let failures): context.activity?.retry(after: error, failures)
    case .answered(_, let isOutdated, _) where context.activity?.edge != nil: extend(isOutdated: isOutdated)
    case .answered(let now, let isOutdated, _):
      let isTooOld = isOutdated || context.validity == .invalidatedDuringLoad
      context = .answered
      if isTooOld { context.validity = .invalidated }
      // The reason for the mark may be a tag.
      if isOutdated { isOnlyInDoubt = false }
      if isOvertaken { doubt() }
      isOvertaken = false
      noteAnswer(at: now)
    case .failed(let error):
      let isOfRefresh = context.activity?.mode == .refresh
      let edge = context.activity?.edge
      context.end()
      if let edge { return context.setPageError(error, at: edge) }
      noteError(error, isOfRefresh: isOfRefresh, hasSeed: hasSeed)
    case .foundFresh:
      context.end()
      context.validity = .valid
    case .cancelled, .dropped: context.end()

    case .elementArrived(let now):
      // It is newer than the end of each change so far; the answer of a running load may be older.
      if isOnlyInDoubt, context.activity == nil {
        context.validity = .valid
        isOnlyInDoubt = false
      }
      if context.isRunning { isOvertaken = true }
      context.origin = .answer
      context.error = nil
      context.isRefreshError = false
      noteAnswer(at: now)
    case .streamEnded: hasFailed = true

    case .patched: hasUndecidedChanges = true
    case .patchConfirmed(_, let isOutdated, let hasOthers):
      hasUndecidedChanges = hasOthers
      confirmations &+= 1
      noteOvertaking()
      if isOutdated { doubt() }
    case .patchRemoved(_, let isOutdated, let hasOthers):
      hasUndecidedChanges = hasOthers
      if isOutdated { doubt() }
    case .updated(let isOutdated):
      confirmations &+= 1
      noteOvertaking()
      if isOutdated { doubt() }
    case .patchDoubted: doubt()

    case .restored(let answeredAt, let isOutdated, _, let isChanged):
      context.restore(isOutdated: isOutdated)
      if isChanged { confirmations &+= 1 }
      if isOutdated { isOnlyInDoubt = false }
      self.answeredAt = answeredAt
    case .keyChanged: leaveKey(hasValue: hasValue, requested: .soon)
    case .keyRemoved: leaveKey(hasValue: hasValue, requested: .before)
    case .keyMissing: context.origin.noteRequest()
    case .forgotten:
      reset(to: .initial(hasSeed: hasSeed, .before))
      removals &+= 1
    case .combined(let record, _): self = record
    }
  }

  /// Makes the data belong to another key, or to none.
  ///
  /// - Parameter hasValue: Nil: the value of the previous key stays.
  private mutating func leaveKey(hasValue: Bool?, requested: ValueOrigin.Requested) {
    revision.key &+= 1
    if hasValue == nil {
      reset(to: .former(requested))
    } else {
      reset(to: .initial(hasSeed: hasValue == true, requested))
      removals &+= 1
    }
  }

  /// Removes everything but a seed, or a previous key's value.
  private mutating func reset(to origin: ValueOrigin) {
    context = SnapshotContext(origin)
    confirmations &+= 1
    hasFailed = false
    hasUndecidedChanges = false
    answeredAt = nil
  }

  /// Notes that a change has ended: the answer of a request that runs may be from before.
  private mutating func noteOvertaking() {
    if context.isRequesting { isOvertaken = true }
  }

  private func isPage(_ event: DataEvent) -> Bool {
    if case .answered = event { context.activity?.edge != nil } else { false }
  }

  /// Notes a page that was added to the list, which is as old as before. What has ended since it was requested lies above it, and so
  /// `isOutdated` says; what has failed has marked the list itself.
  private mutating func extend(isOutdated: Bool) {
    if let edge = context.activity?.edge { context.setPageError(nil, at: edge) }
    context.end()
    confirmations &+= 1
    if isOutdated { doubt() }
  }

  /// Marks a value that perhaps does not contain a change that was sent.
  private mutating func doubt() {
    noteOvertaking()
    if context.validity == .valid { isOnlyInDoubt = true }
    context.invalidate()
  }

  private mutating func noteAnswer(at now: Duration) {
    confirmations &+= 1
    hasFailed = false
    answeredAt = now
  }

  /// Notes an error, which has replaced a previous key's value by the seed.
  private mutating func noteError(_ error: any Error, isOfRefresh: Bool, hasSeed: Bool) {
    context.error = error
    context.isRefreshError = isOfRefresh
    revision.error &+= 1
    hasFailed = true
    context.origin.fail(hasSeed: hasSeed)
  }
}

extension SnapshotContext {
  /// A value was set or loaded, and everything else is removed.
  fileprivate static var answered: SnapshotContext { SnapshotContext(.answer) }

  /// Marks the value as out of date.
  fileprivate mutating func invalidate() {
    validity = activity == nil ? .invalidated : .invalidatedDuringLoad
  }

  /// Begins a load, which is newer than any invalidation before it. Content that a superseded reload has hidden stays hidden.
  fileprivate mutating func begin(_ newActivity: LoadActivity) {
    let isHiding = activity.map { $0.mode == .reload && !$0.isWaiting } ?? false
    end()
    origin.noteRequest()
    activity = newActivity
    if isHiding { activity?.mode = .reload }
    if let edge = newActivity.edge { setPageError(nil, at: edge) }
  }

  /// Notes a first or partial answer of the running load. From now on there is content that must not be hidden.
  fileprivate mutating func yield() {
    origin = .partial
    error = nil
    isRefreshError = false
    activity?.mode = .refresh
  }

  /// Notes a stored value that has arrived. It does not stay hidden. Its mark does not concern a running load, which is newer.
  fileprivate mutating func restore(isOutdated: Bool) {
    origin = .stored
    activity?.mode = .refresh
    if isOutdated, validity == .valid { validity = .invalidated }
  }

  /// Ends the running load, and removes its activity.
  fileprivate mutating func end() {
    activity = nil
    if validity == .invalidatedDuringLoad { validity = .invalidated }
  }
}

extension LoadActivity {
  /// Notes that an attempt failed and another one follows.
  fileprivate mutating func retry(after error: any Error, _ failures: Int) {
    details = Details.boxed(progress: nil, failures: failures, lastFailure: error)
  }
}

// MARK: - The ends

/// The ends that an event brings about.
package enum DataEnds {
  case nothing
  /// The request that the event is about, alone.
  case request(LoadEnding)
  /// The running load, the waiting one, page requests, and the delay of a followed key.
  case requests(LoadEnd)
  /// All of these, and the changes that are not decided.
  case everything(LoadEnd)
}

extension DataEvent {
  package var ends: DataEnds {
    switch self {
    case .set, .keyChanged, .keyRemoved, .combined: .everything(.superseded)
    case .reset, .forgotten: .everything(.cancelled)
    case .errorSet, .began: .requests(.superseded)
    case .cancelledAll: .requests(.cancelled)
    case .answered: .request(.answered)
    case .failed(let error): .request(.failed(error))
    case .cancelled: .request(.ended(.cancelled))
    case .dropped: .request(.ended(.superseded))
    case .foundFresh: .request(.fresh)
    case .errorRemoved, .invalidated, .yielded, .progressed, .waited, .continued, .retried, .elementArrived,
      .streamEnded, .patched, .patchConfirmed, .patchRemoved, .updated, .patchDoubted,
      .restored, .keyMissing:
      .nothing
    }
  }

  /// True if the stream of the data ends, and is not connected again if it is being connected. A value or an error that is
  /// written by hand leaves both: the next element is newer.
  var endsStream: Bool {
    switch self {
    case .began, .cancelledAll, .reset, .streamEnded, .keyChanged, .keyRemoved, .forgotten: true
    case .set, .errorSet, .errorRemoved, .invalidated, .yielded, .progressed, .waited, .continued, .retried, .answered,
      .failed, .cancelled, .dropped, .foundFresh, .elementArrived, .patched, .patchConfirmed, .patchRemoved,
      .updated, .patchDoubted, .restored,
      .keyMissing, .combined:
      false
    }
  }

  /// True if the content must be displayed again, although it may look unchanged.
  ///
  /// - Parameter isValueSet: True if a value was set before.
  func isForced(isValueSet: Bool) -> Bool {
    switch self {
    case .set(_, let isSame): isSame && isValueSet
    case .invalidated: true
    case .combined(_, let isForced): isForced
    case .errorSet, .errorRemoved, .reset, .cancelledAll, .began, .yielded, .progressed, .waited, .continued, .retried,
      .answered, .failed, .cancelled, .dropped, .foundFresh, .elementArrived, .streamEnded, .patched, .patchConfirmed,
      .patchRemoved, .updated, .patchDoubted, .restored, .keyChanged, .keyRemoved, .keyMissing,
      .forgotten:
      false
    }
  }
}
