// SPDX-License-Identifier: MIT
// The tags of an entry, and the calls to the board when its data changes.
//
// The closure that computes tags is the user's and may use the family. A change that it makes in the same entry is followed by
// the loop that called it, so that it never calls itself.

extension FamilyMember {
  /// The state of the data to which the tags and the board correspond.
  struct Tagging {
    /// The number of confirmations to which the tags correspond.
    var confirmations: UInt32 = 0
    /// True if the data was invalidated when it was last followed, or the store has the value as out of date.
    var wasInvalidated = false
    var wasRunning = false
    /// The number of invalidations when the current load began.
    var startCount: UInt64 = 0
    /// The confirmations when the current load began.
    var startConfirmations: UInt32 = 0
    /// The answer that is being written.
    var answer: Answer?
    /// True while the user's code computes tags.
    var isComputing = false
    /// True if the data has changed, and the change has not been followed.
    var hasMissedChange = false
    var isFollowing = false
  }

  struct Answer {
    let load: Load<Value>
    /// Nil: they were not computed.
    let tags: Set<AsyncTag>?
    /// True if it is older than an invalidation.
    let isOutdated: Bool
  }

  /// Prepares a new entry of the family. A value that the store returns at once is displayed.
  func prepare() {
    let peeked = settings.gate.isOpen && !settings.isUnremoved(key) ? settings.store?.peek(key) : nil
    let tags = computeTags(for: peeked?.value)
    // A value that this code has written is newer.
    guard isAttached, !data.facts.isValueSet else { return }
    if let peeked {
      show(peeked, tags, isOfStore: true)
    } else if let tags {
      settings.board?.setTags(tags, of: self)
    }
  }

  /// Computes the tags of a value by calling the user's code.
  ///
  /// - Returns: Nil if this is called in that code.
  func computeTags(for value: Value?) -> Set<AsyncTag>? {
    guard settings.board != nil else { return [] }
    guard !tagging.isComputing else { return nil }
    tagging.isComputing = true
    let tags = settings.tags(key, value)
    tagging.isComputing = false
    followChanges()
    return tags
  }

  // MARK: Changes of the data

  func willBegin() {
    leaveReleasedFamily()
    wasRequested = true
    tagging.startConfirmations = data.state.core.record.confirmations
    guard isAttached, let board = settings.board else { return }
    tagging.startCount = board.count
    board.unmark(self)
  }

  func willAnswer(_ load: LoadRun) -> Bool {
    guard isAttached else { return false }
    let load = data.typed(load)
    let value = load.answer
    let startCount = tagging.startCount
    let tags = computeTags(for: value)
    let isOutdated = settings.hasInvalidated(tags, since: startCount)
    tagging.answer = Answer(load: load, tags: tags, isOutdated: isOutdated)
    return isOutdated
  }

  func didAnswer() {
    tagging.answer = nil
  }

  func didBecomeConsistent() {
    if isRunning { tagging.wasRunning = true }
    if !isLookedAfter, hasWorkForHolders { settings.table?.noteWork(of: self) }
    tagging.hasMissedChange = true
    followChanges()
  }

  private func followChanges() {
    guard !tagging.isFollowing, !tagging.isComputing else { return }
    tagging.isFollowing = true
    while tagging.hasMissedChange, isAttached {
      tagging.hasMissedChange = false
      followChange()
    }
    tagging.isFollowing = false
  }

  private func followChange() {
    let record = data.state.core.record
    let isInvalidated = record.context.validity != .valid
    if record.confirmations != tagging.confirmations {
      leftAnswer = nil
      let answer = takeAnswer()
      guard let tags = answer?.tags ?? computeTags(for: data.confirmed?.value), isAttached, !tagging.hasMissedChange
      else { return }
      tagging.confirmations = record.confirmations
      tagging.wasInvalidated = isInvalidated
      settings.board?.setTags(tags, of: self)
      if answer?.isOutdated == true { settings.board?.mark(self) }
      if record.isConfirmed, !isStored(answer) { storeConfirmed() }
      // There is no answer here, and the stored value is older than a change.
      if !record.isConfirmed, isInvalidated { doubtStored() }
    } else if isInvalidated != tagging.wasInvalidated {
      tagging.wasInvalidated = isInvalidated
      if isInvalidated, record.isConfirmed { storeConfirmed() }
    }
    if !isInvalidated, let board = settings.board, board.isMarked(self), !isStillStale { board.unmark(self) }
  }

  /// True if there is an answer, which is stale by its age or after a failure, whatever has changed since it was marked for that.
  private var isStillStale: Bool { data.state.core.record.answeredAt != nil && !data.isFresh(for: .stale) }

  /// The answer that was written; nil if another value was.
  private func takeAnswer() -> Answer? {
    guard let answer = tagging.answer, case .answered = answer.load.ending else { return nil }
    tagging.answer = nil
    return answer
  }

  /// True if the store has this answer, because it is the source of truth, and nothing is to be added. It does not have the
  /// answer of a load that did not call the family's operation: one that is answered by hand, or has an operation of its own.
  private func isStored(_ answer: Answer?) -> Bool {
    guard let answer, answer.load === written?.load else { return false }
    return !isInvalidated && !data.hasPatches
  }

  func didNotify() {
    guard isAttached else { return }
    let hasEnded = tagging.wasRunning && !isRunning
    if hasEnded {
      tagging.wasRunning = false
      limit = nil
      settings.table?.noteUse(of: self)
    }
    settings.board?.reloadMayHaveEnded(of: self)
    guard hasEnded else { return }
    settleWritten()
    takeOver()
    settings.board?.runDidEnd(of: self)
  }
}
